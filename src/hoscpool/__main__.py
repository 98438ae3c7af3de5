"""``python -m hoscpool``."""

from hoscpool.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
