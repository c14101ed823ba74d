"""Runs jobs on a Dask cluster of three workers, kills processes, and compares the results with those of one machine.
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

from pentarch.cluster import GONE, Driver, Failed

PENTARCH, FOLDER = sys.argv[1], Path(sys.argv[2])
#: A variable in the environment of all processes of this test, including those that others start.
MARK = f"PENTARCH_CLUSTER_TEST={uuid.uuid4()}"
os.environ.update([MARK.split("=")])
#: The time limit in seconds: no result takes longer, however busy the machine is.
PATIENCE = 900
MATCH = "arena --game bushka --first-nodes 4000 --second-nodes 2000 --plies 60 --games 40 --patience 900000".split()


def until(what, happens):
    """Waits for something, and returns it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        result = happens()
        if result:
            return result
        time.sleep(0.05)
    raise AssertionError(f"this has not happened: {what}")


def programs():
    """Returns the commands of processes of the program that were started by this test and are still running."""
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


def start(*arguments):
    log = (FOLDER / "log").open("a")
    return subprocess.Popen([sys.executable, *map(str, arguments)], cwd=FOLDER, stderr=log, stdout=log)


class Cluster:
    """A scheduler and three workers of one thread."""

    def __init__(self):
        self.file = FOLDER / f"scheduler-{uuid.uuid4()}.json"
        common = ["--scheduler-file", self.file, "--no-dashboard"]
        self.scheduler = start("-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", *common)
        until("a scheduler starts", self.file.exists)
        worker = ["-m", "distributed.cli.dask_worker", *common, "--nthreads", "1", "--no-nanny"]
        self.workers = [start(*worker) for _ in range(3)]

    def end(self):
        for process in [self.scheduler, *self.workers]:
            process.kill()
            process.wait()


def driver(cluster, out, *arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "pentarch.cluster", *arguments, "--out", out, "--scheduler", str(cluster.file),
         "--program", PENTARCH, "--size", "1"],
        cwd=FOLDER, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )


def ended(process):
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


def shards(out):
    return len(list((FOLDER / f"{out}.shards").glob("*.shard")))


def untimed(text):
    return re.sub(r", \d+ us\"]", '"]', re.sub(r'"time":\d+', "", text))


class LostScheduler:
    """A client whose scheduler ends during each call, so that its status is outdated."""

    status = "running"

    def nthreads(self):
        raise distributed.comm.CommClosedError("Connection reset by peer")

    def result(self):
        raise distributed.CancelledError("scheduler-connection-lost")


def the_end_of_the_scheduler_during_a_call_is_reported():
    lost = LostScheduler()
    finished = SimpleNamespace(status="finished", result=lost.result)
    for call in [lambda: Driver.slots(None, lost), lambda: Driver.take(None, finished, (0, 1))]:
        try:
            call()
        except Failed as failed:
            assert str(failed) == GONE, failed
        else:
            raise AssertionError("no failure")


def kill_all_in_turn():
    """A match in which a worker, the scheduler and the driver are killed in the middle."""
    cluster = Cluster()
    run = driver(cluster, "match", *MATCH)
    until("two shards are done", lambda: shards("match") >= 2)
    cluster.workers[0].kill()
    until("the others go on", lambda: shards("match") >= 5)
    assert run.poll() is None
    cluster.scheduler.kill()
    code, _, err = ended(run)
    assert code == 1 and "the scheduler has gone" in err, err
    until("no program is left", lambda: not programs())
    cluster.end()
    before = shards("match")

    cluster = Cluster()
    run = driver(cluster, "match", *MATCH)
    until("more shards are done", lambda: shards("match") >= before + 2)
    run.kill()
    run.communicate()
    until("no program is left", lambda: not programs())
    before = shards("match")
    assert before < 20

    run = driver(cluster, "match", *MATCH)
    until("more shards are done", lambda: shards("match") >= before + 1)
    run.send_signal(signal.SIGINT)
    code, _, err = ended(run)
    assert code == 130 and "interrupted" in err, err

    code, out, err = ended(driver(cluster, "match", *MATCH))
    assert code == 0 and "games: 40 of 40" in out, err
    subprocess.run([PENTARCH, *MATCH, "--concurrency", "2", "--record", "expected"], cwd=FOLDER, check=True,
                   stdout=subprocess.DEVNULL)
    numbered = {text.split('[Number "')[1].split('"')[0]: untimed(text) for text in records("expected")}
    assert [numbered[str(number)] for number in range(1, 41)] == [untimed(text) for text in records("match")]
    # The match is over: another run does nothing and changes nothing.
    assert ended(driver(cluster, "match", *MATCH))[0] == 0
    code, _, err = ended(driver(cluster, "match", *MATCH, "--seed", "2", "--random-plies", "3"))
    assert code == 1 and "another match" in err, err
    return cluster


