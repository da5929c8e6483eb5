#!/usr/bin/env python3
"""One half of a pair: `compile_half.py good|bad FILE COMPILER FLAG...`. The bad half is FILE with SHOULD_NOT_COMPILE defined;
it passes when the compiler refuses it and says what one of FILE's lines `// expect: REGEX` expects."""
import os
import re
import subprocess
import sys

half, source, *command = sys.argv[1:]
if half == "bad":
    command.append("-DSHOULD_NOT_COMPILE")
result = subprocess.run([*command, "-fsyntax-only", source], capture_output=True, text=True, check=False,
                        env={**os.environ, "LC_ALL": "C"})  # messages in English, without colour
if half == "good":
    print(result.stderr, end="")
    sys.exit(result.returncode)
with open(source, encoding="utf-8") as text:
    expected = re.findall(r"^// expect: (.+)$", text.read(), re.MULTILINE)
refused = [line for line in result.stderr.splitlines() if " error: " in line]
print("\n".join(refused) or "the compiler accepted it")
if result.returncode == 0 or not any(re.search(e, line) for e in expected for line in refused):
    sys.exit(f"expected an error like: {' or '.join(expected)}")
