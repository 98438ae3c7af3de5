"""``python -m attack``: attack the library with damaged files and faults, and say what failed.

Developers run it by ``make attack``. A failure ends in exit code 1, and the files that caused it are kept.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from attack.registry import ATTACKS, PROFILES
from attack.reports import Budget


def main() -> int:
    parser = argparse.ArgumentParser(prog="make attack", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="ATTACK", help=f"some of {', '.join(ATTACKS)} (default: all)")
    parser.add_argument("--profile", choices=PROFILES, default="long", help="how long in all (default: long, an hour)")
    parser.add_argument("--minutes", type=float, help="how long in all, instead of a profile")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="folder for files that cause failures (default: a temporary one)")
    args = parser.parse_args()
    if unknown := [name for name in args.names if name not in ATTACKS]:
        parser.error(f"expected some of {', '.join(ATTACKS)}, got {', '.join(unknown)}")
    chosen = [ATTACKS[name] for name in args.names or ATTACKS]
    seconds = PROFILES[args.profile] if args.minutes is None else args.minutes * 60
    keep = args.keep or Path(tempfile.mkdtemp(prefix="hoscpool-attack-"))
    failed = 0
    for attack in chosen:
        folder = keep / attack.name
        folder.mkdir(parents=True, exist_ok=True)
        share = attack.share / sum(other.share for other in chosen)
        print(f"{attack.name}: {attack.summary} ({share * seconds / 60:.0f} min)", flush=True)
        report = attack.run(Budget(share * seconds, args.seed, folder))
        for kind, count in sorted(report.tried.items()):
            print(f"  {count:>9,}  {kind}")
        for failure in report.failures:
            print(f"  FAILED: {failure}")
        failed += len(report.failures)
        print(f"  {sum(report.tried.values()):,} trials, {len(report.failures)} failures", flush=True)
    if failed:
        print(f"{failed} failures; files in {keep}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
