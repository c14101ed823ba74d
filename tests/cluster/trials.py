"""Runs jobs on a Dask cluster of three workers and kills processes. Compares the results with those of one machine.

Usage: python cluster.py PENTARCH FOLDER
"""

import os
import re
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path
from types import SimpleNamespace

import distributed

from pentarch.cluster import SCHEDULER_GONE, Driver, DriverError

PENTARCH, FOLDER = sys.argv[1], Path(sys.argv[2])
#: A variable in the environment of all processes of this test, including those that others start.
MARK = f"PENTARCH_CLUSTER_TEST={uuid.uuid4()}"
os.environ.update([MARK.split("=")])
#: The time limit in seconds: no result takes longer, however busy the machine is.
PATIENCE = 900
MATCH = "arena --game bushka --first-nodes 4000 --second-nodes 2000 --plies 60 --games 40 --patience 900000".split()


def wait_until(what, happens):
    """Waits until a call returns a true value, and returns this value."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        result = happens()
        if result:
            return result
        time.sleep(0.05)
    raise AssertionError(f"this has not happened: {what}")


def running_programs():
    """Returns the commands of the program's processes that this test has started and that are still running."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            is_ours = MARK.encode() in (process / "environ").read_bytes().split(b"\0")
            command = (process / "cmdline").read_bytes()
        except OSError:
            continue
        if is_ours and command and b"python" not in command.split(b"\0")[0]:
            found.append(command)
    return found


def start_process(*arguments):
    log = (FOLDER / "log").open("a")
    return subprocess.Popen([sys.executable, *map(str, arguments)], cwd=FOLDER, stderr=log, stdout=log)


class Cluster:
    """A scheduler and three workers. Each worker has one thread."""

    def __init__(self):
        self.file = FOLDER / f"scheduler-{uuid.uuid4()}.json"
        common = ["--scheduler-file", self.file, "--no-dashboard"]
        address = ["--host", "127.0.0.1", "--port", "0"]
        self.scheduler = start_process("-m", "distributed.cli.dask_scheduler", *address, *common)
        wait_until("a scheduler starts", self.file.exists)
        worker = ["-m", "distributed.cli.dask_worker", *common, "--nthreads", "1", "--no-nanny"]
        self.workers = [start_process(*worker) for _ in range(3)]

    def end(self):
        for process in [self.scheduler, *self.workers]:
            process.kill()
            process.wait()


def start_driver(cluster, out, *arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "pentarch.cluster", *arguments, "--out", out, "--scheduler", str(cluster.file),
         "--program", PENTARCH, "--size", "1"],
        cwd=FOLDER, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )


def wait_for_exit(process):
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


def count_shards(out):
    return len(list((FOLDER / f"{out}.shards").glob("*.shard")))


def without_times(text):
    """Returns a record or a response without its times. The checksum depends on the times and is also removed."""
    return re.sub(r'(?<=, )\d+ us(?="])|"time":\d+|\[Checksum "[^"]*"\]', "", text)


class LostScheduler:
    """A client with an outdated status: its scheduler ends during each call."""

    status = "running"

    def nthreads(self):
        raise distributed.comm.CommClosedError("Connection reset by peer")

    def result(self):
        raise distributed.CancelledError("scheduler-connection-lost")


def report_end_of_scheduler_during_call():
    lost = LostScheduler()
    finished = SimpleNamespace(status="finished", result=lost.result)
    for call in [lambda: Driver.slots(None, lost), lambda: Driver.store_result(None, finished, (0, 1))]:
        try:
            call()
        except DriverError as failed:
            assert str(failed) == SCHEDULER_GONE, failed
        else:
            raise AssertionError("no failure")


def kill_processes_in_turn():
    """Runs a match. In the middle of the match, a worker, the scheduler and the driver are killed."""
    cluster = Cluster()
    run = start_driver(cluster, "match", *MATCH)
    wait_until("two shards are done", lambda: count_shards("match") >= 2)
    cluster.workers[0].kill()
    wait_until("the others go on", lambda: count_shards("match") >= 5)
    assert run.poll() is None
    cluster.scheduler.kill()
    code, _, err = wait_for_exit(run)
    assert code == 1 and "the scheduler has gone" in err, err
    wait_until("no program is left", lambda: not running_programs())
    cluster.end()
    before = count_shards("match")

    cluster = Cluster()
    run = start_driver(cluster, "match", *MATCH)
    wait_until("more shards are done", lambda: count_shards("match") >= before + 2)
    run.kill()
    run.communicate()
    wait_until("no program is left", lambda: not running_programs())
    before = count_shards("match")
    assert before < 20

    run = start_driver(cluster, "match", *MATCH)
    wait_until("more shards are done", lambda: count_shards("match") >= before + 1)
    run.send_signal(signal.SIGINT)
    code, _, err = wait_for_exit(run)
    assert code == 130 and "interrupted" in err, err

    code, out, err = wait_for_exit(start_driver(cluster, "match", *MATCH))
    assert code == 0 and "games: 40 of 40" in out, err
    subprocess.run([PENTARCH, *MATCH, "--concurrency", "2", "--record", "expected"], cwd=FOLDER, check=True,
                   stdout=subprocess.DEVNULL)
    numbered = {text.split('[Number "')[1].split('"')[0]: without_times(text) for text in read_records("expected")}
    assert [numbered[str(number)] for number in range(1, 41)] == [without_times(text) for text in read_records("match")]
    # The match is over. Another run does nothing and changes nothing.
    assert wait_for_exit(start_driver(cluster, "match", *MATCH))[0] == 0
    code, _, err = wait_for_exit(start_driver(cluster, "match", *MATCH, "--seed", "2", "--random-plies", "3"))
    assert code == 1 and "another match" in err, err
    return cluster


