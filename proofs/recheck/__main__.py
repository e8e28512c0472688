"""The command: `python3 proofs/recheck proofs/`."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)
    from recheck.command import main

    sys.exit(main(sys.argv[1:]))
