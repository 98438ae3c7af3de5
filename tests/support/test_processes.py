"""Signals end a process with the documented code, and workers do not outlive their parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import psutil
import pytest

from hoscpool.support.processes import INTERRUPTED, TERMINATED, EndingSignals

WORKER = """
import os, sys, time
from hoscpool.support import processes
if sys.argv[2] == "watch":  # as on a system that does not report the death of a parent
    processes._is_told_by_the_system = lambda: False
processes.follow_parent(int(sys.argv[1]))
print("ready", flush=True)
time.sleep(60)
"""
PARENT = f"""
import os, subprocess, sys, time
worker = subprocess.Popen([sys.executable, "-c", {WORKER!r}, str(os.getpid()), sys.argv[1]], stdout=subprocess.PIPE)
worker.stdout.readline()
print(worker.pid, flush=True)
time.sleep(60)
"""
LOST = """
import os, signal, time
from hoscpool.support import processes
processes.GRACE = 0.5
class Callback:
    def __del__(self):  # an exception here is lost
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0)
with processes.EndingSignals():
    Callback()
    time.sleep(60)
"""


@pytest.mark.parametrize("way", ["told", "watch"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_worker_ends_with_its_parent(way: str, number: int) -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT, way], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        worker = psutil.Process(int(parent.stdout.readline()))
        parent.send_signal(number)
        parent.wait(timeout=5)
        worker.wait(timeout=5)


def test_a_worker_whose_parent_died_before_it_started_ends() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    code = f"from hoscpool.support.processes import follow_parent; follow_parent({gone.pid})"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=20).returncode == 1


def test_a_lost_exception_does_not_keep_the_process_alive() -> None:
    done = subprocess.run([sys.executable, "-c", LOST], check=False, timeout=20, stderr=subprocess.DEVNULL)
    assert done.returncode == TERMINATED


def _send(number: int) -> None:
    os.kill(os.getpid(), number)
    time.sleep(5)


@pytest.mark.parametrize(
    ("number", "error", "code"),
    [(signal.SIGINT, KeyboardInterrupt, INTERRUPTED), (signal.SIGTERM, SystemExit, TERMINATED)],
)
def test_the_signal_is_remembered(
    number: int, error: type[BaseException], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hoscpool.support.processes._end_after", lambda *_: None)
    before = signal.getsignal(number)
    with EndingSignals() as signals, pytest.raises(error):
        _send(number)
    assert signals.exit_code == code
    assert signal.getsignal(number) is before


def test_ignored_signals_and_other_threads_are_left_alone() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with EndingSignals():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    failed: list[BaseException] = []

    def enter() -> None:
        try:
            with EndingSignals():
                pass
        except BaseException as error:  # signal.signal refuses other threads
            failed.append(error)

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert not failed
