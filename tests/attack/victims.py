"""Commands that the attacks on processes kill: what they run, and what they must leave behind in the end."""

from __future__ import annotations

import csv
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import scipy.sparse as sp

import hoscpool as hp
from hoscpool.cli import main
from hoscpool.distributed import open_blocks
from hoscpool.experiments.running.store import Store
from hoscpool.support.processes import EndingSignals
from hoscpool.training.checkpoint import Checkpoint

Outcome = dict[str, Any]
"""Everything that must be the same in the end, by name."""
NOT_COMPARED = ("seconds", "peak_memory", "finished")


@dataclass(frozen=True)
class Victim:
    """A command.

    Attributes:
        name: What it is.
        prepare: Writes its input into a folder.
        run: Runs it in that folder. Returns the exit code.
        outcome: Reads what is there under the final names; parts may be missing, but none may be incomplete.
        workers: Whether it starts other processes.
    """

    name: str
    prepare: Callable[[Path], None]
    run: Callable[[Path], int]
    outcome: Callable[[Path], Outcome]
    workers: bool = False


def start(call: Callable[[], int], output: Path) -> int:
    """Call a function in a forked process with a session of its own. Returns the number of the process.

    The modules are imported already, so a kill hits the work and not the imports.
    """
    child = os.fork()
    if child:
        return child
    code = 99
    try:
        os.setsid()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        to = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(to, 1)
        os.dup2(to, 2)
        code = call()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except KeyboardInterrupt:
        code = 130
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def wait_for(child: int, seconds: float = 600) -> int | None:
    """The exit code of a process, minus the signal that killed it; ``None`` if it does not end in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    return None


def survivors(session: int, seconds: float) -> list[str]:
    """Processes of a session that are alive after so many seconds."""
    end, alive = time.monotonic() + seconds, [""]
    while alive and time.monotonic() < end:
        time.sleep(0.1)
        alive = []
        for process in psutil.process_iter(["pid", "status", "cmdline"]):
            try:
                if process.info["status"] != psutil.STATUS_ZOMBIE and os.getsid(process.info["pid"]) == session:
                    alive.append(" ".join(process.info["cmdline"] or [])[-80:])
            except (OSError, psutil.Error):
                continue
    return alive


def leftovers(folder: Path) -> list[str]:
    """Hidden files and folders, without the empty files by which processes lock each other out."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob(".*") if path.suffix != ".lock")


def _write_graph(folder: Path, nodes: int = 400, density: float = 0.03) -> None:
    rng = np.random.default_rng(0)
    ends = np.argwhere(np.triu(rng.random((nodes, nodes)) < density, 1))
    (folder / "graph.csv").write_text("".join(f"n{a},n{b}\n" for a, b in ends.tolist()))


def _write_graphs(folder: Path) -> None:
    """Forty small graphs in the TU format."""
    rng = np.random.default_rng(0)
    edges, graph, labels = list[str](), list[int](), list[int]()
    for number in range(40):
        first = len(graph) + 1
        size, label = int(rng.integers(6, 12)), number % 2
        graph += [number + 1] * size
        labels.append(label)
        for a, b in np.argwhere(np.triu(rng.random((size, size)) < 0.25 + 0.4 * label, 1)).tolist():
            edges += [f"{first + a}, {first + b}", f"{first + b}, {first + a}"]
    there = folder / "TINY"
    there.mkdir()
    for name, rows in (("A", edges), ("graph_indicator", graph), ("graph_labels", labels)):
        (there / f"TINY_{name}.txt").write_text("".join(f"{row}\n" for row in rows))


def _fit(folder: Path) -> int:
    begin = Checkpoint.__init__

    def save_every_epoch(self: Checkpoint, *args: Any, **more: Any) -> None:
        begin(self, *args, **more)
        self.interval = 0.0

    Checkpoint.__init__ = save_every_epoch  # type: ignore[method-assign] # of this process only: it was forked
    x = np.random.default_rng(1).standard_normal((400, 8)).astype(np.float32)
    model = hp.HoscClustering(
        4, random_state=0, preset="paper", n_init=2, max_epochs=150, checkpoint=folder / "checkpoint"
    )
    with EndingSignals() as signals:
        model.fit(x, graph=folder / "graph.csv")
        if not model.interrupted_:
            try:
                model.save(folder / "model")
            except OSError as error:
                print(error)
                return 2 if str(folder) in str(error) else 98  # a caller must learn which file it is
    return signals.exit_code


def _fit_outcome(folder: Path) -> Outcome:
    if not (folder / "model" / "model.json").exists():
        return {}
    model = hp.HoscClustering.load(folder / "model")
    return {"assignment": model.assignment_.tobytes(), "runs": model.runs_, "history": model.history_}


