"""Each public header has a unit test and a first line that names the field's terms; each stage has its source file."""
import re

import gate

# Terms that a newcomer may search the headers for; each must be in some header's first line (docs/glossary.md).
TERMS = ["skinning matri", "joint matri", "inverse bind matri", "bone", "global", "world", "model-space", "local transform", "LBS",
         "skeletal subspace deformation", "influence", "cross-fade", "animation", "channels and samplers", "morph target",
         "blend shape", "keyframe", "quaternion", "slerp", "glTF", "GLB", "rest pose", ".sinew"]
# sinew.h only includes the others; samples/hello.cc is compiled with it alone.
EXEMPT = {"vulkan.h": "tests/gpu/vulkan_test.cc", "sinew.h": "samples/hello.cc"}


def first_line_fault(name, lines):
    first, second = (lines + ["", ""])[:2]
    if not re.fullmatch(r"// [^:]+: .{20,}", first):
        return f"{name}:1: does not begin with `// Name: what it is, in the field's terms`"
    if second != "#pragma once":
        return f"{name}:2: is not `#pragma once`"
    return None


def check(root):
    faults, first_lines = [], ""
    headers = gate.files(root, "include/sinew/*.h")
    sources = {path.name for path in gate.files(root, "src/*/*.cc")}
    for path in headers:
        name, lines = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8").splitlines()
        first_lines += (lines or [""])[0] + "\n"
        if fault := first_line_fault(name, lines):
            faults.append(fault)
        test = EXEMPT.get(path.name, f"tests/unit/{path.stem}_test.cc")
        text = (root / test).read_text(encoding="utf-8") if (root / test).is_file() else ""
        if f'"sinew/{path.name}"' not in text and f"<sinew/{path.name}>" not in text:
            faults.append(f"{name}: {test} is missing or does not include it")
        jobs = re.findall(r"^struct (\w+)Job\b", "\n".join(lines), re.MULTILINE)
        for job in jobs:
            if job.lower() != path.stem.replace("_", ""):
                faults.append(f"{name}: holds {job}Job, which belongs in {job.lower()}.h")
        if jobs and f"{path.stem}.cc" not in sources:
            faults.append(f"{name}: has a job, and there is no {path.stem}.cc in src")
    for term in TERMS:
        if term.lower() not in first_lines.lower():
            faults.append(f"include/sinew: no header's first line names '{term}'")
    return faults


def header(line, body=""):
    return f"// {line}\n#pragma once\n{body}"


GOOD = {
    "include/sinew/skin.h": header("Skinning: " + ", ".join(TERMS) + ".", "struct SkinJob {};\n"),
    "include/sinew/sinew.h": header("sinew: everything of the runtime at once."),
    "src/runtime/skin.cc": "\n",
    "tests/unit/skin_test.cc": '#include "sinew/skin.h"\n',
    "samples/hello.cc": "#include <sinew/sinew.h>\n",
}
BAD = {
    "a header without a test": ({"tests/unit/skin_test.cc": None}, r"skin\.h: tests/unit/skin_test\.cc is missing"),
    "a test of another header": ({"tests/unit/skin_test.cc": '#include "sinew/pose.h"\n'}, r"does not include it"),
    "sinew.h without its sample": ({"samples/hello.cc": None}, r"samples/hello\.cc is missing"),
    "a stage without a source": ({"src/runtime/skin.cc": None}, r"no skin\.cc"),
    "a job in another stage's header": ({"include/sinew/skin.h": header("Skinning: " + ", ".join(TERMS), "struct ModelJob {};\n")},
                                        r"ModelJob, which belongs in model\.h"),
    "a header that begins with code": ({"include/sinew/sinew.h": "#pragma once\n"}, r"sinew\.h:1"),
    "a first line that says nothing": ({"include/sinew/sinew.h": "// sinew: all.\n#pragma once\n"}, r"sinew\.h:1"),
    "no include guard": ({"include/sinew/sinew.h": "// sinew: everything of the runtime at once.\n"}, r"sinew\.h:2"),
    "a term that no header names": ({"include/sinew/skin.h": header("Skinning: " + ", ".join(TERMS[1:]), "struct SkinJob {};\n")},
                                    r"'skinning matri'"),
}

if __name__ == "__main__":
    gate.main(check, GOOD, BAD)
