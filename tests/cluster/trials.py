"""Runs trials of the driver on Dask clusters of this machine. Usage: python trials.py PENTARCH FOLDER [TRIAL...]

Requires Linux, and the packages distributed and dask-jobqueue. All trials wait for conditions, not for times.
"""

from __future__ import annotations

import sys

import faults
import jobs
import recipes
from processes import programs_of, wait_until

TRIALS = [*jobs.TRIALS, *faults.TRIALS, *recipes.TRIALS]
names = sys.argv[3:] or [trial.__name__ for trial in TRIALS]
for trial in TRIALS:
    if trial.__name__ in names:
        print(trial.__name__, flush=True)
        trial()
        wait_until("no program is left", lambda: not programs_of())
