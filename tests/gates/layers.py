"""Who may include whom: arrows go down only, and other people's headers stay behind the layer that uses them."""
import os
import re

import gate

# Layer -> layers it may include. The four leaves meet in data; interchange poses characters and
# vulkan reads meshes, so both stand on runtime.
BELOW = {
    "core": {"core"},
    "runtime": {"core", "runtime"},
    "offline": {"core", "runtime", "offline"},
    "interchange": {"core", "runtime", "interchange"},
    "vulkan": {"core", "runtime", "vulkan"},
    "embree": {"core", "embree"},
    "biped": {"core", "biped"},
}
EVERYTHING = set(BELOW)
# Folders of programs, which may use all layers.
PROGRAMS = ("tools/sinew", "samples", "tests", "bench")

# External header (a prefix of the name) -> files that may include it (regular expressions on the path).
EXTERNAL = {
    r"glm/": [r"include/sinew/math\.h", r"tests/(oracle|compile)/.*"],
    r"tl/expected": [r"include/sinew/result\.h"],
    r"expected$": [r"include/sinew/result\.h"],
    r"nlohmann/": [r"src/interchange/.*", r"tools/(render|sinew)/.*", r"tests/.*", r"bench/.*"],
    r"(draco/|meshoptimizer)": [r"src/interchange/.*", r"tests/.*"],
    r"assimp/": [r"src/interchange/.*"],
    r"flatbuffers/": [r"src/(runtime|offline)/.*", r"tests/.*"],
    r"CLI/": [r"tools/sinew/.*"],
    r"(png|jpeglib)\.h|webp/": [r"tools/render/.*", r"tests/.*"],
    r"(fmt|spdlog)/": [r"tools/sinew/.*"],
    r"hwy/": [r"src/runtime/.*"],
    r"vulkan|volk": [r"src/vulkan/.*", r"include/sinew/vulkan\.h", r"tools/(gpu|render|sinew)/.*", r"tests/.*", r"bench/.*"],
    r"embree3/": [r"src/embree/.*"],
    r"(gtest|gmock)/": [r"tests/.*"],
    r"(oneapi/)?tbb/": [r"samples/.*"],
    r"benchmark/": [r"bench/.*"],
    r"tiny_gltf": [r"bench/.*"],
}
GENERATED = re.compile(r".*_generated\.h$")  # by flatc: as flatbuffers/
SHADER = re.compile(r".*\.spv\.h$")  # by glslc, from a shader of the tree; programs and src/vulkan hold some
STANDARD = re.compile(r"^(sys/|unistd|fcntl|spawn|dlfcn|malloc|std\w+\.h|[a-z_0-9]+$)")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def layer_table(root):
    """Public header -> layer, from the HEADERS lists of src/*/CMakeLists.txt, which install them."""
    table = {"config.h": "core"}
    for path in gate.files(root, "src/*/CMakeLists.txt"):
        listed = re.search(r"sinew_library\(\s*(\w+)\s+HEADERS\s+((?:\w+\.h\s*)+)", path.read_text(encoding="utf-8"))
        if listed:
            for header in listed.group(2).split():
                table[header] = listed.group(1)
    return table


def layer_of(name, table):
    """Layer of a file of the project, None for a program's file; a KeyError names a header that no target lists."""
    if name.startswith("include/sinew/"):
        return table[name.removeprefix("include/sinew/")]
    if name.startswith("tools/biped/"):
        return "biped"
    if name.startswith("src/"):
        return name.split("/")[1]
    return None


def resolve(root, including, header):
    """The project's file that a quoted include means, as a path from the root, or None."""
    if header == "sinew/config.h":
        return "include/sinew/config.h"
    for base in (os.path.dirname(including), "include", "src", "tools", "tests"):
        name = os.path.normpath(os.path.join(base, header))
        if (root / name).is_file():
            return name
    return None


def external_fault(name, header):
    if GENERATED.match(header):
        header = "flatbuffers/" + header
    if SHADER.match(header):
        header = "vulkan/" + header
    for prefix, allowed in EXTERNAL.items():
        if re.match(prefix, header):
            if not any(re.fullmatch(pattern, name) for pattern in allowed):
                return f"includes <{header}>, which only {' and '.join(allowed)} may"
            return None
    if not STANDARD.match(header):
        return f"includes <{header}>, which is in no list of tests/gates/layers.py"
    return None


def own_fault(name, target, table):
    """Fault of an include of one of the project's own files, or None."""
    try:
        layer, wanted = layer_of(name, table), layer_of(target, table)
    except KeyError as missing:
        return f"includes or is the public header {missing}, which no target's HEADERS lists"
    if name.startswith("include/") and not target.startswith("include/"):
        return f"is public and includes {target}, which is not"
    if name.startswith("samples/") and target.startswith("src/"):
        return f"is a sample and includes {target}: samples use the public API"
    if layer is None:
        return None
    if wanted is None:
        return f"({layer}) includes {target}, a program's file"
    if wanted not in BELOW.get(layer, set()):
        return f"({layer}) includes {target} ({wanted}): {layer} may include {', '.join(sorted(BELOW.get(layer, ())))} only"
    return None


