"""The processes of one run: what they say to each other, and what happens when one of them does not answer."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
import torch.distributed as dist
from torch import Tensor

Array = npt.NDArray[Any]
TIMEOUT = 300.0
"""Seconds after which a rank that does not answer counts as lost."""
LOOK = 0.005
"""Seconds between two looks for a word of the leader, at first …"""
LONGEST_LOOK = 0.1
"""… and at last."""
TELLING = 30
"""Number of looks for a leader that says what went wrong, and for followers that take leave."""
SAID, END = "said", "end "
"""What stands in the store for a word that follows by broadcast, and for the last one, which has the reason."""


class RankError(ConnectionError):
    """Another rank ended or does not answer."""


class Released(Exception):  # noqa: N818 (it is no error)
    """The leader needs this rank no more. The text is the error that ended its work; empty: it is done."""


class Ranks:
    """All processes of one run. Rank 0 leads: it reads, decides, prints and writes. The others follow its orders.

    Sums over ranks are the same number on every rank. While the leader works alone, the others wait as long as it gives
    signs of life.

    Args:
        rank: Number of this process.
        size: Number of processes.
        store: The key-value store of the run.
        timeout: Seconds after which a rank that does not answer counts as lost.

    Attributes:
        group: The processes as torch knows them.
        sent: Bytes that this rank has given to sums and exchanges, which every epoch needs.
    """

    def __init__(self, rank: int, size: int, store: Any, timeout: float = TIMEOUT) -> None:
        self.rank, self.size, self.timeout = rank, size, timeout
        self._store = store
        self.group = dist.new_group(backend="gloo", timeout=timedelta(seconds=timeout))
        self.sent = 0
        self._words = 0
        self._over, self._is_lost = threading.Event(), False
        if self.leads:
            threading.Thread(target=self._live, daemon=True).start()

    @property
    def leads(self) -> bool:
        """Whether this process leads."""
        return self.rank == 0

    def sum(self, values: Tensor) -> Tensor:
        """The sum over the ranks, as a new tensor without gradient."""
        total = values.detach().clone()
        self.sent += total.nbytes
        with self._talking():
            dist.all_reduce(total, group=self.group)
        return total

    def gather(self, value: Any) -> list[Any]:
        """The objects of all ranks, on every rank."""
        found: list[Any] = [None] * self.size
        with self._talking():
            dist.all_gather_object(found, value, group=self.group)
        return found

    def exchange(self, rows: Tensor, given: Sequence[int], taken: Sequence[int]) -> Tensor:
        """Send rows to other ranks and receive theirs.

        Args:
            rows: What to send, ordered by receiver.
            given: Number of rows for every rank.
            taken: Number of rows from every rank.
        """
        found = rows.new_empty(sum(taken), *rows.shape[1:])
        self.sent += rows.nbytes - given[self.rank] * rows[:1].nbytes
        with self._talking():
            dist.all_to_all_single(found, rows.contiguous(), list(taken), list(given), group=self.group)
        return found

    def order(self, name: str, content: Any = None) -> None:
        """Tell all followers what to do next. Only the leader gives orders."""
        pickle.dumps(content)  # fail before the others are told
        self._put(SAID)
        self._broadcast((name, content))

    def hear(self) -> tuple[str, Any]:
        """The next order of the leader.

        Raises:
            Released: There will be no more orders.
            RankError: The leader is lost.
        """
        self._words += 1
        word = self._await_leader()
        if word.startswith(END):
            raise Released(word.removeprefix(END))
        return self._broadcast(None)  # type: ignore[no-any-return]

    def share(self, value: Any = None) -> Any:
        """The leader's object on every rank."""
        if self.leads:
            self.order("share", value)
            return value
        return self.hear()[1]

    def deal(self, parts: Sequence[Array] | None = None) -> Array:
        """One of the leader's arrays for every rank: the part of this rank."""
        if not self.leads:
            shape, kind = self.hear()[1][self.rank]
            part = np.empty(shape, dtype=kind)
            if part.size:
                with self._talking():
                    dist.recv(torch.from_numpy(part), group_src=0, group=self.group)
            return part
        assert parts is not None
        self.order("deal", [(part.shape, part.dtype.str) for part in parts])
        for rank, part in enumerate(parts[1:], start=1):
            if part.size:
                with self._talking():
                    dist.send(torch.from_numpy(np.ascontiguousarray(part)), group_dst=rank, group=self.group)
        return parts[0]

    def collect(self, part: Array) -> list[Array]:
        """The arrays of all ranks for the leader; nothing for the others."""
        shapes = self.gather((part.shape, part.dtype.str))
        if not self.leads:
            if part.size:
                with self._talking():
                    dist.send(torch.from_numpy(np.ascontiguousarray(part)), group_dst=0, group=self.group)
            return []
        found = [part]
        for rank, (shape, kind) in enumerate(shapes[1:], start=1):
            found.append(np.empty(shape, dtype=kind))
            if found[-1].size:
                with self._talking():
                    dist.recv(torch.from_numpy(found[-1]), group_src=rank, group=self.group)
        return found

    def release(self, error: str = "") -> None:
        """Free the followers, when there is nothing more to do or after an error of the leader."""
        self._put(END + error)

    def tell(self) -> None:
        """Note that the leader has said what went wrong."""
        with suppress(RuntimeError):
            self._store.set("hoscpool-told", "yes")

    def leader_said(self) -> bool:
        """Whether the leader has said, or says soon, what went wrong. SIGTERM ends the wait."""
        with suppress(RuntimeError):
            with suppress(SystemExit):
                for _ in range(TELLING):
                    if self._store.check(["hoscpool-told"]):
                        return True
                    time.sleep(LONGEST_LOOK)
            return bool(self._store.check(["hoscpool-told"]))
        return False

    def close(self) -> None:
        """Take leave. Rank 0 may hold the store, so it waits until the others have read its last word."""
        self._over.set()
        with suppress(RuntimeError):
            if not self.leads:
                self._store.set(f"hoscpool-bye-{self.rank}", "bye")
            names = [f"hoscpool-bye-{rank}" for rank in range(1, self.size)]
            for _ in range(TELLING):
                if self._is_lost or not self.leads or self._store.check(names):
                    return
                time.sleep(LONGEST_LOOK)

    def _put(self, word: str) -> None:
        self._words += 1
        with self._talking():
            self._store.set(f"hoscpool-word-{self._words}", word)

    def _broadcast(self, value: Any) -> Any:
        box = [value]
        with self._talking():
            dist.broadcast_object_list(box, group_src=0, group=self.group)
        return box[0]

    def _await_leader(self) -> str:
        """Wait for the next word of the leader, as long as it lives."""
        name, pause, last, seen = f"hoscpool-word-{self._words}", LOOK, b"", time.monotonic()
        with self._talking():
            while not self._store.check([name]):
                sign = self._store.get("hoscpool-alive") if self._store.check(["hoscpool-alive"]) else b""
                if sign != last:
                    last, seen = sign, time.monotonic()
                if time.monotonic() - seen > self.timeout:
                    raise RuntimeError("the leader gives no sign of life")
                time.sleep(pause)
                pause = min(2 * pause, LONGEST_LOOK)
            return bytes(self._store.get(name)).decode()

    def _live(self) -> None:
        """Give signs of life until the run is over."""
        beat = 0
        while not self._over.wait(min(self.timeout / 10, 2.0)):
            beat += 1
            try:
                self._store.set("hoscpool-alive", str(beat))
            except RuntimeError:  # the store is gone: the others notice it too
                return

    @contextmanager
    def _talking(self) -> Iterator[None]:
        try:
            yield
        except RuntimeError as error:
            self._is_lost = True
            others = "rank 0" if self.size == 2 and not self.leads else "rank 1" if self.size == 2 else "another rank"
            raise RankError(
                f"ranks: {others} ended or did not answer for {self.timeout:g} seconds, so rank {self.rank} of "
                f"{self.size} stops; see the output of the other ranks for the cause, then run the same command again"
            ) from error
