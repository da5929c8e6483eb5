"""Headers stay under 150 lines, sources and scripts under 500."""
import gate

LIMITS = [(("include/**/*.h",), 150), (("src/**/*.*", "tools/**/*.*", "samples/*.*", "tests/**/*.h", "tests/**/*.cc", "tests/**/*.py",
                                        "bench/*.*", "scripts/*", "cmake/*"), 500)]


def check(root):
    faults, seen = [], set()
    for patterns, limit in LIMITS:
        for path in gate.files(root, *patterns):
            name = path.relative_to(root).as_posix()
            if name in seen:
                continue
            seen.add(name)
            lines = len(path.read_text(encoding="utf-8").splitlines())
            if lines >= limit:
                faults.append(f"{name}: {lines} lines; it must be under {limit}")
    return faults


GOOD = {"include/sinew/a.h": "//\n" * 149, "src/core/a.cc": "//\n" * 499,
        "tests/unit/a_test.cc": "//\n" * 499, "build/x/src/long.cc": "//\n" * 900}
BAD = {
    "a header of 150 lines": ({"include/sinew/a.h": "//\n" * 150}, r"a\.h: 150 lines"),
    "a source of 500 lines": ({"src/core/a.cc": "//\n" * 500}, r"src/core/a\.cc: 500 lines"),
    "a test of 500 lines": ({"tests/unit/a_test.cc": "//\n" * 500}, r"a_test\.cc: 500 lines"),
}

if __name__ == "__main__":
    gate.main(check, GOOD, BAD)
