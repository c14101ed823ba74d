"""Shares out a work of the program among the workers of a Dask cluster.

    python -m pentarch.cluster arena --game bushka --nodes 1000 --out match.games --scheduler tcp://head:8786

The command is one of the program's that takes `--shard`, with its flags. What is done is kept as shards in a folder
beside the file that comes of it, so that after any interruption the same command does only what is missing. Without
`--scheduler` it starts workers on this machine. It needs `pip install 'pentarch[cluster]'`, on the workers as well.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Optional, Union

import dask
import distributed

from pentarch import program

#: The flags whose values are files that the workers read.
INPUTS = ("--engines", "--openings", "--requests")
#: How often a shard is tried whose worker dies with it, or whose program is ended by a signal.
TRIES = 3
#: How many workers may die with a shard before a scheduler that is started here gives it back.
ALLOWED_FAILURES = 5
#: Why a work ends whose scheduler ends.
GONE = "the scheduler has gone; the same command goes on"
#: The seconds between two looks at what has ended.
INTERVAL = 0.1


class Failed(Exception):
    """Why the work does not go on."""


@dataclass(frozen=True)
class Job:
    """What the workers need to know."""

    #: Tells this run of the driver from others.
    key: str
    #: The program and its arguments, without those of the shard.
    command: tuple[str, ...]
    #: The folder of the driver, in which it runs where it is the same on the worker.
    folder: str
    #: The folder of the shards.
    shards: str
    #: What all shards of the work have in common.
    common: dict[str, Any] = field(default_factory=dict)

    def is_shared(self) -> bool:
        """Whether this machine sees the folder of the shards."""
        with suppress(OSError):
            return self.mark().exists()
        return False

    def mark(self) -> Path:
        """A file of this run of the driver, by which a worker sees whether it has the same folder."""
        return Path(self.shards, f"driver-{self.key}")


def name_of(first: int, last: int) -> str:
    """The name of the file of a shard."""
    return f"{first:09}-{last:09}.shard"


class Shards(distributed.WorkerPlugin):
    """What a worker has of a job: files to read where no disk is shared, and the programs that run."""

    def __init__(self, job: Job, inputs: dict[str, bytes], is_local: bool) -> None:
        self.job = job
        self.inputs = inputs
        self.is_local = is_local
        self.name = f"pentarch-{job.key}"

    def setup(self, worker: Any) -> None:
        """Writes the files, before the worker gets any shard."""
        if self.is_local and threading.current_thread() is threading.main_thread():
            # Ctrl-C in the terminal of the driver is for the driver, which ends its workers.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        if not self.job.is_shared():
            for name, contents in self.inputs.items():
                path = folder_of(worker, self.job) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(contents)

    def teardown(self, worker: Any) -> None:
        """Ends the programs of the job and removes its files, when the job ends or the worker closes."""
        for process in running.pop(self.job.key, {}).copy():
            end(process)
        shutil.rmtree(folder_of(worker, self.job), ignore_errors=True)


#: The programs that run on this worker, by the keys of their jobs.
running: dict[str, set[subprocess.Popen[bytes]]] = {}


def folder_of(worker: Any, job: Job) -> Path:
    """The folder of a job on a worker that does not see that of the driver."""
    folder = Path(worker.local_directory, f"pentarch-{job.key}")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends a program by the end of its input, so that it ends its engines, too."""
    assert process.stdin is not None
    with suppress(OSError):
        process.stdin.close()


def do_shard(job: Job, first: int, last: int) -> Union[None, bytes, str, tuple[int, str]]:
    """Does a shard on a worker. Returns the file, as its name where the driver sees it and else as its bytes, or with
    which code the program has ended and what it has said; nothing if the worker has ended it, because it closes."""
    worker = distributed.get_worker()
    is_shared = job.is_shared()
    folder = Path(job.folder) if is_shared else folder_of(worker, job)
    # The shard gets its name when it has been looked at; until then nothing else has this one.
    path = Path(job.shards if is_shared else folder, f"{name_of(first, last)}.{os.urandom(8).hex()}")
    command = [*job.command, "--shard", f"{first}..{last}", "--output", str(path), "--until-eof"]
    with tempfile.TemporaryFile() as errors:
        # In a session of its own it does not get the signals of the worker's terminal: the end of its input ends it.
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True
        )
        assert process.stdin is not None
        running.setdefault(job.key, set()).add(process)
        try:
            while process.poll() is None:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(INTERVAL)
                if is_unwanted(worker):
                    end(process)
        finally:
            is_ended_here = process.stdin.closed
            end(process)
            process.wait()
            running.get(job.key, set()).discard(process)
        if process.returncode != 0:
            if is_ended_here:
                return None
            errors.seek(max(errors.tell() - 10_000, 0))
            return process.returncode, errors.read().decode(errors="replace").strip()
    names = differences(header_of(beginning(path), str(path)), job.common)
    if names:
        path.unlink()
        fault = f"{worker.address} has made the shard {first}..{last} with another {names}"
        raise Failed(f"{fault}; all need the same program and the same files")
    if is_shared:
        path.replace(Path(job.shards, name_of(first, last)))
        return path.name
    contents = path.read_bytes()
    path.unlink()
    return contents


