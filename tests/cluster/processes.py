"""Processes of a Dask cluster for the trials: a scheduler, workers and drivers."""

from __future__ import annotations

import atexit
import os
import re
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Optional, TypeVar

import distributed

Result = TypeVar("Result")
PENTARCH = Path(sys.argv[1]).resolve()
FOLDER = Path(sys.argv[2]).resolve()
#: A variable in the environment of all processes of this test, including those that others start.
MARK = "PENTARCH_CLUSTER_TEST"
os.environ[MARK] = str(uuid.uuid4())
#: All processes find the program on the PATH.
os.environ["PATH"] = f"{PENTARCH.parent}:{os.environ['PATH']}"
#: The time limit in seconds: no result takes longer, however busy the machine is.
PATIENCE = 900
#: The time in seconds within which the driver names an event.
NAMED_WITHIN = 60


def wait_until(what: str, happens: Callable[[], Result], limit: float = PATIENCE) -> Result:
    """Waits until a call returns a true value, and returns this value."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        result = happens()
        if result:
            return result
        time.sleep(0.05)
    raise AssertionError(f"this has not happened within {limit} s: {what}")


def parent_of(process: int) -> int:
    """Returns the parent of a process."""
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def programs_of(parent: Optional[int] = None) -> list[int]:
    """Returns the running processes of the program that this test has started: all, or those of this parent."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            is_ours = f"{MARK}={os.environ[MARK]}".encode() in (process / "environ").read_bytes().split(b"\0")
            command = (process / "cmdline").read_bytes().split(b"\0")[0]
            is_child = parent in (None, parent_of(int(process.name)))
        except OSError:
            continue
        if is_ours and is_child and command and b"python" not in command:
            found.append(int(process.name))
    return found


class Cluster:
    """A scheduler with workers. Each worker has one thread."""

    def __init__(self, workers: int = 0, *flags: str) -> None:
        """Starts the scheduler with these flags, and this number of workers."""
        self.file = FOLDER / f"scheduler-{uuid.uuid4()}.json"
        self.workers: list[subprocess.Popen[Any]] = []
        self.start_scheduler(*flags)
        for _ in range(workers):
            self.start_worker()

    def start_scheduler(self, *flags: str) -> None:
        # The scheduler does not need the package.
        self.scheduler = start_dask("scheduler", {"PYTHONPATH": ""}, "--host", "127.0.0.1", "--port", "0",
                                    "--scheduler-file", str(self.file), "--no-dashboard", *flags)
        wait_until("a scheduler starts", self.file.exists)

    def start_worker(self, name: str = "", environment: Mapping[str, str] = {}, *flags: str) -> subprocess.Popen[Any]:
        """Starts a worker. `environment` changes variables."""
        name = name or f"worker-{len(self.workers)}"
        common = ["--scheduler-file", str(self.file), "--no-dashboard", "--nthreads", "1", "--no-nanny"]
        worker = start_dask("worker", environment, *common, "--name", name, *flags)
        self.workers.append(worker)
        return worker

    def is_connected(self, count: int) -> bool:
        """Returns whether this number of workers is connected."""
        with connect(self) as client:
            return len(client.nthreads()) == count

    def end(self) -> None:
        """Ends all processes of the cluster."""
        for worker in self.workers:
            # A program that hangs does not notice the end of its worker.
            resume(worker)
        for process in [self.scheduler, *self.workers]:
            process.kill()
            process.wait()
        self.file.unlink()


def connect(cluster: Cluster) -> Any:
    """Returns a client of a cluster."""
    client_type: Any = distributed.Client
    return client_type(scheduler_file=str(cluster.file))


#: All schedulers and workers. Those of a failed trial would remain.
STARTED: list[subprocess.Popen[Any]] = []


@atexit.register
def end_processes() -> None:
    """Ends the schedulers and the workers."""
    for process in STARTED:
        process.kill()


def start_dask(kind: str, environment: Mapping[str, str], *flags: str) -> subprocess.Popen[Any]:
    """Starts a scheduler or a worker."""
    log = (FOLDER / "log").open("a")
    command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *flags]
    STARTED.append(subprocess.Popen(command, cwd=FOLDER, stderr=log, stdout=log, env={**os.environ, **environment}))
    return STARTED[-1]


class Driver:
    """A running driver."""

    def __init__(self, cluster: Optional[Cluster], out: str, *arguments: str) -> None:
        self.out = out
        self.errors = FOLDER / f"errors-{uuid.uuid4()}"
        scheduler = ["--scheduler", str(cluster.file)] if cluster else []
        command = [sys.executable, "-m", "pentarch.cluster", *arguments, "--out", out, *scheduler]
        self.process = subprocess.Popen(command, cwd=FOLDER, stderr=self.errors.open("w"), stdout=subprocess.PIPE,
                                        text=True)

    @property
    def messages(self) -> str:
        """The error output so far."""
        return self.errors.read_text()

    def wait_for_message(self, *parts: str) -> None:
        """Waits until the driver names an event on one line with all these parts."""
        pattern = re.compile("^pentarch.cluster: .*" + ".*".join(map(re.escape, parts)), re.MULTILINE)
        try:
            wait_until(f"the driver reports {parts}", lambda: pattern.search(self.messages), NAMED_WITHIN)
        except AssertionError as error:
            raise AssertionError(f"{error}: {self.messages}") from None

    def wait_for_exit(self, code: int) -> str:
        """Waits for the end of the driver with this code, and returns its output."""
        out, _ = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == code, (self.process.returncode, self.messages)
        assert "Traceback" not in self.messages, self.messages
        return str(out)

    def shards(self) -> int:
        """Returns the number of finished shards."""
        return len(list((FOLDER / f"{self.out}.shards").glob("*.shard")))

    def wait_for_shards(self, count: int) -> None:
        """Waits until this number of shards is finished, while the driver runs."""
        wait_until(f"{count} shards are finished", lambda: self.shards() >= count or self.process.poll() is not None)
        assert self.process.poll() is None, self.messages


def stop(worker: subprocess.Popen[Any]) -> None:
    """Lets a worker hang with its programs."""
    for process in [worker.pid, *programs_of(worker.pid)]:
        os.kill(process, signal.SIGSTOP)


def resume(worker: subprocess.Popen[Any]) -> None:
    """Ends the hanging of a worker and its programs."""
    for process in [worker.pid, *programs_of(worker.pid)]:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGCONT)
