"""The ranges that no worker has yet, and the sizes of shards."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Optional

from pentarch.cluster.shards import Range

#: Number of shards per slot into which the remaining numbers would be divided. So shards get smaller towards the end.
SHARDS_PER_SLOT = 4
#: Minimum number of slots to plan for, because other workers may still start.
MIN_SLOTS = 16
#: Maximum number of numbers in a shard before the speed is known.
FIRST_SIZE = 4
#: Seconds that a shard takes at least, because each shard costs the start of a program.
MIN_SECONDS = 5
#: Seconds that a shard takes at most, because the end of a worker loses its shards.
MAX_SECONDS = 300


class Plan:
    """The numbers that are still to be distributed."""

    def __init__(self, missing: list[Range], size: Optional[int] = None) -> None:
        #: The size of all shards, if the user has set it.
        self.size = size
        #: Ranges without shards, the last one first.
        self.gaps = sorted(missing, reverse=True)
        #: Shards that were given to a worker without success.
        self.returned: list[Range] = []

    def __bool__(self) -> bool:
        """Returns whether there is a range to distribute."""
        return bool(self.gaps or self.returned)

    def give_back(self, part: Range) -> None:
        """Takes a range back that a worker has not completed. It will be the next one."""
        self.returned.append(part)

    def take(self, slots: int, seconds: Optional[float], may_take: Callable[[Range], bool]) -> Optional[Range]:
        """Removes and returns the next range for a worker, if there is one. `slots` is the number of shards that can
        run at once, `seconds` is the time for one number, if known, and `may_take` rejects returned ranges."""
        for part in self.returned:
            if may_take(part):
                self.returned.remove(part)
                return part
        if not self.gaps:
            return None
        gap = self.gaps.pop()
        last = min(gap.last, gap.first + (self.size or self.guided_size(gap, slots, seconds)))
        if last < gap.last:
            self.gaps.append(Range(last, gap.last))
        return Range(gap.first, last)

    def guided_size(self, gap: Range, slots: int, seconds: Optional[float]) -> int:
        """Returns the size of the next shard (guided self-scheduling: Polychronopoulos and Kuck, 1987)."""
        remaining = gap.size + sum(part.size for part in self.gaps)
        size = max(1, remaining // (SHARDS_PER_SLOT * max(slots, MIN_SLOTS)))
        if seconds is None:
            return min(size, FIRST_SIZE)
        seconds = max(seconds, 1e-6)
        return max(math.ceil(MIN_SECONDS / seconds), min(size, int(MAX_SECONDS / seconds)))


def missing_ranges(present: list[Range], count: int) -> list[Range]:
    """Returns the ranges below `count` that no present range covers."""
    missing = []
    done = 0
    for first, last in [*sorted(present), Range(count, count)]:
        if first > done:
            missing.append(Range(done, first))
        done = max(done, last)
    return missing