def read_records(name):
    return (FOLDER / name).read_text().strip().split("\n\n")


def stop_match_by_sprt(cluster):
    """Skips the shards that are not needed."""
    match = "arena --game bushka --first-nodes 300 --second-nodes 1 --plies 60 --games 2000 --sprt 0 200".split()
    code, out, err = wait_for_exit(start_driver(cluster, "sprt", *match, "--patience", "900000"))
    assert code == 0 and "H1 taken" in out and count_shards("sprt") < 200, err
    wait_until("no program is left", lambda: not running_programs())


def send_files_and_results_by_network(cluster):
    requests = [f'{{"id": {number}, "game": "quoridor", "depth": 1}}' for number in range(4)]
    (FOLDER / "requests").write_text("\n".join(requests))
    analyse = ["analyse", "--requests", "requests", "--no-shared-disk"]
    code, _, err = wait_for_exit(start_driver(cluster, "answers", *analyse))
    assert code == 0, err
    expected = subprocess.run([PENTARCH, *analyse[:3]], cwd=FOLDER, check=True, stdout=subprocess.PIPE, text=True)
    assert without_times((FOLDER / "answers").read_text()) == without_times(expected.stdout)
    # A rejected request is reported. It is not sent again.
    (FOLDER / "requests").write_text("\n".join([*requests, '{"stop": 1}']))
    code, _, err = wait_for_exit(start_driver(cluster, "refused", *analyse))
    assert code == 1 and "line 5: it has 'stop'" in err and "times)" not in err, err
    code, _, err = wait_for_exit(start_driver(cluster, "refused", "analyse", "--requests", "nothing"))
    assert code == 1 and "nothing: No such file" in err, err


def run_two_drivers_and_retire_a_worker(cluster):
    """The end of a driver does not stop another driver. The retirement of a worker is not a failure."""
    tune = "tune --game bushka --plies 30 --games".split()
    short = start_driver(cluster, "short", *tune, "3", "--nodes", "1500", "--seed", "2")
    wait_until("a shard of the short work is done", lambda: count_shards("short") >= 1)
    # This stops it until the other driver works, because a driver may take longer to start than all
    # shards.
    short.send_signal(signal.SIGSTOP)
    # The shards of this job take long, and most of them remain when the short job ends.
    long = start_driver(cluster, "long", *tune, "40", "--nodes", "30000")
    wait_until("a shard of the long work is done", lambda: count_shards("long") >= 1)
    short.send_signal(signal.SIGCONT)
    code, _, err = wait_for_exit(short)
    assert code == 0, err
    assert long.poll() is None
    with distributed.Client(scheduler_file=str(cluster.file)) as client:
        client.retire_workers([next(iter(client.scheduler_info()["workers"]))])
    code, _, err = wait_for_exit(long)
    assert code == 0 and count_shards("long") == 40, err


def run_self_play_on_local_workers():
    tune = "tune --game bushka --nodes 40 --plies 16 --games 6".split()
    run = [sys.executable, "-m", "pentarch.cluster", *tune, "--out", "data", "--program", PENTARCH, "--workers", "2"]
    subprocess.run(run, cwd=FOLDER, check=True, stderr=subprocess.PIPE)
    # There are too few games for training. This is reported after the games are played.
    subprocess.run([PENTARCH, *tune, "--data", "expected-data"], cwd=FOLDER, stderr=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL)
    assert (FOLDER / "data").read_text() == (FOLDER / "expected-data").read_text()


report_end_of_scheduler_during_call()
second_cluster = kill_processes_in_turn()
stop_match_by_sprt(second_cluster)
send_files_and_results_by_network(second_cluster)
run_two_drivers_and_retire_a_worker(second_cluster)
second_cluster.end()
run_self_play_on_local_workers()
wait_until("no program is left", lambda: not running_programs())
