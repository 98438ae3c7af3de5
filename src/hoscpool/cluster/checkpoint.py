"""Unfinished runs on disk, so that an interrupted fit goes on where it stopped, to the same result."""

from __future__ import annotations

from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from hoscpool.cluster.training import Progress, Run
from hoscpool.nn.files import read, write
from hoscpool.nn.state import pack_state, unpack_state

EVERY = 50
"""Epochs between two writes."""


class Checkpoint:
    """A folder with one pair of files a run; does nothing without a folder.

    Args:
        folder: Where to write, or ``None``.
        key: What the fit depends on: data, parameters, seeds. A checkpoint of another fit is refused.
        every: Epochs between two writes.
    """

    def __init__(self, folder: Any = None, key: str = "", every: int = EVERY) -> None:
        self.folder = None if folder is None else Path(folder)
        self.key = sha256(key.encode()).hexdigest()
        self.every = every

    def keep(self, run: Run, number: int) -> None:
        """Write down where a run is."""
        if self.folder is None:
            return
        rates = [group["lr"] for group in run.optimizer.param_groups]
        content = {"key": self.key, "progress": asdict(run.progress), "rates": rates,
                   "scheduler": run.scheduler.state_dict()}  # fmt: skip
        write(self._path(number), pack_state(run), content)

    def restore(self, run: Run, number: int) -> bool:
        """Put a run back where it was; whether there was anything to go on with.

        Raises:
            ValueError: The files are altered, or belong to another fit.
        """
        if self.folder is None or not self._path(number).with_suffix(".json").exists():
            return False
        tensors, content = read(self._path(number))
        if content["key"] != self.key:
            raise ValueError(
                f"checkpoint: {self.folder} holds a fit of other data or parameters; "
                "name another folder, or delete it to begin anew"
            )
        run.progress = Progress(**content["progress"])
        run.scheduler.load_state_dict(content["scheduler"])
        unpack_state(run, tensors, content["rates"])
        return True

    def _path(self, number: int) -> Path:
        assert self.folder is not None
        return self.folder / f"run-{number:03d}"
