"""Tests the parts of the driver that do not use Dask. Usage: python without_dask.py"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Optional

sys.path.insert(0, str(Path(__file__).parents[2] / "src/python"))

from pentarch.cluster.plan import Plan, missing_ranges
from pentarch.cluster.roster import SILENCE, WorkerRecord
from pentarch.cluster.shards import Range


def sizes(plan: Plan, slots: int, seconds: Optional[float]) -> list[int]:
    """Returns the sizes of all shards of a plan."""
    found = []
    while (part := plan.take(slots, seconds, lambda part: True)) is not None:
        found.append(part.size)
    return found


def test_sizes() -> None:
    """The sizes depend on the total and on the speed, and decrease."""
    match = [Range(0, 1000)]
    slow = sizes(Plan(match), 1, 10)
    assert sum(slow) == 1000 and slow[0] > 10 and slow[-1] == 1 and slow == sorted(slow, reverse=True), slow
    # A single worker at the start does not leave large shards to those that come later.
    assert len(slow) > 8 * 12 and sizes(Plan(match), 16, 10) == slow
    # Each shard takes 5 seconds or more, and 5 minutes or less.
    assert min(sizes(Plan(match), 1, 1.0)[:-1]) == 5
    assert max(sizes(Plan([Range(0, 10**5)]), 1, 3.0)) == 100
    # Before the speed is known, shards are small.
    assert max(sizes(Plan(match), 1, None)) == 4
    assert set(sizes(Plan(match, 50), 1, 10)) == {50}


def test_ranges() -> None:
    """A plan covers the gaps in order, and returned shards come first."""
    missing = missing_ranges([Range(5, 8), Range(0, 2), Range(1, 3)], 10)
    assert missing == [Range(3, 5), Range(8, 10)]
    plan = Plan(missing, 2)
    first = plan.take(1, None, lambda part: True)
    assert first == Range(3, 5)
    plan.give_back(first)
    assert plan.take(1, None, lambda part: part != first) == Range(8, 10)
    assert plan.take(1, None, lambda part: part != first) is None and plan
    assert plan.take(1, None, lambda part: True) == first and not plan


def test_silence() -> None:
    """The silence of a worker does not depend on the clock of the scheduler."""
    record = WorkerRecord("tcp://worker:1", "tcp://worker:1", 1, seen_at=1000)
    info = {"nthreads": 2, "status": "running", "last_seen": 5.0}
    record.update(info, 1010)
    assert (record.seen_at, record.threads) == (1010, 2)
    record.update(info, 1010 + SILENCE)
    assert record.seen_at == 1010
    record.update({**info, "last_seen": 4.0}, 1050)
    assert record.seen_at == 1050


def test_missing_dask() -> None:
    """Without Dask, the driver reports the command that installs it."""
    sys.modules["distributed"] = None  # type: ignore[assignment]
    runpy.run_module("pentarch.cluster", run_name="__main__")


test_sizes()
test_ranges()
test_silence()
test_missing_dask()
