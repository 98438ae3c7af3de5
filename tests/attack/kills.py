"""Kills commands at random moments, starts them again, and compares the results with those of an uninterrupted run."""

from __future__ import annotations

import importlib
import os
import random
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from attack.reports import Attack, Budget, Report
from attack.victims import VICTIMS, Outcome, Victim, leftovers, start, survivors, wait_for

POINTS = 20
"""Kills of every command."""
SIGNALS = {signal.SIGKILL: -9, signal.SIGTERM: 143, signal.SIGINT: 130}
"""Every signal with the exit code that is promised."""
PATIENCE = 8.0
"""Seconds after which no process of a killed command may be alive; five are promised."""


class Trial:
    """One command in one folder."""

    def __init__(self, victim: Victim, folder: Path) -> None:
        self.victim, self.folder, self.output = victim, folder, folder.with_suffix(".txt")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        victim.prepare(folder)
        self.visible = {path.name for path in folder.iterdir()}

    def start(self) -> int:
        """Start the command."""
        return start(lambda: self.victim.run(self.folder), self.output)

    def finish(self) -> int:
        """Run the command to its end. One that does not end in ten minutes is killed, which is a failure too."""
        child = self.start()
        code = wait_for(child)
        if code is None:
            os.kill(child, signal.SIGKILL)
            code = wait_for(child)
        return signal.SIGKILL if code is None else code

    def kill(self, number: signal.Signals, delay: float) -> Iterator[str]:
        """Start the command, send it a signal, and say what is wrong afterwards."""
        child = self.start()
        code = wait_for(child, delay)
        if code is not None:  # it was faster
            if code:
                yield f"exit code {code} without a kill"
            return
        os.kill(child, number)
        code = wait_for(child, PATIENCE + 7)
        if code is None:
            os.kill(child, signal.SIGKILL)
            wait_for(child)
            yield f"{number.name} did not end it"
        elif code not in (SIGNALS[number], 0):  # 0: it was done before it saw the signal
            yield f"exit code {code} after {number.name}, not {SIGNALS[number]}"
        if alive := survivors(child, PATIENCE):
            yield f"alive {PATIENCE:.0f} s after {number.name}: {alive}"

    def wrong(self, whole: Outcome, is_finished: bool) -> Iterator[str]:
        """What is wrong with the files."""
        try:
            found = self.victim.outcome(self.folder)
        except Exception as error:
            yield f"something half-written under a final name: {type(error).__name__}: {error}"
            return
        different = [name for name, value in found.items() if whole.get(name) != value]
        if different:
            yield f"another result: {different[:3]}"
        if not is_finished:
            return
        if missing := [name for name in whole if name not in found]:
            yield f"missing in the end: {missing[:3]}"
        if left := leftovers(self.folder):
            yield f"left behind: {left[:3]}"


MODULES = (
    "plotly.graph_objects",
    "hoscpool.report",
    "hoscpool.classify.graph_classifier",
    "hoscpool.motifs.kernels.triangle",
    "hoscpool.distributed.counting.task_steps",
    "hoscpool.cluster.multilevel_fit",
    "hoscpool.experiments.protocols.node_clustering",
)


def warm_up() -> None:
    """Import what commands import when they run. Nothing may run here: a process with threads must not be forked."""
    for name in MODULES:
        importlib.import_module(name)


def attack(victim: Victim, budget: Budget, points: int = POINTS) -> Report:
    """Kill one command at random moments."""
    report, folder, rng = Report(), budget.folder / victim.name.replace(" ", "-"), random.Random(budget.seed)
    warm_up()
    reference = Trial(victim, folder / "whole")
    began = time.monotonic()
    if code := reference.finish():
        report.failures.append(f"{victim.name}: exit code {code} without a kill (see {reference.output})")
        return report
    seconds, whole = time.monotonic() - began, victim.outcome(reference.folder)
    for point in range(points):
        if budget.left < 0:
            break
        trial, said = Trial(victim, folder / str(point)), list[str]()
        for _ in range(rng.choice((1, 1, 1, 2))):
            number, delay = rng.choice(list(SIGNALS)), rng.uniform(0, seconds)
            said += trial.kill(number, delay)
            said += trial.wrong(whole, is_finished=False)
            report.tried[f"kills of {victim.name}"] += 1
        if code := trial.finish():
            said.append(f"exit code {code} when it was started again")
        said += trial.wrong(whole, is_finished=True)
        if said:
            report.failures += [f"{victim.name}, point {point}: {what} (see {trial.output})" for what in said]
        else:
            shutil.rmtree(trial.folder, ignore_errors=True)
    return report


def run(budget: Budget) -> Report:
    """Kill every command."""
    total = Report()
    for number, victim in enumerate(VICTIMS):
        share = Budget(budget.left / (len(VICTIMS) - number), budget.seed + number, budget.folder)
        report = attack(victim, share)
        total.tried.update(report.tried)
        total.failures += report.failures
    return total


KILLS = Attack("kills", "commands killed at random moments and started again", share=4, run=run)
