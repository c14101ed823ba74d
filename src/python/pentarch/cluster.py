"""Distributes a job of the program to the workers of a Dask cluster.

    python -m pentarch.cluster arena --game bushka --nodes 1000 --out match.games --scheduler tcp://head:8786

The command must be a command with the flag `--shard`; you can add its other flags. The driver stores finished shards in
a folder next to the output file. After an interruption the same command computes only the missing shards. Without
`--scheduler` the driver starts workers on this machine. It requires `pip install 'pentarch[cluster]'`, also on the
workers.
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

#: Flags with names of files that the workers read.
INPUT_FLAGS = ("--engines", "--openings", "--requests")
#: Maximum number of tries of a shard, if its worker dies or a signal ends its program.
MAX_TRIES = 3
#: If more workers die with a shard, the scheduler gives up the shard. Only for a scheduler that the driver starts.
ALLOWED_FAILURES = 5
#: Error if the scheduler ends during a job.
SCHEDULER_GONE = "the scheduler has gone; run the same command again to continue"
#: Seconds between two polls for finished shards.
POLL_INTERVAL = 0.1


class DriverError(Exception):
    """An error that ends the job."""


@dataclass(frozen=True)
class Job:
    """The description of a job for the workers."""

    #: Identifier of this run of the driver.
    key: str
    #: Program and arguments, without the arguments for a single shard.
    command: tuple[str, ...]
    #: Working directory of the driver. If the worker shares the disk, the program has the same directory.
    folder: str
    #: Folder of the shards.
    shards: str
    #: Header fields that are the same in all shards of the job.
    common: dict[str, Any] = field(default_factory=dict)

    def is_shared(self) -> bool:
        """Returns whether this machine has the folder of the shards."""
        with suppress(OSError):
            return self.marker().exists()
        return False

    def marker(self) -> Path:
        """Returns the path of a file that shows a worker whether it shares the folder with this run of the driver."""
        return Path(self.shards, f"driver-{self.key}")


def shard_name(first: int, last: int) -> str:
    """Returns the file name of a shard."""
    return f"{first:09}-{last:09}.shard"


class JobPlugin(distributed.WorkerPlugin):
    """The part of a job on a worker: the running programs, and the input files if the worker shares no disk."""

    def __init__(self, job: Job, inputs: dict[str, bytes], is_local: bool) -> None:
        self.job = job
        self.inputs = inputs
        self.is_local = is_local
        self.name = f"pentarch-{job.key}"

    def setup(self, worker: Any) -> None:
        """Writes the input files, before the worker gets a shard."""
        if self.is_local and threading.current_thread() is threading.main_thread():
            # Only the driver handles Ctrl-C in its terminal, and ends its workers.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        if not self.job.is_shared():
            for name, contents in self.inputs.items():
                path = worker_folder(worker, self.job) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(contents)

    def teardown(self, worker: Any) -> None:
        """Ends the programs of the job and removes its files when the job ends or the worker closes."""
        for process in running.pop(self.job.key, {}).copy():
            close_input(process)
        shutil.rmtree(worker_folder(worker, self.job), ignore_errors=True)


#: Running programs on this worker, by the keys of their jobs.
running: dict[str, set[subprocess.Popen[bytes]]] = {}


def worker_folder(worker: Any, job: Job) -> Path:
    """Creates and returns the folder of a job on a worker that does not share the disk of the driver."""
    folder = Path(worker.local_directory, f"pentarch-{job.key}")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def close_input(process: subprocess.Popen[bytes]) -> None:
    """Closes the input of a program. The program then ends itself and its engines."""
    assert process.stdin is not None
    with suppress(OSError):
        process.stdin.close()


def run_shard(job: Job, first: int, last: int) -> Union[None, bytes, str, tuple[int, str]]:
    """Runs a shard on a worker.

    Returns the name of the shard file if the driver shares the disk, otherwise its bytes. If the program fails, returns
    its exit code and its errors. If the worker closes and has ended the program, returns None.
    """
    worker = distributed.get_worker()
    is_shared = job.is_shared()
    folder = Path(job.folder) if is_shared else worker_folder(worker, job)
    # The file has a unique name until its header is checked.
    path = Path(job.shards if is_shared else folder, f"{shard_name(first, last)}.{os.urandom(8).hex()}")
    command = [*job.command, "--shard", f"{first}..{last}", "--output", str(path), "--until-eof"]
    with tempfile.TemporaryFile() as errors:
        # In a separate session the program gets no signals from the worker's terminal. It ends when its input ends.
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True
        )
        assert process.stdin is not None
        running.setdefault(job.key, set()).add(process)
        try:
            while process.poll() is None:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(POLL_INTERVAL)
                if is_cancelled(worker):
                    close_input(process)
        finally:
            is_ended_here = process.stdin.closed
            close_input(process)
            process.wait()
            running.get(job.key, set()).discard(process)
        if process.returncode != 0:
            if is_ended_here:
                return None
            errors.seek(max(errors.tell() - 10_000, 0))
            return process.returncode, errors.read().decode(errors="replace").strip()
    names = differing_names(parse_header(first_line(path), str(path)), job.common)
    if names:
        path.unlink()
        fault = f"{worker.address} has computed the shard {first}..{last} with another {names}"
        raise DriverError(f"{fault}; all workers need the same program and the same files")
    if is_shared:
        path.replace(Path(job.shards, shard_name(first, last)))
        return path.name
    contents = path.read_bytes()
    path.unlink()
    return contents


def is_cancelled(worker: Any) -> bool:
    """Returns whether the shard of this thread is no longer needed, or the worker closes."""
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

    # Existing shards.

    def read_header(self) -> Any:
        """Lets the program write an empty shard, without any computation, and reads the header of all shards there."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "none.shard")
            command = [*self.job.command, "--shard", "0..0", "--output", str(path)]
            code = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode
            if code != 0:
                raise SystemExit(code)
            self.header = parse_header(path.read_bytes(), str(path))
            self.job = replace(self.job, common=without_range(self.header))
            if self.header["count"] == 0:
                # This shard is the only one.
                write_file(self.shards / shard_name(0, 0), path.read_bytes())

    def missing_ranges(self) -> list[tuple[int, int]]:
        """Returns the ranges of numbers that are in no shard."""
        ranges = []
        for path in sorted(self.shards.glob("*.shard")):
            header = parse_header(first_line(path), str(path))
            ranges.append((header["from"], header["to"]))
            names = differing_names(header, self.job.common)
            if names:
                fault = f"{path} is a shard of another job, with another {names}"
                raise DriverError(f"{fault}; choose another folder with --shards")
        found = []
        done = 0
        for first, last in [*sorted(ranges), (self.header["count"], self.header["count"])]:
            if first > done:
                found.append((done, first))
            done = max(done, last)
        return found

    # Computation.

    def run(self) -> None:
        """Computes the missing shards, and merges all shards."""
        self.read_header()
        missing = self.missing_ranges()
        if missing and not (self.is_sequential() and self.merge(True)):
            if self.out.exists():
                raise DriverError(f"{self.out} exists already, but shards are missing in {self.shards}")
            self.distribute(missing, self.header["count"])
        if not self.merge(False):
            raise SystemExit(1)
        if self.arguments[0] == "arena":
            # The match is over: this reports its result.
            result = subprocess.run([*self.job.command, "--record", str(self.out)], stdin=subprocess.DEVNULL)
            raise SystemExit(result.returncode)

    def is_sequential(self) -> bool:
        """Returns whether a sequential test can end the match."""
        return "--sprt" in self.arguments

    def merge(self, is_try: bool) -> bool:
        """Merges the shards, and returns whether they are sufficient. A try does not report missing shards."""
        command = [self.options.program, "merge", str(self.out), str(self.shards)]
        errors = subprocess.DEVNULL if is_try else None
        return subprocess.run(command, stdin=subprocess.DEVNULL, stderr=errors).returncode == 0

    def distribute(self, missing: list[tuple[int, int]], count: int) -> None:
        """Lets the workers compute the missing ranges."""
        if "DASK_LOGGING__DISTRIBUTED" not in os.environ:
            # Do not log closed connections.
            logging.getLogger("distributed").setLevel(logging.CRITICAL)
            os.environ["DASK_LOGGING__DISTRIBUTED"] = "critical"
        client = self.connect()
        try:
            if self.options.shared_disk:
                self.job.marker().touch()
            client.register_plugin(JobPlugin(self.job, self.read_inputs(), self.options.scheduler is None))
            self.run_shards(client, missing, count)
        finally:
            self.show_progress("", is_last=True)
            with suppress(OSError):
                self.job.marker().unlink()
            # The scheduler may be gone. An error here must not hide the reason why the job ended.
            with suppress(Exception):
                if client.status == "running":
                    client.cancel(list(self.futures.values()))
                    client.unregister_worker_plugin(f"pentarch-{self.job.key}")
            with suppress(Exception):
                client.close()

    def connect(self) -> Any:
        """Connects to the scheduler, or starts one with workers on this machine."""
        address: Optional[str] = self.options.scheduler
        client_type: Any = distributed.Client
        if address is None:
            dask.config.set({"distributed.scheduler.allowed-failures": ALLOWED_FAILURES})
            # The started processes inherit this setting, so that only the driver handles Ctrl-C.
            before = signal.signal(signal.SIGINT, signal.SIG_IGN)
            try:
                return client_type(n_workers=self.options.workers, threads_per_worker=1, memory_limit=0)
            finally:
                signal.signal(signal.SIGINT, before)
        try:
            if address.endswith(".json"):
                return client_type(scheduler_file=address, timeout=60)
            return client_type(address, timeout=60)
        except (OSError, ValueError) as error:
            raise DriverError(f"the scheduler {address} cannot be reached: {error}") from error

    def read_inputs(self) -> dict[str, bytes]:
        """Returns the input files of the program, by name, for workers that do not share the disk of the driver."""
        inputs = {}
        for at, word in enumerate(self.arguments):
            flag, is_joined, value = word.partition("=")
            if flag in INPUT_FLAGS:
                name = value if is_joined else self.arguments[at + 1]
                # Only a path below the working directory names the same file on a worker.
                if not Path(name).is_absolute() and ".." not in Path(name).parts:
                    inputs[name] = Path(name).read_bytes()
        return inputs

    def run_shards(self, client: Any, missing: list[tuple[int, int]], count: int) -> None:
        """Submits the shards until all or enough are done. At any time, at most two per worker are submitted."""
        slots = self.slots(client)
        size = self.options.size or max(1, count // (8 * max(1, slots)))
        waiting = [part for whole in missing for part in split_range(whole, size)]
        all_shards = len(waiting)
        done = 0
        is_enough = False
        waiting.reverse()
        self.started = self.slots_updated = self.next_try = time.monotonic()
        while (waiting or self.futures) and not is_enough:
            if time.monotonic() - self.slots_updated > 5:
                slots, self.slots_updated = self.slots(client), time.monotonic()
            while waiting and len(self.futures) < 2 * max(1, slots):
                self.submit(client, waiting.pop())
            ended = [part for part, future in self.futures.items() if future.status != "pending"]
            if client.status != "running":
                raise DriverError(SCHEDULER_GONE)
            for part in ended:
                if self.store_result(self.futures.pop(part), part):
                    done += 1
                else:
                    self.submit(client, part)
            if ended and self.is_sequential() and time.monotonic() > self.next_try:
                begun = time.monotonic()
                is_enough = self.merge(True)
                # Merging many shards takes long; spend at most a tenth of the time on it.
                self.next_try = begun + 10 * (time.monotonic() - begun)
            self.show_progress(f"{done} of {all_shards} shards, {slots} workers{self.remaining_time(done, all_shards)}")
            if not ended:
                time.sleep(POLL_INTERVAL)

    def slots(self, client: Any) -> int:
        """Returns the number of shards that can run at once."""
        if client.status != "running":
            return 0
        try:
            return sum(client.nthreads().values())
        except OSError as error:
            # The client updates its status only after the connection has failed.
            raise DriverError(SCHEDULER_GONE) from error

    def submit(self, client: Any, part: tuple[int, int]) -> None:
        self.submitted += 1
        key = f"pentarch-{self.job.key}-{part[0]}-{part[1]}-{self.submitted}"
        self.futures[part] = client.submit(run_shard, self.job, *part, key=key, pure=False, priority=-part[0])

    def store_result(self, future: Any, part: tuple[int, int]) -> bool:
        """Stores the result of a shard. Returns whether the shard is done. If not, it must be submitted again."""
        first, last = part
        fault = ""
        is_done = False
        if future.status == "finished":
            try:
                result = future.result()
            except (OSError, distributed.CancelledError) as cause:
                # The result comes through the scheduler. The end of the scheduler also cancels finished futures.
                raise DriverError(SCHEDULER_GONE) from cause
            if isinstance(result, bytes):
                write_file(self.shards / shard_name(first, last), result)
                is_done = True
            elif isinstance(result, str):
                is_done = True
            elif isinstance(result, tuple):
                code, text = result
                fault = f"the program has ended with the code {code} in the shard {first}..{last}\n{text}"
                # The same error code would come again, but a signal has an outside cause, such as lack of memory.
                if code > 0:
                    raise DriverError(fault)
        elif future.status == "error":
            error = future.exception()
            if isinstance(error, DriverError):
                raise error
            fault = f"the shard {first}..{last}: {type(error).__name__}: {error}"
            if not isinstance(error, distributed.KilledWorker):
                raise DriverError(fault)
            fault = f"workers have died with the shard {first}..{last}; the last one was {error.last_worker.address}"
        elif future.status in ("cancelled", "lost"):
            fault = f"the shard {first}..{last} was cancelled"
        future.release()
        if fault:
            self.tries[part] = self.tries.get(part, 0) + 1
            if self.tries[part] >= MAX_TRIES:
                raise DriverError(f"{fault} ({MAX_TRIES} times)")
        return is_done

    # Progress.

    def remaining_time(self, done: int, count: int) -> str:
        if done == 0:
            return ""
        seconds = int((time.monotonic() - self.started) / done * (count - done))
        return f", {seconds // 60}:{seconds % 60:02} left"

    def show_progress(self, text: str, is_last: bool = False) -> None:
        """Shows the progress. On a terminal it overwrites the previous progress."""
        if sys.stderr.isatty() and text != self.shown:
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
        elif is_last and self.shown:
            print(self.shown, file=sys.stderr)
        self.shown = text


def split_range(whole: tuple[int, int], size: int) -> Iterator[tuple[int, int]]:
    """Yields consecutive parts of a range with `size` numbers each; the last one may have fewer."""
    first, last = whole
    for at in range(first, last, size):
        yield at, min(at + size, last)


def first_line(path: Path) -> bytes:
    """Returns the first line of a file, or an empty string if the file is not readable."""
    with suppress(OSError), path.open("rb") as file:
        return file.readline()
    return b""


def parse_header(contents: bytes, name: str) -> Any:
    """Parses the header of a shard. An error contains `name`."""
    with suppress(ValueError):
        header = json.loads(contents.split(b"\n", 1)[0])
        if isinstance(header, dict) and isinstance(header.get("settings"), dict) and {"from", "to"} <= {*header}:
            return header
    raise DriverError(f"{name} is not a shard")


# Header fields that differ between the shards of a job. The settings are also here: they are compared one by one.
EXCLUDED = ("from", "to", "settings", "checksum")


def without_range(header: Any) -> dict[str, Any]:
    """Returns the fields that all shards of a job share, with the settings among them."""
    common = {name: value for name, value in header.items() if name not in EXCLUDED}
    return {**common, **header["settings"]}


def differing_names(header: Any, common: dict[str, Any]) -> str:
    """Returns the names of the fields in which a header differs from the shards of a job."""
    one = without_range(header)
    return ", ".join(sorted(repr(name)[1:-1] for name in {*one, *common} if one.get(name) != common.get(name)))


def write_file(path: Path, contents: bytes) -> None:
    """Writes a file under another name and renames it when it is complete."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    with part.open("wb") as file:
        file.write(contents)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def interrupt(*_: object) -> None:
    # A second signal ends the driver without a cleanup. The workers notice the end of the driver.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: os._exit(130))
    raise KeyboardInterrupt


def positive(text: str) -> int:
    """Parses the value of a flag as a whole number from 1 on."""
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number from 1 on")


def check_files(options: argparse.Namespace) -> Optional[str]:
    """Returns an error about the files of the flags that is known before the job, if there is one."""
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
        description="Distributes a job of pentarch to the workers of a Dask cluster.",
        epilog="All other flags are those of the command: 'pentarch COMMAND --help' lists them.",
    )
    parser.add_argument("command", choices=["arena", "tune", "analyse"], help="the command to distribute")
    parser.add_argument("--out", required=True, metavar="FILE", help="the output file of the command")
    parser.add_argument("--shards", metavar="FOLDER", help="the folder for finished shards [default: FILE.shards]")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="an address, or the file of a scheduler (*.json)")
    parser.add_argument("--workers", type=positive, metavar="N", help="workers to start without a scheduler")
    size_help = "how many numbers a shard has [default: eight shards per worker]"
    parser.add_argument("--size", type=positive, metavar="N", help=size_help)
    parser.add_argument(
        "--no-shared-disk", dest="shared_disk", action="store_false",
        help="send files and results over the network, even if the workers share this folder",
    )
    parser.add_argument("--program", default=program(), metavar="FILE", help="the program, on all machines")
    options, others = parser.parse_known_args(arguments)
    fault = check_files(options)
    if fault:
        parser.error(fault)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    try:
        Driver(options, [options.command, *others]).run()
    except (DriverError, OSError) as error:
        print(f"pentarch.cluster: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("pentarch.cluster: interrupted; run the same command again to continue", file=sys.stderr)
        return 130
    except SystemExit as end_of_program:
        return int(end_of_program.code or 0)
    return 0


if __name__ == "__main__":
    # The workers must find the pickled objects in the module with this name.
    from pentarch import cluster

    sys.exit(cluster.main())
