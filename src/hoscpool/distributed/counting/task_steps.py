"""What a worker does: one task, or the sum of one block. Both end with a file, so that their work is never lost."""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from hoscpool.distributed.blocks import BlockGraph, open_blocks
from hoscpool.distributed.counting.count_files import CountFiles
from hoscpool.distributed.counting.count_kinds import COUNT_KINDS, Task, groups_of
from hoscpool.support.machine import peak_memory


@dataclass(frozen=True)
class Job:
    """What all steps of one count share.

    Attributes:
        folder: The folder of blocks.
        key: The key of the blocks, so that no worker counts on others.
        kind: The name of the count.
        num_groups: Into how many groups the ranges are put together.
    """

    folder: str
    key: str
    kind: str
    num_groups: int

    def files(self) -> CountFiles:
        """The files of the count.

        Raises:
            OSError: This worker does not see the folder.
        """
        return CountFiles(_graph(self.folder, self.key), COUNT_KINDS[self.kind], self.num_groups)


@dataclass(frozen=True)
class Done:
    """A finished step.

    Attributes:
        step: What was done.
        seconds: The time that it took on a processor.
        memory: The largest resident memory of the worker so far.
    """

    step: Task
    seconds: float
    memory: int


@lru_cache(maxsize=4)
def _graph(folder: str, key: str) -> BlockGraph:
    if not Path(folder).is_dir():
        raise FileNotFoundError(
            f"the worker on {socket.gethostname()} does not see the folder {folder}; put it on a disk that all workers "
            "share"
        )
    graph = open_blocks(folder)
    if graph.key != key:
        raise OSError(f"the worker on {socket.gethostname()} sees other blocks in {folder}; give it the same folder")
    return graph


def count_task(job: Job, task: Task) -> Done:
    """Count one task and write its counts. If a worker was lost after it wrote them, nothing is left to do."""
    begin = time.process_time()
    files = job.files()
    if not files.task_file(task).exists():
        files.write_task(task, files.kind.run(files.graph, groups_of(files.graph, job.num_groups), task))
    return Done(task, time.process_time() - begin, peak_memory())


def sum_block(job: Job, pair: Task) -> Done:
    """Add up the counts of all tasks on one block, and write the sum."""
    begin = time.process_time()
    files, (a, b) = job.files(), pair
    total = np.zeros(int(files.graph.shape.edges[a, b]), np.int64)
    groups = groups_of(files.graph, job.num_groups)
    for task in map(tuple, files.kind.plan(files.graph, job.num_groups)[0].tolist()):
        if (a, b) in files.kind.touches(groups, task):
            files.add_task(task, (a, b), total)
    files.write_sum((a, b), total)
    return Done(pair, time.process_time() - begin, peak_memory())
