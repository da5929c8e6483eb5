"""What the gates share. A gate is a function `check(root)` that returns one sentence a fault, with the file's name.

`main` runs it on the project (`GATE.py check ROOT`), or proves it (`GATE.py witness FOLDER`): a small tree that must
pass, then that tree with one planted fault after another, each of which must be found and named.
"""
import os
import pathlib
import re
import shutil
import sys

SKIP = 77  # CTest's SKIP_RETURN_CODE of all rows here


NOT_OURS = {"build", "out", "node_modules", ".git"}


def expression(pattern):
    """The regular expression of a glob: `**/` is any folders or none, `*` anything but a slash."""
    parts = re.split(r"(\*\*/|\*)", pattern)
    return "".join({"**/": "(?:.*/)?", "*": "[^/]*"}.get(part, re.escape(part)) for part in parts)


def files(root, *patterns):
    """Files below the project's own folders that match a glob, sorted. Build folders are not even entered: other tests
    make and remove files there meanwhile."""
    wanted = re.compile("|".join(expression(pattern) for pattern in patterns))
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in NOT_OURS]
        found += [path for path in (pathlib.Path(folder, name) for name in names) if wanted.fullmatch(path.relative_to(root).as_posix())]
    return sorted(found)


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIP)


def plant(folder, tree):
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in tree.items():
        if text is not None:
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def prove(check, good, bad, folder):
    """`bad`: {name: (changes to the good tree (None: the file is absent), a regular expression that a fault must match)}."""
    failures = 0
    plant(folder, good)
    for fault in check(pathlib.Path(folder)):
        print(f"the good tree was refused: {fault}")
        failures += 1
    for name, (changes, expected) in bad.items():
        plant(folder, {**good, **changes})
        faults = check(pathlib.Path(folder))
        caught = any(re.search(expected, fault) for fault in faults)
        print(f"{'caught' if caught else 'MISSED'}: {name}{''.join('; ' + fault for fault in faults)}")
        failures += not caught
    print(f"{len(bad)} planted faults, {failures} failures")
    return failures


def main(check, good, bad):
    """`GATE.py check ROOT [MORE…]` gives `check` what follows ROOT; in a witness run `check` gets the folder alone."""
    if len(sys.argv) < 3 or sys.argv[1] not in ("check", "witness"):
        sys.exit(f"usage: {sys.argv[0]} check ROOT [MORE...] | witness FOLDER")
    if sys.argv[1] == "witness":
        sys.exit(1 if prove(check, good, bad, sys.argv[2]) else 0)
    faults = check(pathlib.Path(sys.argv[2]), *sys.argv[3:])
    print("\n".join(faults) if faults else "no faults")
    sys.exit(1 if faults else 0)
