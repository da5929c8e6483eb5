"""table.py FOLDER: prints the rows that the agreement tests have left there as one table."""
import pathlib
import sys

rows = sorted(path.read_text(encoding="utf-8").rstrip() for path in pathlib.Path(sys.argv[1]).glob("*.txt"))
print("maximum differences from the oracle in double precision")
print(f"{'':30} runs  vertices  positions   normals  tangents     limits     witnesses")
print("\n".join(rows))
sys.exit(0 if rows else "no test has left a row")