def is_unwanted(worker: Any) -> bool:
    """Whether nobody waits for the shard of this thread any more, or the worker closes."""
    task = worker.state.tasks.get(worker.get_current_task())
    return task is None or task.state == "cancelled" or worker.status not in WORKING


WORKING = (distributed.Status.running, distributed.Status.paused)


class Driver:
    """One run of the driver."""

    def __init__(self, options: argparse.Namespace, command: Sequence[str]) -> None:
        self.options = options
        self.arguments = list(command)
        self.out = Path(options.out)
        self.shards = Path(options.shards or f"{options.out}.shards").resolve()
        self.shards.mkdir(parents=True, exist_ok=True)
        key = hashlib.sha256(os.urandom(16)).hexdigest()[:16]
        self.job = Job(key, (options.program, *command), os.getcwd(), str(self.shards))
        self.futures: dict[tuple[int, int], Any] = {}
        self.tries: dict[tuple[int, int], int] = {}
        self.submitted = 0
        self.header: Any = None
        self.shown = ""

    # The shards that are there.

    def read_header(self) -> Any:
        """What every shard says of itself, as the program tells it without doing anything."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "none.shard")
            command = [*self.job.command, "--shard", "0..0", "--output", str(path)]
            code = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode
            if code != 0:
                raise SystemExit(code)
            self.header = header_of(path.read_bytes(), str(path))
            self.job = replace(self.job, common=without_range(self.header))
            if self.header["count"] == 0:
                # It is the only shard.
                put(self.shards / name_of(0, 0), path.read_bytes())

    def missing(self) -> list[tuple[int, int]]:
        """The ranges of numbers that no shard has."""
        ranges = []
        for path in sorted(self.shards.glob("*.shard")):
            there = header_of(beginning(path), str(path))
            ranges.append((there["from"], there["to"]))
            names = differences(there, self.job.common)
            if names:
                raise Failed(f"{path} is a shard of another work, with another {names}; --shards names another folder")
        found, done = [], 0
        for first, last in [*sorted(ranges), (self.header["count"], self.header["count"])]:
            if first > done:
                found.append((done, first))
            done = max(done, last)
        return found

    # The work.

    def run(self) -> None:
        """Does what is missing, and merges the shards."""
        self.read_header()
        missing = self.missing()
        if missing and not (self.is_sequential() and self.merge(True)):
            if self.out.exists():
                raise Failed(f"{self.out} is there already, and shards are missing in {self.shards}")
            self.share_out(missing, self.header["count"])
        if not self.merge(False):
            raise SystemExit(1)
        if self.arguments[0] == "arena":
            # The match is over: this reports its result.
            result = subprocess.run([*self.job.command, "--record", str(self.out)], stdin=subprocess.DEVNULL)
            raise SystemExit(result.returncode)

    def is_sequential(self) -> bool:
        """Whether a test can end the match."""
        return "--sprt" in self.arguments

    def merge(self, is_try: bool) -> bool:
        """Merges the shards, and returns whether they are enough; if that was only tried, nothing is said else."""
        command = [self.options.program, "merge", str(self.out), str(self.shards)]
        errors = subprocess.DEVNULL if is_try else None
        return subprocess.run(command, stdin=subprocess.DEVNULL, stderr=errors).returncode == 0

    def share_out(self, missing: list[tuple[int, int]], count: int) -> None:
        """Has the workers do what is missing."""
        if "DASK_LOGGING__DISTRIBUTED" not in os.environ:
            # Connections that end are no news here.
            logging.getLogger("distributed").setLevel(logging.CRITICAL)
            os.environ["DASK_LOGGING__DISTRIBUTED"] = "critical"
        client = self.client()
        try:
            if self.options.shared_disk:
                self.job.mark().touch()
            client.register_plugin(Shards(self.job, self.inputs(), self.options.scheduler is None))
            self.work(client, missing, count)
        finally:
            self.show("", is_last=True)
            with suppress(OSError):
                self.job.mark().unlink()
            # The scheduler may have gone: what fails here is not to hide why the work has ended.
            with suppress(Exception):
                if client.status == "running":
                    client.cancel(list(self.futures.values()))
                    client.unregister_worker_plugin(f"pentarch-{self.job.key}")
            with suppress(Exception):
                client.close()

    def client(self) -> Any:
        """A connection to the scheduler."""
        address: Optional[str] = self.options.scheduler
        connect: Any = distributed.Client
        if address is None:
            dask.config.set({"distributed.scheduler.allowed-failures": ALLOWED_FAILURES})
            # What it starts ignores Ctrl-C as well, then: that is for this process.
            before = signal.signal(signal.SIGINT, signal.SIG_IGN)
            try:
                return connect(n_workers=self.options.workers, threads_per_worker=1, memory_limit=0)
            finally:
                signal.signal(signal.SIGINT, before)
        try:
            if address.endswith(".json"):
                return connect(scheduler_file=address, timeout=60)
            return connect(address, timeout=60)
        except (OSError, ValueError) as error:
            raise Failed(f"the scheduler {address} cannot be reached: {error}") from error

    def inputs(self) -> dict[str, bytes]:
        """The files that the program reads, for workers that do not see the folder of the driver."""
        inputs = {}
        for at, word in enumerate(self.arguments):
            flag, is_joined, value = word.partition("=")
            if flag in INPUTS:
                name = value if is_joined else self.arguments[at + 1]
                # Elsewhere only a path below the folder in which the program runs means the same.
                if not Path(name).is_absolute() and ".." not in Path(name).parts:
                    inputs[name] = Path(name).read_bytes()
        return inputs

    def work(self, client: Any, missing: list[tuple[int, int]], count: int) -> None:
        """Submits shard after shard, twice as many at once as there are workers, until all are there or enough."""
        slots = self.slots(client)
        size = self.options.size or max(1, count // (8 * max(1, slots)))
        waiting = [part for whole in missing for part in split(whole, size)]
        all_shards, done, enough = len(waiting), 0, False
        waiting.reverse()
        self.begun = self.looked = self.next_try = time.monotonic()
        while (waiting or self.futures) and not enough:
            if time.monotonic() - self.looked > 5:
                slots, self.looked = self.slots(client), time.monotonic()
            while waiting and len(self.futures) < 2 * max(1, slots):
                self.submit(client, waiting.pop())
            ended = [part for part, future in self.futures.items() if future.status != "pending"]
            if client.status != "running":
                raise Failed(GONE)
            for part in ended:
                if self.take(self.futures.pop(part), part):
                    done += 1
                else:
                    self.submit(client, part)
            if ended and self.is_sequential() and time.monotonic() > self.next_try:
                begun = time.monotonic()
                enough = self.merge(True)
                # Of many shards it takes long: it is not to take more than a tenth of the time.
                self.next_try = begun + 10 * (time.monotonic() - begun)
            self.show(f"{done} of {all_shards} shards, {slots} workers{self.left(done, all_shards)}")
            if not ended:
                time.sleep(INTERVAL)

    def slots(self, client: Any) -> int:
        """How many shards can be done at once."""
        if client.status != "running":
            return 0
        try:
            return sum(client.nthreads().values())
        except OSError as error:
            # The status changes only after the connection has failed.
            raise Failed(GONE) from error

    def submit(self, client: Any, part: tuple[int, int]) -> None:
        self.submitted += 1
        key = f"pentarch-{self.job.key}-{part[0]}-{part[1]}-{self.submitted}"
        self.futures[part] = client.submit(do_shard, self.job, *part, key=key, pure=False, priority=-part[0])

    def take(self, future: Any, part: tuple[int, int]) -> bool:
        """Takes what has come of a shard, and returns whether it is done; if not, it is to be tried again."""
        first, last = part
        fault, is_done = "", False
        if future.status == "finished":
            try:
                result = future.result()
            except (OSError, distributed.CancelledError) as cause:
                # The result comes through the scheduler. Its end cancels the finished futures too.
                raise Failed(GONE) from cause
            if isinstance(result, bytes):
                put(self.shards / name_of(first, last), result)
                is_done = True
            elif isinstance(result, str):
                is_done = True
            elif isinstance(result, tuple):
                code, text = result
                fault = f"the program has ended with the code {code} in the shard {first}..{last}\n{text}"
                # By itself it ends so again; a signal comes from elsewhere, such as a lack of memory.
                if code > 0:
                    raise Failed(fault)
        elif future.status == "error":
            error = future.exception()
            if isinstance(error, Failed):
                raise error
            fault = f"the shard {first}..{last}: {type(error).__name__}: {error}"
            if not isinstance(error, distributed.KilledWorker):
                raise Failed(fault)
            fault = f"workers have died with the shard {first}..{last}; the last one was {error.last_worker.address}"
        elif future.status in ("cancelled", "lost"):
            fault = f"the shard {first}..{last} was cancelled"
        future.release()
        if fault:
            self.tries[part] = self.tries.get(part, 0) + 1
            if self.tries[part] >= TRIES:
                raise Failed(f"{fault} ({TRIES} times)")
        return is_done

    # What is shown.

    def left(self, done: int, count: int) -> str:
        if done == 0:
            return ""
        seconds = int((time.monotonic() - self.begun) / done * (count - done))
        return f", {seconds // 60}:{seconds % 60:02} left"

    def show(self, text: str, is_last: bool = False) -> None:
        """Shows how far the work is, on a terminal as a line that is overwritten."""
        if sys.stderr.isatty() and text != self.shown:
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
        elif is_last and self.shown:
            print(self.shown, file=sys.stderr)
        self.shown = text


def split(whole: tuple[int, int], size: int) -> Iterator[tuple[int, int]]:
    """Parts of a range that have so many numbers; the last one may have fewer."""
    first, last = whole
    for at in range(first, last, size):
        yield at, min(at + size, last)


def beginning(path: Path) -> bytes:
    """The first line of a file; nothing if it cannot be read."""
    with suppress(OSError), path.open("rb") as file:
        return file.readline()
    return b""


def header_of(contents: bytes, name: str) -> Any:
    """The header of a shard."""
    with suppress(ValueError):
        header = json.loads(contents.split(b"\n", 1)[0])
        if isinstance(header, dict) and isinstance(header.get("settings"), dict) and {"from", "to"} <= {*header}:
            return header
    raise Failed(f"{name} is no shard")


def without_range(header: Any) -> dict[str, Any]:
    """What shards of one work have in common, with the settings beside the rest."""
    common = {name: value for name, value in header.items() if name not in ("from", "to", "settings")}
    return {**common, **header["settings"]}


def differences(header: Any, common: dict[str, Any]) -> str:
    """The names of what a header has otherwise than the shards of a work."""
    one = without_range(header)
    return ", ".join(sorted(repr(name)[1:-1] for name in {*one, *common} if one.get(name) != common.get(name)))


def put(path: Path, contents: bytes) -> None:
    """Writes a file that appears under its name when it is complete."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    with part.open("wb") as file:
        file.write(contents)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def interrupt(*_: object) -> None:
    # Once more ends it without cleaning up: the workers notice.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: os._exit(130))
    raise KeyboardInterrupt


