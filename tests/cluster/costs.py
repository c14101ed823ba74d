"""Measures the processor time of the driver and of Dask in a match of 2,000 games with two workers.

Usage: python costs.py PENTARCH FOLDER [NODES]

docs/cluster.md has the settings of Dask for this measurement.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from processes import Cluster, Driver

TICKS = os.sysconf("SC_CLK_TCK")
#: The maximum share of the driver and Dask in the processor time of the games.
MAX_SHARE = 0.05


def times(process: int) -> tuple[float, float]:
    """Returns the processor times of a process and of its children that have ended, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS, (int(fields[13]) + int(fields[14])) / TICKS


nodes = sys.argv[3] if sys.argv[3:] else "1000"
cluster = Cluster(2)
match = f"arena --game bushka --nodes {nodes} --second-set Hash=1 --games 2000".split()
run = Driver(cluster, "costs", *match)
_, status, usage = os.wait4(run.process.pid, 0)
assert status == 0, run.messages
# This includes the programs that merge the shards and report the match.
driver = usage.ru_utime + usage.ru_stime
scheduler = times(cluster.scheduler.pid)[0]
workers = [times(worker.pid) for worker in cluster.workers]
games = sum(children for _, children in workers)
dask = scheduler + sum(own for own, _ in workers)
share = (driver + dask) / games
print(f"{run.shards()} shards; games {games:.1f} s, driver {driver:.1f} s, scheduler {scheduler:.1f} s,",
      f"workers {dask - scheduler:.1f} s: {share:.1%}")
cluster.end()
assert share <= MAX_SHARE