def check(root):
    table, faults = layer_table(root), []
    sources = gate.files(root, *(f"{folder}/**/*.{ext}" for folder in ("include", "src", "tools", "samples", "tests", "bench")
                                 for ext in ("h", "cc")))
    for path in sources:
        name = path.relative_to(root).as_posix()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            target = resolve(root, name, match.group(2)) if match.group(1) == '"' or match.group(2).startswith("sinew/") else None
            fault = own_fault(name, target, table) if target else external_fault(name, match.group(2))
            if fault:
                faults.append(f"{name}:{number}: {fault}")
    return faults


GOOD = {
    "src/core/CMakeLists.txt": "sinew_library(core HEADERS math.h result.h PUBLIC glm::glm)\n",
    "src/runtime/CMakeLists.txt": "sinew_library(runtime HEADERS pose.h)\n",
    "src/offline/CMakeLists.txt": "sinew_library(offline HEADERS write.h)\n",
    "src/interchange/CMakeLists.txt": "sinew_library(interchange HEADERS import.h)\n",
    "include/sinew/math.h": "#include <cmath>\n#include <glm/vec3.hpp>\n",
    "include/sinew/result.h": '#include <string>\n#include "sinew/config.h"\n#include <tl/expected.hpp>\n',
    "include/sinew/pose.h": '#include "sinew/math.h"\n',
    "include/sinew/write.h": '#include "sinew/pose.h"\n',
    "include/sinew/import.h": '#include "sinew/result.h"\n',
    "src/core/contract.h": "#include <cstdio>\n",
    "src/runtime/pose.cc": '#include "core/contract.h"\n#include "sinew/pose.h"\n#include "character_generated.h"\n',
    "src/offline/write.cc": '#include "runtime/pose.h"\n#include <flatbuffers/flatbuffers.h>\n',
    "src/runtime/pose.h": "#include <span>\n",
    "src/interchange/import.cc": '#include <nlohmann/json.hpp>\n#include <sys/stat.h>\n#include "sinew/import.h"\n',
    "tools/biped/biped.cc": '#include "sinew/math.h"\n',
    "tools/sinew/main.cc": '#include <CLI/CLI.hpp>\n#include "biped/biped.h"\n#include "sinew/import.h"\n',
    "tools/biped/biped.h": "#include <vector>\n",
    "tests/unit/pose_test.cc": '#include <gtest/gtest.h>\n#include "core/contract.h"\n',
}
BAD = {
    "upward: core includes runtime": ({"src/core/math.cc": '#include "sinew/pose.h"\n'}, r"math\.cc:1: .*core.*runtime"),
    "upward: runtime includes offline": ({"src/runtime/pose.cc": '\n#include "sinew/write.h"\n'}, r"pose\.cc:2: .*offline"),
    "sideways: interchange includes offline": ({"src/interchange/import.cc": '#include "sinew/write.h"\n'}, r"import\.cc:1"),
    "a private header through a relative path": ({"src/core/math.cc": '#include "../runtime/pose.h"\n'}, r"math\.cc:1"),
    "a public header includes a private one": ({"include/sinew/pose.h": '#include "core/contract.h"\n'}, r"is public"),
    "GLM past math.h": ({"include/sinew/pose.h": "#include <glm/vec4.hpp>\n"}, r"glm/vec4\.hpp"),
    "JSON in a public header": ({"include/sinew/import.h": "#include <nlohmann/json.hpp>\n"}, r"nlohmann"),
    "FlatBuffers in a public header": ({"include/sinew/pose.h": "# include <flatbuffers/flatbuffers.h>\n"}, r"flatbuffers"),
    "a generated header in a public one": ({"include/sinew/pose.h": '#include "character_generated.h"\n'}, r"generated"),
    "Draco in the runtime": ({"src/runtime/pose.cc": "#include <draco/core/bounding_box.h>\n"}, r"draco"),
    "meshoptimizer in a public header": ({"include/sinew/write.h": "#include <meshoptimizer.h>\n"}, r"meshoptimizer"),
    "a compiled shader in the runtime": ({"src/runtime/pose.cc": '#include "skin.comp.spv.h"\n'}, r"skin\.comp\.spv\.h"),
    "CLI11 in the library": ({"src/offline/write.cc": "#include <CLI/CLI.hpp>\n"}, r"CLI"),
    "a dependency that nobody listed": ({"src/core/math.cc": "#include <boost/any.hpp>\n"}, r"in no list"),
    "a public header of no target": ({"include/sinew/extra.h": '#include "sinew/math.h"\n'}, r"extra\.h.*no target"),
    "the biped on the importer": ({"tools/biped/biped.cc": '#include "sinew/import.h"\n'}, r"biped\.cc:1"),
    "the library on a program": ({"src/offline/write.cc": '#include "sinew/main.h"\n', "tools/sinew/main.h": "\n"}, r"program"),
    "a sample on a private header": ({"samples/hello.cc": '#include "core/contract.h"\n'}, r"public API"),
}

if __name__ == "__main__":
    gate.main(check, GOOD, BAD)
