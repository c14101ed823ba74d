"""Trials of the recipes in docs/cluster.md that need Dask."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from processes import FOLDER, Cluster, Driver, wait_until

PAGE = Path(__file__).parents[2] / "docs/cluster.md"
SELF_PLAY = "tune --game bushka --nodes 40 --plies 16 --games 6".split()
#: The commands of Slurm: a job is a process on this machine. Like Slurm, they copy the script, which is then removed.
SBATCH = """#!/bin/sh
cp "$1" job-$$ && echo "$1" >> submitted
setsid sh job-$$ < /dev/null > job-$$.log 2>&1 &
echo "Submitted batch job $!"
"""
SCANCEL = """#!/bin/sh
kill -- "-$1"
"""


def recipe(mark: str) -> str:
    """Returns the block of the page with this mark."""
    return PAGE.read_text().split(f"\n```{mark}\n")[1].split("\n```\n")[0]


def encrypt_connections() -> None:
    """Runs the recipe for TLS. A driver without the key is rejected."""
    if shutil.which("openssl") is None:
        print("skipped: the recipe for TLS, because OpenSSL is not installed", file=sys.stderr)
        return
    subprocess.run(["bash", "-ec", recipe("sh tls")], cwd=FOLDER, check=True, stderr=subprocess.DEVNULL)
    os.environ["DASK_CONFIG"] = str(FOLDER / "settings")
    try:
        cluster = Cluster(1, "--protocol", "tls")
        Driver(cluster, "tls", *SELF_PLAY).wait_for_exit(0)
    finally:
        del os.environ["DASK_CONFIG"]
    run = Driver(cluster, "tls-stranger", *SELF_PLAY)
    run.wait_for_exit(1)
    assert "cannot be reached" in run.messages, run.messages
    cluster.end()


def submit_workers_to_slurm() -> None:
    """Runs the recipe for dask-jobqueue with its commands, but with a smaller match and fewer workers."""
    commands = FOLDER / "slurm"
    commands.mkdir()
    for name, text in [("sbatch", SBATCH), ("scancel", SCANCEL)]:
        (commands / name).write_text(text)
        (commands / name).chmod(0o755)
    script = recipe("python slurm")
    for shown, used in [("--nodes 5000", "--nodes 100"), ("--games 2000", "--games 12"), ("_jobs=20", "_jobs=2")]:
        assert shown in script
        script = script.replace(shown, used)
    environment = {**os.environ, "PATH": f"{commands}:{os.environ['PATH']}"}
    run = [sys.executable, "-c", script]
    out = subprocess.run(run, cwd=FOLDER, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
    assert "games: 12 of 12" in out, out
    assert len((FOLDER / "submitted").read_text().splitlines()) >= 2
    wait_until("the workers have ended", lambda: not processes_with("dask_worker"))


def processes_with(word: str) -> list[str]:
    """Returns the commands of the running processes in the test's folder that contain a word."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().decode(errors="replace")
            is_here = (process / "cwd").resolve() == FOLDER
        except OSError:
            continue
        if is_here and word in command:
            found.append(command)
    return found


TRIALS = [encrypt_connections, submit_workers_to_slurm]
