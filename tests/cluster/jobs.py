"""Trials with several kinds of jobs. Compares the results with those of one machine."""

from __future__ import annotations

import json
import re
import signal
import subprocess

from processes import FOLDER, PENTARCH, Cluster, Driver, connect, programs_of, wait_until

MATCH = "arena --game bushka --first-nodes 4000 --second-nodes 2000 --plies 60 --games 40 --patience 900000".split()


def start(cluster: Cluster, out: str, *arguments: str) -> Driver:
    """Starts a driver with one number in each shard."""
    return Driver(cluster, out, *arguments, "--size", "1")


def without_times(text: str) -> str:
    """Returns a record or a response without its times. The checksum depends on the times and is also removed."""
    return re.sub(r'(?<=, )\d+ us(?="])|"time":\d+|\[Checksum "[^"]*"\]', "", text)


def read_records(name: str) -> list[str]:
    """Returns the records of a file."""
    return (FOLDER / name).read_text().strip().split("\n\n")


def end_the_driver_of_a_match() -> None:
    """The driver of a match is killed, and later interrupted. The same command continues."""
    cluster = Cluster(2)
    run = start(cluster, "match", *MATCH)
    run.wait_for_shards(2)
    run.process.kill()
    run.process.communicate()
    wait_until("no program is left", lambda: not programs_of())
    before = run.shards()
    assert before < 20

    run = start(cluster, "match", *MATCH)
    run.wait_for_shards(before + 1)
    run.process.send_signal(signal.SIGINT)
    run.wait_for_exit(130)
    assert "interrupted" in run.messages, run.messages

    assert "games: 40 of 40" in start(cluster, "match", *MATCH).wait_for_exit(0)
    subprocess.run([PENTARCH, *MATCH, "--concurrency", "2", "--record", "expected"], cwd=FOLDER, check=True,
                   stdout=subprocess.DEVNULL)
    numbered = {text.split('[Number "')[1].split('"')[0]: without_times(text) for text in read_records("expected")}
    assert [numbered[str(number)] for number in range(1, 41)] == [without_times(text) for text in read_records("match")]
    # The match is over. Another run does nothing and changes nothing.
    start(cluster, "match", *MATCH).wait_for_exit(0)
    run = start(cluster, "match", *MATCH, "--seed", "2", "--random-plies", "3")
    run.wait_for_exit(1)
    assert "another match" in run.messages, run.messages
    cluster.end()


def stop_a_match_by_sprt() -> None:
    """The shards after the decision are not computed."""
    cluster = Cluster(2)
    match = "arena --game bushka --first-nodes 300 --second-nodes 1 --plies 60 --games 2000 --sprt 0 200".split()
    run = start(cluster, "sprt", *match, "--patience", "900000")
    assert "H1 taken" in run.wait_for_exit(0)
    assert run.shards() < 200
    cluster.end()


def send_files_and_results_by_network() -> None:
    """The workers do not share the disk of the driver."""
    cluster = Cluster(2)
    requests = [json.dumps({"id": number, "game": "quoridor", "depth": 1}) for number in range(4)]
    (FOLDER / "requests").write_text("\n".join(requests))
    analyse = ["analyse", "--requests", "requests", "--no-shared-disk"]
    start(cluster, "answers", *analyse).wait_for_exit(0)
    expected = subprocess.run([PENTARCH, *analyse[:3]], cwd=FOLDER, check=True, stdout=subprocess.PIPE, text=True)
    assert without_times((FOLDER / "answers").read_text()) == without_times(expected.stdout)
    wait_until("the input files are removed", lambda: not list(FOLDER.glob("dask-scratch-space/*/pentarch-*")))
    # An invalid request fails on each worker.
    (FOLDER / "requests").write_text("\n".join([*requests, '{"stop": 1}']))
    run = start(cluster, "refused", *analyse)
    run.wait_for_exit(1)
    error = run.messages.splitlines()[-1]
    assert "the shard 4..5 has failed 3 times" in error and "line 5: it has 'stop'" in error, run.messages
    run = start(cluster, "refused", "analyse", "--requests", "nothing")
    run.wait_for_exit(1)
    assert "nothing: No such file" in run.messages, run.messages
    cluster.end()


def run_two_drivers_and_retire_a_worker() -> None:
    """The end of a driver does not stop another driver. The retirement of a worker is not a failure."""
    cluster = Cluster(2)
    tune = "tune --game bushka --plies 30 --games".split()
    short = start(cluster, "short", *tune, "3", "--nodes", "1500", "--seed", "2")
    short.wait_for_shards(1)
    # This stops it until the other driver works, because a driver may take longer to start than all shards.
    short.process.send_signal(signal.SIGSTOP)
    # The shards of this job take long, and most of them remain when the short job ends.
    long = start(cluster, "long", *tune, "40", "--nodes", "30000")
    long.wait_for_shards(1)
    short.process.send_signal(signal.SIGCONT)
    short.wait_for_exit(0)
    assert long.process.poll() is None
    with connect(cluster) as client:
        client.retire_workers([next(iter(client.nthreads()))])
    long.wait_for_exit(0)
    assert long.shards() == 40 and "failed" not in long.messages, long.messages
    cluster.end()


def run_self_play_on_local_workers() -> None:
    """The driver starts workers on this machine. The sizes of the shards depend on the number of games."""
    tune = "tune --game bushka --nodes 40 --plies 16 --games 300".split()
    run = Driver(None, "data", *tune, "--program", str(PENTARCH), "--workers", "2")
    run.wait_for_exit(0)
    # There are too few games for training. This is reported after the games are played.
    subprocess.run([PENTARCH, *tune, "--data", "expected-data"], cwd=FOLDER, stderr=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL)
    assert (FOLDER / "data").read_bytes() == (FOLDER / "expected-data").read_bytes()


TRIALS = [
    end_the_driver_of_a_match, stop_a_match_by_sprt, send_files_and_results_by_network,
    run_two_drivers_and_retire_a_worker, run_self_play_on_local_workers,
]
