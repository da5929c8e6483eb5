"""C++ in the pages is built and run: each ```cpp block becomes a program with a row docs/PAGE_N, and README's hello is the sample.

A block without `main` is a fragment: it is put into a `main` after docs_prelude.h, which opens the built-in character.
`docs_code.py extract ROOT FOLDER` writes the programs; CMake calls it.
"""
import json
import pathlib
import re
import subprocess
import sys

import gate

FENCE = re.compile(r"^```(\S*)[^\n]*\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)
PAGES = ("*.md", "docs/*.md")
FRAGMENT = '#include "docs_prelude.h"\n{includes}\nint main() {{\n  SINEW_DOCS_PRELUDE\n{body}  return 0;\n}}\n'


def programs(root):
    """{name: source} of all C++ blocks; a block's name is its page and its place among the page's blocks."""
    found = {}
    for page in gate.files(root, *PAGES):
        blocks = [code for language, code in FENCE.findall(page.read_text(encoding="utf-8")) if language == "cpp"]
        for number, code in enumerate(blocks, 1):
            if "int main(" not in code:
                includes = "".join(re.findall(r"^#include .*\n", code, re.MULTILINE))
                code = FRAGMENT.format(includes=includes, body=re.sub(r"^#include .*\n", "", code, flags=re.MULTILINE))
            found[f"{page.stem}_{number}"] = code
    return found


def extract(root, folder):
    """Writes what differs only, so that nothing is built again without need."""
    folder.mkdir(parents=True, exist_ok=True)
    sources = programs(root)
    for name, code in sources.items():
        path = folder / f"{name}.cc"
        if not path.exists() or path.read_text(encoding="utf-8") != code:
            path.write_text(code, encoding="utf-8")
    for path in folder.glob("*.cc"):
        if path.stem not in sources:
            path.unlink()


def check(root, build=None):
    """Without a build folder (witness) the rows are read from the tree, and the compiler looks at the programs here."""
    faults = []
    if build:
        listing = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, capture_output=True, text=True, check=True).stdout
    else:
        listing = (root / "listing.json").read_text(encoding="utf-8")
    rows = {test["name"] for test in json.loads(listing)["tests"]}
    for name, code in programs(root).items():
        if f"docs/{name}" not in rows:
            faults.append(f"{name}: the block has no row docs/{name}")
        if not build:
            result = subprocess.run(["c++", "-std=c++20", "-fsyntax-only", "-x", "c++", "-"], input=code, capture_output=True,
                                    text=True, check=False)
            faults += [f"{name}: {line}" for line in result.stderr.splitlines() if " error: " in line]
    for page in gate.files(root, *PAGES):
        for language, code in FENCE.findall(page.read_text(encoding="utf-8")):
            if language not in ("cpp", "cmake") and re.search(r"^#include|^int main|\bsinew::", code, re.MULTILINE):
                faults.append(f"{page.name}: a block of '{language or 'no language'}' looks like C++: mark it cpp, so that it is built")
    hello = root / "samples/hello.cc"
    wanted = hello.read_text(encoding="utf-8").strip() if hello.is_file() else None
    blocks = [code.strip() for language, code in FENCE.findall((root / "README.md").read_text(encoding="utf-8")) if language == "cpp"]
    if wanted not in blocks:
        faults.append("README.md: no block is samples/hello.cc, word for word")
    return faults


HELLO = "#include <cstdio>\nint main() { std::puts(\"hello\"); }\n"
GOOD = {
    "README.md": f"# x\n```cpp\n{HELLO}```\n```sh\nls\n```\n",
    "samples/hello.cc": HELLO,
    "listing.json": json.dumps({"tests": [{"name": "docs/README_1"}, {"name": "docs/page_1"}]}),
    "docs/page.md": "# p\n",
}
BAD = {
    "code that does not compile": ({"docs/page.md": "```cpp\nint main() { return missing; }\n```\n"}, r"page_1: .*'?missing'?"),
    "a block without a row": ({"docs/other.md": "```cpp\nint main() {}\n```\n"}, r"other_1: the block has no row"),
    "hello that differs from the sample": ({"samples/hello.cc": HELLO.replace("hello", "hallo")}, r"samples/hello\.cc"),
    "C++ that is not marked": ({"docs/page.md": "```\n#include <vector>\n```\n"}, r"page\.md: a block of 'no language'"),
}

if __name__ == "__main__":
    if sys.argv[1:2] == ["extract"]:
        extract(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
    else:
        gate.main(check, GOOD, BAD)
