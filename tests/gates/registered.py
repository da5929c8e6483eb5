"""Files against tests: every TEST, sample, compile pair and gate in the tree is built and has its row in CTest."""
import json
import re
import subprocess

import gate

TEST = re.compile(r"^(TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P)\(\s*(\w+)\s*,\s*(\w+)\s*\)", re.MULTILINE)


def row_pattern(folder, kind, suite, name):
    """What CTest calls a test: parameterised ones have an instance before the suite and a parameter after the name."""
    if kind == "TEST_P":
        return re.compile(rf"{folder}/(\w+/)?{suite}\.{name}/.+")
    if kind.startswith("TYPED"):
        return re.compile(rf"{folder}/(\w+/)?{suite}(/|<).*\.{name}")
    return re.compile(rf"{folder}/{suite}\.{name}")


def test_file_faults(root, rows, built):
    """Faults of tests/FOLDER/*_test.cc, and the rows that they explain."""
    faults, explained = [], set()
    for path in gate.files(root, "tests/**/*_test.cc"):
        name = path.relative_to(root).as_posix()
        text, folder = path.read_text(encoding="utf-8"), path.parent.name
        if not any(file.endswith("/" + name) for file in built):
            faults.append(f"{name}: is in no program")
        tests = TEST.findall(text)
        if not tests:
            faults.append(f"{name}: has no test")
        if re.search(r"\bDISABLED_\w", text):
            faults.append(f"{name}: has a disabled test")
        for kind, suite, test in tests:
            pattern = row_pattern(folder, kind, suite, test)
            found = {row for row in rows if pattern.fullmatch(row)}
            explained |= found
            allowed = f"GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST({suite})" in text  # of what ../shared may not have
            if not found and not allowed:
                faults.append(f"{name}: {suite}.{test} has no row in CTest")
    return faults, explained


def built_files(commands):
    """What is compiled, also by way of a file that CMake makes to compile several at once (CMAKE_UNITY_BUILD)."""
    files = {command["file"] for command in commands}
    for name in [name for name in files if "/Unity/unity_" in name]:
        with open(name, encoding="utf-8") as unity:
            files |= set(re.findall(r'^#include "([^"]+)"', unity.read(), re.MULTILINE))
    return files


def check(root, build=None):
    """`build`: the build folder. Without one (witness) what CTest and CMake would say is read from the tree."""
    if build:
        listing = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, capture_output=True, text=True, check=True).stdout
        commands = open(f"{build}/compile_commands.json", encoding="utf-8").read()
    else:
        listing, commands = ((root / name).read_text(encoding="utf-8") for name in ("listing.json", "compile_commands.json"))
    tests = json.loads(listing)["tests"]
    rows = [test["name"] for test in tests]
    built = built_files(json.loads(commands))

    faults, explained = test_file_faults(root, rows, built)
    programs = {path.parent.name for path in gate.files(root, "tests/**/*_test.cc")}
    for test in tests:
        name, program = test["name"], (test.get("command") or [""])[0]
        if name.endswith("_NOT_BUILT"):
            faults.append(f"{name}: the program was not built")
        elif re.search(r"/(\w+)_tests$", program) and name.split("/")[0] in programs and name not in explained:
            if "Verification" not in name:  # GoogleTest's own row for a parameterised suite without values
                faults.append(f"{name}: is in CTest, and no file has that test")
    for path in gate.files(root, "samples/*.cc"):
        if f"samples/{path.stem}" not in rows:
            faults.append(f"samples/{path.name}: has no row in CTest")
    for path in gate.files(root, "tests/compile/*.cc"):
        for half in ("good", "bad"):
            if f"compile/{path.stem}/{half}" not in rows:
                faults.append(f"tests/compile/{path.name}: has no row compile/{path.stem}/{half}")
    for path in gate.files(root, "tests/gates/*.py"):
        for half in ("check", "witness"):
            if path.stem != "gate" and f"gates/{path.stem}/{half}" not in rows:
                faults.append(f"tests/gates/{path.name}: has no row gates/{path.stem}/{half}")
    if build and not faults:
        print(f"{len(rows)} rows; {len(explained)} of them are tests of {len(gate.files(root, 'tests/**/*_test.cc'))} files")
    return faults


def listing(*names):
    return json.dumps({"tests": [{"name": name, "command": ["/b/tests/unit_tests"]} for name in names]})


ROWS = ["unit/Maths.Adds", "unit/All/Files.Load/Fox.glb", "samples/hello", "compile/input/good", "compile/input/bad",
        "gates/links/check", "gates/links/witness"]
GOOD = {
    "tests/unit/maths_test.cc": "TEST(Maths, Adds) {\n}\nTEST_P(Files, Load) {}\n",
    "samples/hello.cc": "", "tests/compile/input.cc": "", "tests/gates/links.py": "", "tests/gates/gate.py": "",
    "listing.json": listing(*ROWS),
    "compile_commands.json": json.dumps([{"file": "/p/tests/unit/maths_test.cc"}]),
}


def without(*rows):
    return {"listing.json": listing(*(row for row in ROWS if row not in rows))}


BAD = {
    "a file in no program": ({"compile_commands.json": "[]"}, r"maths_test\.cc: is in no program"),
    "a test without a row": (without("unit/Maths.Adds"), r"Maths\.Adds has no row"),
    "a parameterised test without an instance": (without("unit/All/Files.Load/Fox.glb"), r"Files\.Load has no row"),
    "a disabled test": ({"tests/unit/maths_test.cc": GOOD["tests/unit/maths_test.cc"] + "TEST(Maths, DISABLED_Too) {}\n"}, r"disabled"),
    "a file without tests": ({"tests/unit/maths_test.cc": "\n"}, r"has no test"),
    "a row that no file explains": ({"listing.json": listing(*ROWS, "unit/Maths.Gone")}, r"Maths\.Gone: is in CTest"),
    "a program that was not built": ({"listing.json": listing(*ROWS, "unit_tests_NOT_BUILT")}, r"not built"),
    "a sample that is not run": (without("samples/hello"), r"samples/hello\.cc"),
    "half a compile pair": (without("compile/input/bad"), r"no row compile/input/bad"),
    "a gate without its witness": (without("gates/links/witness"), r"no row gates/links/witness"),
}

if __name__ == "__main__":
    gate.main(check, GOOD, BAD)