def records(name):
    return (FOLDER / name).read_text().strip().split("\n\n")


def a_test_ends_the_match(cluster):
    """Skips the shards that are not needed."""
    match = "arena --game bushka --first-nodes 300 --second-nodes 1 --plies 60 --games 2000 --sprt 0 200".split()
    code, out, err = ended(driver(cluster, "sprt", *match, "--patience", "900000"))
    assert code == 0 and "H1 taken" in out and shards("sprt") < 200, err
    until("no program is left", lambda: not programs())


def files_and_results_by_the_network(cluster):
    requests = [f'{{"id": {number}, "game": "quoridor", "depth": 1}}' for number in range(4)]
    (FOLDER / "requests").write_text("\n".join(requests))
    analyse = ["analyse", "--requests", "requests", "--no-shared-disk"]
    code, _, err = ended(driver(cluster, "answers", *analyse))
    assert code == 0, err
    expected = subprocess.run([PENTARCH, *analyse[:3]], cwd=FOLDER, check=True, stdout=subprocess.PIPE, text=True)
    assert (FOLDER / "answers").read_text() == expected.stdout
    # A rejected request is reported and not retried.
    (FOLDER / "requests").write_text("\n".join([*requests, '{"stop": 1}']))
    code, _, err = ended(driver(cluster, "refused", *analyse))
    assert code == 1 and "line 5 has 'stop'" in err and "times)" not in err, err
    code, _, err = ended(driver(cluster, "refused", "analyse", "--requests", "nothing"))
    assert code == 1 and "nothing: No such file" in err, err


def two_drivers_and_a_retired_worker(cluster):
    """The end of a driver does not stop another one, and the retirement of a worker is not a failure."""
    tune = "tune --game bushka --plies 30 --games".split()
    short = driver(cluster, "short", *tune, "3", "--nodes", "1500", "--seed", "2")
    until("a shard of the short work is done", lambda: shards("short") >= 1)
    # Stop it until the other driver works: a driver may take longer to start than all shards.
    short.send_signal(signal.SIGSTOP)
    # Its shards take long, so that many remain when the short job ends.
    long = driver(cluster, "long", *tune, "40", "--nodes", "30000")
    until("a shard of the long work is done", lambda: shards("long") >= 1)
    short.send_signal(signal.SIGCONT)
    code, _, err = ended(short)
    assert code == 0, err
    assert long.poll() is None
    with distributed.Client(scheduler_file=str(cluster.file)) as client:
        client.retire_workers([next(iter(client.scheduler_info()["workers"]))])
    code, _, err = ended(long)
    assert code == 0 and shards("long") == 40, err


def self_play_on_workers_of_its_own():
    tune = "tune --game bushka --nodes 40 --plies 16 --games 6".split()
    run = [sys.executable, "-m", "pentarch.cluster", *tune, "--out", "data", "--program", PENTARCH, "--workers", "2"]
    subprocess.run(run, cwd=FOLDER, check=True, stderr=subprocess.PIPE)
    # The games are too few for training, which is reported after they are played.
    subprocess.run([PENTARCH, *tune, "--data", "expected-data"], cwd=FOLDER, stderr=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL)
    assert (FOLDER / "data").read_text() == (FOLDER / "expected-data").read_text()


the_end_of_the_scheduler_during_a_call_is_reported()
started = kill_all_in_turn()
a_test_ends_the_match(started)
files_and_results_by_the_network(started)
two_drivers_and_a_retired_worker(started)
started.end()
self_play_on_workers_of_its_own()
until("no program is left", lambda: not programs())
