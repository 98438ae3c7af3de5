"""A process that attacks one format until its time is over: ``python -m attack.worker FORMAT FOLDER SECONDS SEED``.

With atheris, code coverage says which damaged cases are worth changing further. Without it, new outcomes do. A failure
is one line of JSON on the standard output; its case is kept in the folder. The case under trial is in ``FOLDER/now``,
so that the case of a process that dies is known.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import random
import re
import resource
import shutil
import signal
import sys
import time
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

INSTRUMENTED = ("hoscpool.graph", "hoscpool.datasets.attributed_graphs", "hoscpool.datasets.attributed_graphs",
                "hoscpool.experiments.running.store", "hoscpool.report.folder")  # fmt: skip
MAX_CORPUS = 4000
MAX_SIZE = 1 << 18
SEALED = 0.9
"""This part of the damaged models get their checksums again."""


def find_atheris() -> ModuleType | None:
    """The module, or ``None`` where it is not installed."""
    try:
        return importlib.import_module("atheris")
    except ImportError:
        return None


class Worker:
    """Attacks one format, and tells what it found."""

    def __init__(self, name: str, folder: Path, seed: int) -> None:
        from attack.formats import FORMATS
        from attack.mutations import pack

        self.name, self.form, self.folder, self.rng = name, FORMATS[name], folder, random.Random(seed)
        self.now = folder / "now"
        self.corpus = [pack(case) for case in self.form.seeds()]
        self.known: set[str] = set()
        self.tried = 0

    def change(self, data: bytes, max_size: int = MAX_SIZE, _seed: int = 0) -> bytes:
        """Another case near this one."""
        from attack.mutations import mutate, pack, unpack

        with contextlib.suppress(Exception):
            case = mutate(unpack(data), self.rng)
            packed = pack(self.form.seal(case) if self.rng.random() < SEALED else case)
            if len(packed) <= max_size:
                return packed
        return self.rng.choice(self.corpus)[:max_size]

    def attempt(self, data: bytes) -> str:
        """One trial. Returns its outcome."""
        from attack.mutations import unpack
        from attack.trial import SECONDS, judge, write_case

        try:
            case = unpack(data)
        except Exception:
            return "no case"
        shutil.rmtree(self.now, ignore_errors=True)
        self.now.mkdir()
        write_case(case, self.now)
        signal.alarm(SECONDS)
        outcome, wrong = judge(self.form, self.now)
        signal.alarm(0)
        self.tried += 1
        if self.tried % 50 == 0:
            (self.folder / "tried").write_text(str(self.tried))
        if wrong is not None and (kind := _kind(wrong)) not in self.known:
            self.known.add(kind)
            kept = self.folder / sha256(data).hexdigest()[:12]
            shutil.copytree(self.now, kept, dirs_exist_ok=True)
            print(json.dumps({"wrong": wrong, "kind": kind, "case": str(kept)}), flush=True)
        return outcome

    def run(self, seconds: float) -> None:
        """Attack without coverage: cases with a new outcome join the corpus."""
        end, outcomes = time.monotonic() + seconds, set()
        while time.monotonic() < end:
            data = self.change(self.rng.choice(self.corpus))
            outcome = self.attempt(data)
            if outcome not in outcomes and len(self.corpus) < MAX_CORPUS:
                outcomes.add(outcome)
                self.corpus.append(data)

    def run_guided(self, atheris: Any, seconds: float) -> None:
        """Attack with coverage. libFuzzer ends the process."""
        store = self.folder / "corpus"
        store.mkdir(exist_ok=True)
        for number, data in enumerate(self.corpus):
            (store / f"seed-{number}").write_bytes(data)
        options = [
            f"-max_total_time={int(seconds)}",
            "-rss_limit_mb=0",
            f"-max_len={MAX_SIZE}",
            "-verbosity=0",
            f"-artifact_prefix={self.folder}/",
            f"-seed={self.rng.randrange(1, 2**31)}",
            "-len_control=0",
        ]
        atheris.Setup([sys.argv[0], *options, str(store)], self.attempt, custom_mutator=self.change)
        atheris.Fuzz()


def _kind(wrong: str) -> str:
    """A failure without its numbers and names: two alike are told once."""
    place = re.findall(r"\((\w+ at [\w.]+:\d+)\)$", wrong)
    return (wrong.split(":")[0] + place[0]) if place else re.sub(r"\d+|'[^']*'", "*", wrong)[:120]


def limit_memory(extra: int) -> None:
    """Let the process take so much memory more than now."""
    with Path("/proc/self/statm").open() as file:
        size = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (size + extra, resource.RLIM_INFINITY))


def _instrument(atheris: Any) -> None:
    """Import the readers so that they tell which of their branches were taken. Compiled kernels would not bear it."""
    with atheris.instrument_imports(include=["hoscpool"], enable_loader_override=False):
        for module in INSTRUMENTED:
            importlib.import_module(module)
    from networkx.readwrite import gml, graphml

    gml.parse_gml_lines = atheris.instrument_func(gml.parse_gml_lines)
    for name, method in list(vars(graphml.GraphMLReader).items()):
        if callable(method):
            setattr(graphml.GraphMLReader, name, atheris.instrument_func(method))


def main(name: str, folder: str, seconds: str, seed: str) -> None:
    atheris = find_atheris()
    if atheris is not None:
        _instrument(atheris)
    from attack.trial import MEMORY

    worker = Worker(name, Path(folder), int(seed))
    for data in worker.corpus:
        if worker.attempt(data) != "read":
            print(json.dumps({"wrong": "a valid file is refused", "kind": "seed", "case": name}), flush=True)
    limit_memory(MEMORY)
    if atheris is None or worker.form.seal is not dict:  # a model is built by code that bears no instruments
        worker.run(float(seconds))
    else:
        worker.run_guided(atheris, float(seconds))


if __name__ == "__main__":
    main(*sys.argv[1:])
