#!/usr/bin/env python3
"""Counts what CTest wrote and says which tests failed and which were skipped, and why.

usage: count_tests.py FILE.xml...            the last line printed is `N passed, N failed, N skipped`; exit 1 on a failure
       count_tests.py --record FILE.xml NAME FAILED   writes the result (0 or 1) of something that CTest did not run
"""
import collections
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree


def outcome(case):
    """passed, failed or skipped. GoogleTest's skips come as CTest skips; a program that was not built is a failure."""
    skipped = case.find("skipped")
    if skipped is not None:
        missing = (skipped.get("message") or "").startswith(("Unable to find", "Missing"))
        return "failed" if missing else "skipped"
    return "passed" if case.get("status") == "run" and case.find("failure") is None else "failed"


def reason(case):
    """The sentence that the test gave for its skip: GoogleTest's message, or the first line that says `skipped: …`."""
    output = case.findtext("system-out") or ""
    given = case.find("skipped").get("message") or ""
    if "\n" in given.strip():  # GoogleTest's own file: place, then sentence
        return given.strip().splitlines()[1]
    match = re.search(r"^skipped: (.+)$", output, re.MULTILINE) or re.search(r": Skipped\n+(.+)$", output, re.MULTILINE)
    return match.group(1).strip() if match else "no reason given"


def record(path, name, failed):
    root = ElementTree.Element("testsuite", name=name, tests="1")
    case = ElementTree.SubElement(root, "testcase", name=name, status="fail" if failed else "run")
    if failed:
        ElementTree.SubElement(case, "failure", message="exit status")
    ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def main(arguments):
    if arguments[:1] == ["--record"]:
        return record(arguments[1], arguments[2], arguments[3] != "0")
    counts, failures, skips = collections.Counter(), [], collections.defaultdict(list)
    for path in map(pathlib.Path, arguments):
        if not path.exists():
            failures.append(f"{path}: was not written: ctest itself failed")
            counts["failed"] += 1
            continue
        for case in ElementTree.parse(path).iter("testcase"):
            kind = outcome(case)
            counts[kind] += 1
            suite = f"{case.get('classname')}." if path.name != "tests.xml" and case.get("classname") else ""  # GoogleTest's own
            label = f"{path.parent.name}: {suite}{case.get('name')}"
            if kind == "failed":
                failures.append(label)
            elif kind == "skipped":
                skips[reason(case)].append(label)
    for why, names in sorted(skips.items()):
        print(f"skipped {len(names)}: {why}")
        for name in names[:5]:
            print(f"  {name}")
        if len(names) > 5:
            print(f"  and {len(names) - 5} more")
    for name in failures:
        print(f"FAILED {name}")
    if not sum(counts.values()):
        print("no test ran")
        counts["failed"] += 1
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
