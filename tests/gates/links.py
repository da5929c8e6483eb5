"""Links in the pages resolve: files, folders and headings. Addresses on the web are only required to be https."""
import re
import urllib.parse

import gate

LINK = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^()\s]+(?:\([^()]*\))?)(?:\s+\"[^\"]*\")?\)")
REFERENCE = re.compile(r"^\[[^\]]+\]:\s+(\S+)", re.MULTILINE)
# A path in back quotes that names a file of the project: `docs/design.md`, `src/core/math.cc`, `scripts/test`.
QUOTED = re.compile(r"`((?:docs|src|include|tests|tools|samples|scripts|schema|cmake|bench)/[\w./-]*\w)`")
FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", re.MULTILINE | re.DOTALL)


def anchors(text):
    """Names that a page's headings can be linked by, as the usual renderers make them."""
    names = set()
    for title in re.findall(r"^#{1,6}\s+(.+?)\s*#*$", FENCE.sub("", text), re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()).replace(" ", "-")
        names.add(slug)
    return names


def target_fault(root, page, target):
    if re.match(r"[a-z]+:", target):
        return None if target.startswith("https://") else f"'{target}' is not https"
    name, _, anchor = target.partition("#")
    path = (page.parent / urllib.parse.unquote(name)).resolve() if name else page.resolve()
    if not path.is_relative_to(root.resolve()):
        return f"'{target}' points outside the project"
    if not path.exists():
        return f"'{target}' does not exist"
    if anchor and (path.suffix != ".md" or anchor not in anchors(path.read_text(encoding="utf-8"))):
        return f"'{target}': no such heading"
    return None


def check(root):
    faults = []
    for page in gate.files(root, "*.md", "**/*.md"):
        name, text = page.relative_to(root).as_posix(), page.read_text(encoding="utf-8")
        prose = FENCE.sub("", text)
        for target in LINK.findall(re.sub(r"`[^`\n]*`", "", prose)) + REFERENCE.findall(prose):
            if fault := target_fault(root, page, target):
                faults.append(f"{name}: {fault}")
        for path in QUOTED.findall(prose):
            if "STAGE" not in path and not (root / path).exists():  # STAGE stands for any
                faults.append(f"{name}: `{path}` does not exist")
    return faults


GOOD = {
    "README.md": "# Top\n\n[design](docs/design.md#who-may) [below](#a-part) ![p](docs/a%20b.png) [web](https://example.org/x)\n## A part\n"
                 "`docs/design.md` `docs/` `[not](a_link.md)`\n```\n[no](link.md)\n```\n",
    "docs/design.md": "# Design\n## Who may\n[back](../README.md \"title\")\n",
    "docs/a b.png": "",
}
BAD = {
    "a page that is not there": ({"docs/design.md": "[x](gone.md)\n## Who may\n"}, r"docs/design\.md: 'gone\.md' does not exist"),
    "a heading that is not there": ({"docs/design.md": "# Design\n"}, r"README\.md: 'docs/design\.md#who-may': no such heading"),
    "a picture that is not there": ({"docs/a b.png": None}, r"README\.md: 'docs/a%20b\.png'"),
    "a place outside the project": ({"docs/design.md": "[x](../../other.md)\n## Who may\n"}, r"outside"),
    "plain http": ({"docs/design.md": "[x](http://example.org)\n## Who may\n"}, r"not https"),
    "a quoted file that is not there": ({"docs/design.md": "see `src/core/gone.cc`\n## Who may\n"}, r"`src/core/gone\.cc`"),
}

if __name__ == "__main__":
    gate.main(check, GOOD, BAD)
