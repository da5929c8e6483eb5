"""Every header of other people's that the tree includes comes with a package of scripts/packages.txt or its dependencies."""
import functools
import re
import shutil
import subprocess

import gate
from layers import INCLUDE, STANDARD, GENERATED, SHADER, resolve

FOLDERS = ("include", "src", "tools", "samples", "tests", "bench")


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def owners(headers):
    """{header: package that holds /usr/include/HEADER}, in one call: dpkg reads all its lists each time."""
    if not headers:
        return {}
    lines = run("dpkg-query", "-S", *(f"/usr/include/{header}" for header in headers)).splitlines()
    pairs = (line.rsplit(": ", 1) for line in lines if ": /usr/include/" in line)
    return {path.removeprefix("/usr/include/"): re.split(r"[:,]", package)[0] for package, path in pairs}


@functools.cache
def depends(package):
    """Direct dependencies of an installed package."""
    fields = run("dpkg-query", "-W", "-f", "${Pre-Depends},${Depends}", package)
    return frozenset(re.split(r"[ :(]", part.strip())[0] for part in re.split(r"[,|]", fields) if part.strip())


def closure(packages, depends_of):
    """The packages and all that they bring."""
    reached, open_ = set(), list(packages)
    while open_:
        package = open_.pop()
        if package not in reached:
            reached.add(package)
            open_ += depends_of(package)
    return reached


def external_headers(root):
    """Header -> first file that includes it, of headers that neither the project nor the standard library has."""
    found = {}
    for path in gate.files(root, *(f"{folder}/**/*.{ext}" for folder in FOLDERS for ext in ("h", "cc"))):
        name = path.relative_to(root).as_posix()
        for line in path.read_text(encoding="utf-8").splitlines():
            match = INCLUDE.match(line)
            header = match.group(2) if match else "cstddef"
            if GENERATED.match(header):  # flatc's output includes this one
                header = "flatbuffers/flatbuffers.h"
            if not STANDARD.match(header) and not SHADER.match(header) and not resolve(root, name, header):
                found.setdefault(header, name)
    return found


def check(root, owners_of=owners, depends_of=depends):
    listed = [line.split("#")[0].strip() for line in (root / "scripts/packages.txt").read_text(encoding="utf-8").splitlines()]
    listed = [package for package in listed if package]
    reached, faults, used = closure(listed, depends_of), [], set()
    headers = external_headers(root)
    package_of = owners_of(list(headers))
    for header, name in headers.items():
        package = package_of.get(header)
        used.add(package)
        if not package:
            faults.append(f"{name}: <{header}> is in no package that is installed here")
        elif package not in reached:
            faults.append(f"{name}: <{header}> is of {package}, which scripts/packages.txt does not bring")
    for package in listed:
        if package.startswith("lib") and package.endswith("-dev") and not used & closure([package], depends_of):
            faults.append(f"scripts/packages.txt: {package}: nothing includes a header of it")
    return faults


GOOD = {
    "scripts/packages.txt": "# needed\ncmake # builds\nlibglm-dev # maths\nliball-dev # brings libpart-dev\n",
    "src/core/a.cc": '#include <vector>\n#include <glm/vec3.hpp>\n#include "b.h"\n#include <part.hpp>\n',
    "src/core/b.h": "#include <stdint.h>\n",
}
OWNERS = {"glm/vec3.hpp": "libglm-dev", "part.hpp": "libpart-dev", "other/x.h": "libother-dev"}
BAD = {
    "a header of a package that is not listed": ({"tests/x.cc": "#include <other/x.h>\n"}, r"tests/x\.cc: <other/x\.h> is of libother-dev"),
    "a header of no package": ({"tests/x.cc": "#include <unknown/x.h>\n"}, r"<unknown/x\.h> is in no package"),
    "a package that nothing uses": ({"scripts/packages.txt": GOOD["scripts/packages.txt"] + "libother-dev\n"}, r"libother-dev: nothing"),
}


def check_planted(root):
    return check(root, lambda headers: OWNERS, lambda package: {"liball-dev": {"libpart-dev"}}.get(package, set()))


if __name__ == "__main__":
    import sys
    witness = sys.argv[1:2] == ["witness"]
    if not witness and not shutil.which("dpkg-query"):
        gate.skip("no dpkg-query: not a Debian system")
    gate.main(check_planted if witness else check, GOOD, BAD)
