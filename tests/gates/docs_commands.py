"""Commands in the pages work: `sinew …` lines of ```sh blocks are run, in order, where `sinew demo` has put its files.

Of other lines the gate checks what they name: scripts, presets and targets that do not exist are faults.
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import tempfile

import gate

FENCE = re.compile(r"^```sh\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)
ASSIGNMENT = re.compile(r"[A-Z_]+=")


def commands(root):
    """(page, line) of all commands; a line that ends in a backslash goes on in the next."""
    for page in gate.files(root, "*.md", "docs/*.md"):
        for block in FENCE.findall(page.read_text(encoding="utf-8")):
            for line in block.replace("\\\n", " ").splitlines():
                if line.strip() and not line.startswith("#"):
                    yield page.relative_to(root).as_posix(), line.strip()


def presets(root):
    content = json.loads((root / "CMakePresets.json").read_text(encoding="utf-8"))
    return {kind: {preset["name"] for preset in content.get(f"{kind}Presets", [])} for kind in ("configure", "build", "test")}


def named_fault(root, words):
    """Fault of a line that is not run, by what it names."""
    known = presets(root)
    program = words[0].removeprefix("./")
    if program.startswith(("scripts/", ".ci/")):
        return None if os.access(root / program, os.X_OK) else f"{program} is no program here"
    if program in ("cmake", "ctest"):
        kind = "test" if program == "ctest" else "build" if "--build" in words else "configure"
        for flag, name in zip(words, words[1:]):
            if flag == "--preset" and name not in known[kind]:
                return f"there is no {kind} preset '{name}'"
        return None
    if program in ("git", "cd", "ccache", "sudo") or program.startswith("build/"):
        return None
    return f"the gate does not know what to do with '{words[0]}'"


def check(root, tool=None):
    tool = pathlib.Path(tool or root / "sinew").resolve()
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PATH": f"{tool.parent}:{os.environ['PATH']}"}
        subprocess.run([tool, "demo", "-o", "out/demo"], cwd=folder, env=environment, capture_output=True, check=True)
        for page, line in commands(root):
            words = shlex.split(line, comments=True)
            while ASSIGNMENT.match(words[0]) and len(words) > 1:
                words = words[1:]  # NAME=value of the command's environment
            if words[0] != "sinew":
                if fault := named_fault(root, words):
                    faults.append(f"{page}: `{line}`: {fault}")
                continue
            # In a shell, as a reader would: pipes and redirections are part of what a page shows.
            result = subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=folder, env=environment, capture_output=True, text=True,
                                    timeout=120, check=False)
            if result.returncode:
                faults.append(f"{page}: `{line}`: exit {result.returncode}: {result.stderr.strip()[:300]}")
    return faults


def check_planted(root):
    for name in ("sinew", "scripts/demo"):
        if (root / name).exists():
            (root / name).chmod(0o755)
    return check(root)


TOOL = "#!/bin/sh\ncase $1 in demo) mkdir -p $3; echo x >$3/biped.glb ;; inspect) test -f $2 || { echo no file >&2; exit 1; } ;; *) exit 2 ;; esac\n"
GOOD = {
    "sinew": TOOL, "scripts/demo": "#!/bin/sh\n",
    "CMakePresets.json": '{"configurePresets": [{"name": "dev"}], "testPresets": [{"name": "dev"}]}',
    "README.md": "```sh\n./scripts/demo\nsinew inspect out/demo/biped.glb  # looks at it\ncmake --preset dev && ctest --preset dev\n"
                 "A=b sinew inspect out/demo/biped.glb\n```\n",
    "docs/page.md": "```sh\nsinew inspect \\\n  out/demo/biped.glb | cat\n```\n```\nsinew unknown\n```\n",
}
BAD = {
    "a verb that is not there": ({"docs/page.md": "```sh\nsinew unknown\n```\n"}, r"docs/page\.md: `sinew unknown`: exit 2"),
    "a verb that is not there, after an assignment": ({"docs/page.md": "```sh\nA=b sinew unknown\n```\n"}, r"`A=b sinew unknown`: exit 2"),
    "a file that is not there": ({"docs/page.md": "```sh\nsinew inspect gone.glb | cat\n```\n"}, r"exit 1: no file"),
    "a script that is not there": ({"docs/page.md": "```sh\n./scripts/gone\n```\n"}, r"scripts/gone is no program"),
    "a preset that is not there": ({"docs/page.md": "```sh\ncmake --preset gone\n```\n"}, r"no configure preset 'gone'"),
    "a program that nobody has": ({"docs/page.md": "```sh\nmake me\n```\n"}, r"does not know what to do with 'make'"),
}

if __name__ == "__main__":
    import sys
    gate.main(check_planted if sys.argv[1:2] == ["witness"] else check, GOOD, BAD)
