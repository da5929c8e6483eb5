"""msl_unit.py FOLDER OUTPUT NAME…: a C++ source that holds the MSL shaders of those names, each in a namespace, and calls
them by name. Which buffer a parameter is, is read from its [[buffer(N)]], so that wrong numbers show."""
import pathlib
import re
import sys

PARAMETER = re.compile(r"(\w+)&? (\w+) \[\[(\w+)(?:\((\d+)\))?\]\]")
BUILTIN = {"thread_position_in_grid": "MslThread{call}", "instance_id": "call.instance", "vertex_id": "call.vertex"}


def argument(space, kind, attribute, number):
    if attribute == "buffer":
        return f"*static_cast<{space}::{kind}*>(call.buffers[{number}])"
    return f"stage_in<{space}::{kind}>(call)" if attribute == "stage_in" else BUILTIN[attribute]


def main(folder, output, *names):
    text = ['#include "msl.h"\n', "#include <metal_stdlib>\n", "#include <simd/simd.h>\n", '#include "msl_call.h"\n']
    calls = []
    for name in names:
        path = pathlib.Path(folder, f"{name}.metal")
        head = re.search(r"^(?:kernel void|vertex \w+) (\w+)\((.*)\)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        space = f"msl_{name}"
        text.append(f"namespace {space} {{\n#include \"{path}\"\n}}\n")
        arguments = ", ".join(argument(space, kind, attribute, number)
                              for kind, _, attribute, number in PARAMETER.findall(head.group(2)))
        call = f"{space}::{head.group(1)}({arguments})"
        body = call if "_compute_" in name else f"stage_out({call}, call)"
        calls.append(f'    {{"{name}", [](MslCall& call) {{ {body}; }}}},\n')
    text += [f"#undef {word}\n" for word in ("kernel", "vertex", "device", "constant", "thread")]
    text += ["namespace sinew::test {\nconst std::map<std::string, void (*)(MslCall&)>& msl_shaders() {\n",
             "  static const std::map<std::string, void (*)(MslCall&)> all = {\n", *calls, "  };\n  return all;\n}\n}\n"]
    pathlib.Path(output).write_text("".join(text), encoding="utf-8")


main(*sys.argv[1:])