def _records(folder: Path) -> Outcome:
    kept = {}
    for record in Store(folder / "results").records("clustering"):
        name = f"{record['dataset']} {record['method']} {record['seed']}"
        if name in kept:
            raise ValueError(f"two records of {name}")
        kept[name] = {key: value for key, value in record.items() if key not in NOT_COMPARED}
    return kept


def _files(output: str, *names: str) -> Callable[[Path], Outcome]:
    """All of these files of a folder, or none if the folder is missing; then one that is missing is a failure."""

    def outcome(folder: Path) -> Outcome:
        if not (folder / output).exists():
            return {}
        return {name: (folder / output / name).read_bytes() for name in names}

    return outcome


def _file(output: str) -> Callable[[Path], Outcome]:
    return lambda folder: {output: (folder / output).read_bytes()} if (folder / output).exists() else {}


def _classified(folder: Path) -> Outcome:
    if not (folder / "out").exists():
        return {}
    with (folder / "out" / "results.csv").open(newline="", encoding="utf-8") as file:
        rows = [{key: value for key, value in row.items() if key != "seconds"} for row in csv.DictReader(file)]
    json.loads((folder / "out" / "summary.json").read_text(encoding="utf-8"))
    found = _files("out", "splits.json", "model/model.safetensors")(folder)
    return {**found, "rows": rows, "page": (folder / "out" / "report.html").read_text("utf-8").endswith("</html>\n")}


def _command(*words: str) -> Callable[[Path], int]:
    """A command line; ``@`` stands for the folder."""
    return lambda folder: main([word.replace("@", str(folder)) for word in words])


def _count_on_blocks(folder: Path) -> int:
    """Build blocks, unless they are there already, and count on them."""
    blocks = str(folder / "blocks")
    if not Path(blocks).exists() and (code := main(["blocks", str(folder / "graph.csv"), "-o", blocks])):
        return code
    return main(["motifs", blocks, "--motif", "triangle", "-o", str(folder / "matrix.npz")])


def _blocks(folder: Path) -> Outcome:
    found: Outcome = {}
    if (folder / "blocks").exists():
        found["degrees"] = open_blocks(folder / "blocks").degree.tobytes()
    if (folder / "matrix.npz").exists():
        matrix = sp.load_npz(folder / "matrix.npz")
        found["matrix"] = b"".join(part.tobytes() for part in (matrix.indptr, matrix.indices, matrix.data))
    return found


REPRODUCE = ("reproduce", "table1", "--datasets", "karate", "--methods", "sc,mincut,hosc", "--seeds", "2",
             "--results", "@/results")  # fmt: skip


def _prepare_report(folder: Path) -> None:
    (folder / "results").mkdir()
    record: dict[str, Any] = {"experiment": "clustering", "dataset": "karate", "method": "sc", "hash": "0" * 12}
    record |= {"status": "ok", "metrics": {"nmi": 0.5}, "seconds": {"wall": 1.0, "cpu": 1.0}, "peak_memory": 1}
    record |= {
        "machine": dict.fromkeys(("processor", "cores", "memory", "system"), "1"),
        "versions": {},
        "finished": "2026-01-01T00:00:00Z",
        "settings": {},
        "code": "0" * 12,
    }
    lines = [json.dumps(record | {"seed": seed}) for seed in range(10)]
    (folder / "results" / "clustering.jsonl").write_text("\n".join(lines) + "\n")


VICTIMS = (
    Victim("cluster with checkpoint", _write_graph, _fit, _fit_outcome),
    Victim("cluster with output", _write_graph,
           _command("cluster", "@/graph.csv", "-k", "4", "--solver", "multilevel", "-o", "@/out", "--quiet"),
           _files("out", "labels.csv", "memberships.csv", "coarse_nodes.csv", "coarse_edges.csv")),
    Victim("motifs with output", lambda folder: _write_graph(folder, 1500, 0.02),
           _command("motifs", "@/graph.csv", "--motif", "triangle", "-o", "@/matrix.csv"), _file("matrix.csv")),
    Victim("blocks and counts", lambda folder: _write_graph(folder, 2000, 0.01), _count_on_blocks, _blocks),
    Victim("report", _prepare_report, _command("report", "@/results", "-o", "@/report.html"), _file("report.html")),
    Victim("classify", _write_graphs,
           _command("classify", "@/TINY", "--splits", "2", "--max-epochs", "12", "--hidden", "8", "-o", "@/out"),
           _classified),
    Victim("reproduce, 1 job", lambda _: None, _command(*REPRODUCE), _records),
    Victim("reproduce, 2 jobs", lambda _: None, _command(*REPRODUCE, "--jobs", "2"), _records, workers=True),
)  # fmt: skip