def positive(text: str) -> int:
    """A flag's value that is a number from 1 on."""
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r}: a whole number from 1 on expected")


def fault_of(options: argparse.Namespace) -> Optional[str]:
    """What is wrong with the files that the flags name, as far as it can be told before the work."""
    out = Path(options.out)
    if shutil.which(options.program) is None:
        return f"--program {options.program!r}: there is no such program"
    if options.scheduler and options.scheduler.endswith(".json") and not Path(options.scheduler).is_file():
        return f"--scheduler {options.scheduler!r}: there is no such file"
    if out.exists() and not out.is_file():
        return f"--out {options.out!r}: it is not a regular file"
    if not out.parent.is_dir():
        return f"--out {options.out!r}: there is no such directory"
    if not os.access(out.parent, os.W_OK):
        return f"--out {options.out!r}: its directory cannot be written to"
    return None


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the driver, and returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m pentarch.cluster",
        allow_abbrev=False,
        description="Shares out a work of pentarch among the workers of a Dask cluster.",
        epilog="All other flags are those of the command: 'pentarch COMMAND --help' lists them.",
    )
    parser.add_argument("command", choices=["arena", "tune", "analyse"], help="what to do")
    parser.add_argument("--out", required=True, metavar="FILE", help="the file that the command on one machine writes")
    parser.add_argument("--shards", metavar="FOLDER", help="the folder of what is done [default: FILE.shards]")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="an address, or the file of a scheduler (*.json)")
    parser.add_argument("--workers", type=positive, metavar="N", help="how many workers to start without a scheduler")
    size_help = "how many numbers a shard has [default: eight shards a worker]"
    parser.add_argument("--size", type=positive, metavar="N", help=size_help)
    parser.add_argument(
        "--no-shared-disk", dest="shared_disk", action="store_false",
        help="send files and results by the network, even if the workers see this folder",
    )
    parser.add_argument("--program", default=program(), metavar="FILE", help="the program, on all machines")
    options, others = parser.parse_known_args(arguments)
    fault = fault_of(options)
    if fault:
        parser.error(fault)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    try:
        Driver(options, [options.command, *others]).run()
    except (Failed, OSError) as error:
        print(f"pentarch.cluster: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("pentarch.cluster: interrupted; the same command goes on", file=sys.stderr)
        return 130
    except SystemExit as end_of_program:
        return int(end_of_program.code or 0)
    return 0


if __name__ == "__main__":
    # So that the workers find what they are sent in the module of this name.
    from pentarch import cluster

    sys.exit(cluster.main())
