"""Trials with workers that hang, end or are set up wrongly. The result must always be that of one machine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace

import distributed
from processes import FOLDER, PENTARCH, Cluster, Driver, parent_of, programs_of, resume, stop, wait_until

from pentarch.cluster.errors import DriverError
from pentarch.cluster.scheduler import SCHEDULER_GONE, Scheduler

#: Games of the engine against itself. Their records contain no times.
SELF_PLAY = "tune --game bushka --nodes 10000 --plies 40 --games 40".split()
#: A program that computes shards with another version.
OTHER_VERSION = """#!/bin/sh
"$PENTARCH_ORIGINAL" "$@" || exit
while [ "$1" != --output ]; do shift; done
sed -i '1s/"program":"[^ ]*/"program":"9.9.9/' "$2"
"""


def start(cluster: Cluster, out: str, *flags: str) -> Driver:
    """Starts a driver with one game in each shard."""
    return Driver(cluster, out, *SELF_PLAY, "--size", "1", *flags)


@lru_cache(maxsize=None)
def expected() -> bytes:
    """Returns the result of one machine."""
    # There are too few games for training. This is reported after the games are played.
    subprocess.run([PENTARCH, *SELF_PLAY, "--data", "expected-games"], cwd=FOLDER, stderr=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL)
    return (FOLDER / "expected-games").read_bytes()


def check_end(run: Driver) -> None:
    """Checks that a driver ends with the result of one machine."""
    run.wait_for_exit(0)
    assert (FOLDER / run.out).read_bytes() == expected()


def hang_in_the_middle() -> None:
    """Both workers hang with their programs. One of them continues, and completes the job."""
    cluster = Cluster(2)
    run = start(cluster, "hang-middle")
    run.wait_for_shards(2)
    for worker in cluster.workers:
        wait_until("the worker computes a shard", lambda: programs_of(worker.pid))
        stop(worker)
    for name in ("worker-0", "worker-1"):
        run.wait_for_message(f"worker {name}", "silent for 30 s, its shards go elsewhere")
    resume(cluster.workers[1])
    check_end(run)
    cluster.end()


def hang_before_the_first_shard() -> None:
    """All workers hang before the driver starts. Then one of them continues."""
    cluster = Cluster(2)
    wait_until("the workers connect", lambda: cluster.is_connected(2))
    for worker in cluster.workers:
        stop(worker)
    run = start(cluster, "hang-before")
    for name in ("worker-0", "worker-1"):
        run.wait_for_message(f"worker {name}", "silent for 30 s")
    resume(cluster.workers[1])
    run.wait_for_message("worker worker-1", "is back")
    check_end(run)
    cluster.end()


def hang_with_results() -> None:
    """A worker hangs when it has completed shards and has not sent them yet."""
    cluster = Cluster(2)
    run = start(cluster, "hang-results", "--no-shared-disk")
    run.wait_for_shards(2)
    os.kill(run.process.pid, signal.SIGSTOP)
    wait_until("the workers have completed their shards", lambda: not programs_of())
    stop(cluster.workers[0])
    os.kill(run.process.pid, signal.SIGCONT)
    run.wait_for_message("worker worker-0", "silent for 30 s, its shards go elsewhere")
    check_end(run)
    cluster.end()


def hang_of_local_workers() -> None:
    """The workers hang that the driver has started itself. Dask replaces them."""
    run = Driver(None, "hang-local", *SELF_PLAY, "--size", "1", "--workers", "2")
    run.wait_for_shards(2)
    programs = wait_until("both workers compute a shard", lambda: found if len(found := programs_of()) == 2 else [])
    hung = [*programs, *map(parent_of, programs)]
    for process in hung:
        os.kill(process, signal.SIGSTOP)
    run.wait_for_message("silent for 30 s, its shards go elsewhere")
    check_end(run)
    for process in programs:
        # It does not notice the end of its worker.
        os.kill(process, signal.SIGCONT)
    for process in hung:
        wait_until("the processes have ended", lambda: not Path(f"/proc/{process}").exists())


def kill_a_worker() -> None:
    """A worker is killed in the middle of a shard."""
    cluster = Cluster(2)
    run = start(cluster, "kill-worker")
    run.wait_for_shards(2)
    killed = cluster.workers[0]
    wait_until("the worker computes a shard", lambda: programs_of(killed.pid))
    killed.kill()
    run.wait_for_message("worker worker-0", "has gone, its shards go elsewhere")
    check_end(run)
    cluster.end()


def exclude_workers_with_another_setup() -> None:
    """One worker has another version of the program, one has no program, and one has no package."""
    folder = FOLDER / "other-version"
    folder.mkdir()
    (folder / "pentarch").write_text(OTHER_VERSION)
    (folder / "pentarch").chmod(0o755)
    path = os.environ["PATH"]
    cluster = Cluster()
    other = {"PATH": f"{folder}:{path}", "PENTARCH_ORIGINAL": str(PENTARCH)}
    cluster.start_worker("other", other)
    cluster.start_worker("none", {"PATH": path.partition(":")[2]})
    cluster.start_worker("bare", {"PYTHONPATH": ""})
    wait_until("the workers connect", lambda: cluster.is_connected(3))
    run = start(cluster, "setup")
    run.wait_for_message("worker other", "is excluded: it has another program")
    run.wait_for_message("worker none", "is excluded: ", "No such file or directory: 'pentarch'")
    run.wait_for_message("worker bare", "is excluded: ", "No module named 'pentarch'")
    cluster.start_worker("good")
    check_end(run)
    # Without a good worker the driver ends.
    cluster.workers[-1].kill()
    wait_until("the good worker has gone", lambda: cluster.is_connected(3))
    run = start(cluster, "setup-without")
    run.wait_for_exit(1)
    assert "all 3 workers are excluded; the last reason is: " in run.messages, run.messages
    # This took a minute.
    assert "0 of 40 done, 0 shards failed, 0 workers; " in run.messages, run.messages
    cluster.end()


class SmallDisk:
    """A file system with little space. This requires the right to mount one."""

    def __init__(self, name: str) -> None:
        self.folder = FOLDER / name
        self.folder.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(self.folder)], check=True)

    def fill(self) -> None:
        """Leaves no space."""
        with suppress(OSError), (self.folder / "other").open("wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))

    def end(self) -> None:
        """Removes the file system."""
        subprocess.run(["umount", "--lazy", str(self.folder)], check=True)


@lru_cache(maxsize=None)
def can_mount() -> bool:
    """Returns whether this user can mount a file system. If not, prints that trials are skipped."""
    try:
        SmallDisk("probe").end()
    except (OSError, subprocess.CalledProcessError):
        print("skipped: the trials with full disks require the right to mount a file system", file=sys.stderr)
        return False
    return True


def fill_the_disk_of_a_worker() -> None:
    """The disk of a worker is full. The other worker completes the job."""
    if not can_mount():
        return
    disk = SmallDisk("worker-disk")
    try:
        cluster = Cluster(1)
        full = cluster.start_worker("full", {}, "--local-directory", str(disk.folder))
        wait_until("the workers connect", lambda: cluster.is_connected(2))
        run = start(cluster, "full", "--no-shared-disk")
        wait_until("the worker computes a shard", lambda: programs_of(full.pid))
        disk.fill()
        run.wait_for_message("worker full", "has failed with the shard", "No space left on device")
        run.wait_for_message("worker full", "is excluded: it has failed 3 times in a row")
        check_end(run)
        cluster.end()
    finally:
        disk.end()


def fill_the_disk_of_the_driver() -> None:
    """The disk with the shards is full. When there is space, the same command continues."""
    if not can_mount():
        return
    disk = SmallDisk("driver-disk")
    try:
        cluster = Cluster(2)
        flags = ["--no-shared-disk", "--shards", str(disk.folder)]
        run = start(cluster, "full-driver", *flags)
        wait_until("two shards are finished", lambda: len(list(disk.folder.glob("*.shard"))) >= 2)
        disk.fill()
        run.wait_for_message("cannot be written: ", "No space left on device")
        run.wait_for_exit(1)
        (disk.folder / "other").unlink()
        check_end(start(cluster, "full-driver", *flags))
        cluster.end()
    finally:
        disk.end()


def start_workers_late() -> None:
    """The driver starts first, then one worker, and later another one."""
    cluster = Cluster()
    run = start(cluster, "late")
    run.wait_for_message("there are no workers")
    cluster.start_worker()
    run.wait_for_shards(2)
    second = cluster.start_worker()
    wait_until("the second worker computes a shard", lambda: programs_of(second.pid))
    check_end(run)
    cluster.end()


def restart_the_scheduler() -> None:
    """The scheduler is killed, and starts again with its workers. The same command continues."""
    cluster = Cluster(2)
    run = start(cluster, "restart")
    run.wait_for_shards(2)
    cluster.scheduler.kill()
    run.wait_for_message("the scheduler has gone; run the same command again to continue")
    run.wait_for_exit(1)
    assert all(line.startswith("pentarch.cluster: ") for line in run.messages.splitlines()), run.messages
    before = run.shards()
    assert 2 <= before < 40
    cluster.end()
    cluster = Cluster(2)
    check_end(start(cluster, "restart"))
    cluster.end()


def hang_of_the_scheduler() -> None:
    """The scheduler hangs. The driver ends with an error, and its programs end."""
    cluster = Cluster(1)
    run = start(cluster, "hang-scheduler")
    run.wait_for_shards(2)
    os.kill(cluster.scheduler.pid, signal.SIGSTOP)
    run.wait_for_message("the scheduler is silent for 30 s")
    run.wait_for_exit(1)
    cluster.end()


class LostClient:
    """A client with an outdated status: its scheduler ends during each call."""

    status = "running"
    scheduler = SimpleNamespace(identity=None)

    def __init__(self, error: Exception) -> None:
        self.error = error

    def sync(self, *_: object, **__: object) -> None:
        raise self.error


def end_of_the_scheduler_during_a_call() -> None:
    """The client notices the end of the scheduler later than a call."""
    comm_error = distributed.comm.CommClosedError("Connection reset by peer")
    for error in (comm_error, distributed.CancelledError("scheduler-connection-lost")):
        try:
            Scheduler(LostClient(error)).workers()
        except DriverError as failed:
            assert str(failed) == SCHEDULER_GONE, failed
        else:
            raise AssertionError("no failure")


TRIALS = [
    hang_in_the_middle, hang_before_the_first_shard, hang_with_results, hang_of_local_workers, kill_a_worker,
    exclude_workers_with_another_setup, fill_the_disk_of_a_worker, fill_the_disk_of_the_driver, start_workers_late,
    restart_the_scheduler, hang_of_the_scheduler, end_of_the_scheduler_during_a_call,
]
