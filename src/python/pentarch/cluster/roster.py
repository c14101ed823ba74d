"""The workers that the driver knows: their silence, failures and speed."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Any

from pentarch.cluster.shards import Range

#: Seconds without a sign of life after which the shards of a worker go elsewhere.
SILENCE = 30
#: Number of failures in a row after which a worker is put aside.
MAX_FAILURES = 3


class WorkerState(enum.Enum):
    """The opinion of the driver about a worker."""

    #: The driver waits for the result of the check.
    CHECKED = "is being checked"
    READY = "ready"
    EXCLUDED = "excluded"


@dataclass(eq=False)
class Attempt:
    """A shard on a worker."""

    part: Range
    worker: WorkerRecord
    started: float
    future: Any = None
    #: Whether the result is on its way through the network.
    is_fetched: bool = False


@dataclass(eq=False)
class WorkerRecord:
    """The facts that the driver knows about a worker."""

    address: str
    name: str
    #: The number of shards that it can run at once.
    threads: int
    #: The time at which the driver has noticed its last sign of life.
    seen_at: float
    state: WorkerState = WorkerState.CHECKED
    #: The scheduler's time of the last sign of life.
    last_seen: float = 0
    is_silent: bool = False
    #: Whether the worker begins tasks. A worker that closes, or lacks memory, begins none.
    is_open: bool = True
    #: The task that checks its program.
    check: Any = None
    #: Its unfinished shards, the oldest first.
    attempts: list[Attempt] = field(default_factory=list)
    #: The number of failures since its last success.
    failures: int = 0
    #: The number of completed numbers, such as games.
    done: int = 0
    ready_at: float = 0

    def __str__(self) -> str:
        return f"worker {self.name}"

    @property
    def is_usable(self) -> bool:
        """Whether the worker gets shards."""
        return self.state is WorkerState.READY and self.is_open and not self.is_silent

    @property
    def is_hopeful(self) -> bool:
        """Whether the worker gets shards now or perhaps later."""
        return self.state is not WorkerState.EXCLUDED

    def update(self, info: Any, now: float) -> None:
        """Notes the scheduler's information about the worker."""
        self.threads = info["nthreads"]
        self.is_open = info["status"] == "running"
        if info["last_seen"] != self.last_seen:
            # The clock of the scheduler may differ from the clock here. Only changes count.
            self.last_seen = info["last_seen"]
            self.seen_at = now

    def describe(self, now: float) -> str:
        """Returns its name with its speed, silence or state."""
        if self.is_silent:
            return f"{self.name} silent for {now - self.seen_at:.0f} s"
        if self.state is not WorkerState.READY:
            return f"{self.name} {self.state.value}"
        minutes = max(now - self.ready_at, 1) / 60
        return f"{self.name} {self.done / minutes:.1f} per minute"


def name_of(address: str, info: Any) -> str:
    """Returns the name of a worker for messages. Dask names workers by their addresses, if nobody names them."""
    name = str(info.get("name", address))
    return address if name == address else f"{name} at {address}"
