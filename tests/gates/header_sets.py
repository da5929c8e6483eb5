"""Each public header compiles alone, in any order: CMake's VERIFY_INTERFACE_HEADER_SETS, which sinew_library turns on."""
import pathlib
import re
import subprocess

import gate

TARGET = "all_verify_interface_header_sets"


def check(root, build=None):
    """`build`: the project's build folder. Without one (witness) the tree is a project of its own and is configured first."""
    if not build:
        build = str(root / "build")
        subprocess.run(["cmake", "-G", "Ninja", "-S", root, "-B", build], capture_output=True, check=True)
    result = subprocess.run(["cmake", "--build", build, "--target", TARGET], capture_output=True, text=True, check=False)
    output = result.stdout + result.stderr
    if result.returncode == 0:
        # A target that verifies nothing succeeds as well.
        commands = (pathlib.Path(build) / "build.ninja").read_text(encoding="utf-8")
        verified = set(re.findall(r"verify_interface_header_sets/sinew/(\w+)\.h\.\w+\.o:", commands))
        headers = {path.stem for path in gate.files(root, "include/sinew/*.h")}
        return [f"include/sinew/{name}.h: is in no header set" for name in sorted(headers - verified)]
    return re.findall(r"\S+/include/sinew/\S+: (?:fatal )?error: .+", output) or [output[-2000:]]


HELPERS = pathlib.Path(__file__).resolve().parents[2] / "cmake" / "sinew_targets.cmake"
GOOD = {
    "CMakeLists.txt": "cmake_minimum_required(VERSION 3.25)\nproject(witness LANGUAGES CXX)\n"
                      f'include("{HELPERS}")\nadd_subdirectory(src/core)\n',
    "src/core/CMakeLists.txt": "sinew_library(core HEADERS whole.h second.h)\n",
    "src/core/core.cc": '#include "sinew/whole.h"\n#include "sinew/second.h"\n',
    "include/sinew/whole.h": "#pragma once\n#include <vector>\nusing List = std::vector<int>;\n",
    "include/sinew/second.h": '#pragma once\n#include "sinew/whole.h"\ninline int count(const List& list) { return int(list.size()); }\n',
}
BAD = {
    "a header that needs another before it": (
        {"include/sinew/second.h": "#pragma once\ninline int count(const List& list) { return int(list.size()); }\n"}, r"second\.h.*error.*List"),
    "a header that no target lists": ({"include/sinew/third.h": "#pragma once\n"}, r"third\.h: is in no header set"),
}

if __name__ == "__main__":
    gate.main(check, GOOD, BAD)
