"""scripts/count_tests.py, which decides whether scripts/test passes, counts right and fails where it must."""
import pathlib
import subprocess
import sys

import gate

PASSED = '<testcase name="unit/A.B" status="run"/>'
FAILED = '<testcase name="unit/A.C" status="fail"><failure message=""/></testcase>'
SKIPPED = '<testcase name="golden/A.D" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>' \
          "<system-out>x.cc:1: Skipped\nno ../shared\n\n[  SKIPPED ]</system-out></testcase>"
MISSING = '<testcase name="x_NOT_BUILT" status="notrun"><skipped message="Unable to find executable"/></testcase>'
# What a file holds (None: it was not written) -> the last line, the exit status, and what else must be said.
CASES = [
    ([PASSED], "1 passed, 0 failed, 0 skipped", 0, ""),
    ([PASSED, FAILED], "1 passed, 1 failed, 0 skipped", 1, "FAILED run: unit/A.C"),
    ([PASSED, SKIPPED, SKIPPED], "1 passed, 0 failed, 2 skipped", 0, "skipped 2: no ../shared"),
    ([PASSED, MISSING], "1 passed, 1 failed, 0 skipped", 1, "x_NOT_BUILT"),
    ([], "0 passed, 1 failed, 0 skipped", 1, "no test ran"),
    (None, "0 passed, 1 failed, 0 skipped", 1, "was not written"),
]


def check(root, folder=None):
    """`folder`: where the planted results go; below the tree without one (witness)."""
    faults = []
    file = pathlib.Path(folder or root, "counting", "run", "tests.xml")
    file.parent.mkdir(parents=True, exist_ok=True)
    for cases, last, status, said in CASES:
        file.unlink(missing_ok=True)
        if cases is not None:
            file.write_text(f'<testsuite name="x">{"".join(cases)}</testsuite>', encoding="utf-8")
        result = subprocess.run([sys.executable, "-B", root / "scripts/count_tests.py", file], capture_output=True, text=True, check=False)
        lines = result.stdout.splitlines() or [result.stderr]
        if lines[-1] != last or result.returncode != status or said not in result.stdout:
            faults.append(f"scripts/count_tests.py: wanted '{last}', exit {status}, '{said}'; got '{lines[-1]}', exit {result.returncode}")
    return faults


SCRIPT = (pathlib.Path(__file__).resolve().parents[2] / "scripts" / "count_tests.py").read_text(encoding="utf-8")
GOOD = {"scripts/count_tests.py": SCRIPT}


def changed(old, new):
    assert old in SCRIPT, f"the witness does not fit scripts/count_tests.py any more: {old}"
    return {"scripts/count_tests.py": SCRIPT.replace(old, new)}


BAD = {
    "skips counted as passes": (changed('else "skipped"', 'else "passed"'), r"2 skipped"),
    "a program that was not built counted as a skip": (changed('"failed" if missing else', '"skipped" if missing else'), r"NOT_BUILT"),
    "success in spite of a failure": (changed("return 1 if counts", "return 0 if counts"), r"1 failed.* exit 1"),
    "success without a test": (changed('counts["failed"] += 1\n    print', "pass\n    print"), r"no test ran"),
}

if __name__ == "__main__":
    gate.main(check, GOOD, BAD)
