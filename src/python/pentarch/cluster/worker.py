"""The functions that run on the workers."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import distributed

from pentarch.cluster.errors import DriverError, ProgramError, ShardStopped, WorkerFault
from pentarch.cluster.shards import NOTHING, Job, Range, differing_names, first_line, parse_header

#: Seconds between two checks whether a shard is still needed.
POLL_INTERVAL = 0.5
#: Number of last bytes of a program's errors to report.
REPORTED_BYTES = 10_000
#: States of a worker that computes shards.
WORKING = (distributed.Status.running, distributed.Status.paused)


def check_worker(job: Job, inputs: dict[str, bytes]) -> None:
    """Prepares this worker for a job, and checks that its program has the settings of the job. Writes the input files
    if the worker does not share the folder of the shards.

    Raises WorkerFault if the worker cannot compute shards of this job.
    """
    try:
        is_shared = job.is_shared()
        if not is_shared:
            write_inputs(folder_of(job, is_shared), inputs)
        compute(job, NOTHING, is_shared).unlink()
    except (OSError, ProgramError) as error:
        raise WorkerFault(str(error)) from error


def run_shard(job: Job, part: Range) -> bytes:
    """Runs a shard on a worker, and returns its contents. If the worker shares the folder of the shards, stores the
    shard there, and returns nothing."""
    is_shared = job.is_shared()
    path = compute(job, part, is_shared)
    try:
        if is_shared:
            path.replace(Path(job.shards, part.file_name))
            return b""
        return path.read_bytes()
    finally:
        path.unlink(missing_ok=True)


def remove_files(job: Job) -> None:
    """Removes the files of a job on a worker that does not share the disk of the driver."""
    shutil.rmtree(folder_of(job, is_shared=False), ignore_errors=True)


def folder_of(job: Job, is_shared: bool) -> Path:
    """Creates and returns the working directory of a job on this worker."""
    if is_shared:
        return Path(job.folder)
    folder = Path(distributed.get_worker().local_directory, f"pentarch-{job.key}")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write_inputs(folder: Path, inputs: dict[str, bytes]) -> None:
    """Writes the input files of the program."""
    for name, contents in inputs.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents)


def compute(job: Job, part: Range, is_shared: bool) -> Path:
    """Computes a shard, and returns its file. The file has a unique name until its header is checked."""
    worker = distributed.get_worker()
    key = worker.get_current_task()
    folder = folder_of(job, is_shared)
    path = Path(job.shards if is_shared else folder, f"{part.file_name}.{os.urandom(8).hex()}")
    try:
        run_program(job.shard_command(part, path), folder, lambda: is_cancelled(worker, key))
        check_header(path, job)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


def run_program(command: list[str], folder: Path, is_ending: Callable[[], bool]) -> None:
    """Runs a program until it ends, or until its result is no longer needed.

    Raises ProgramError if the program fails.
    """
    with tempfile.TemporaryFile() as errors:
        # In a separate session the program gets no signals from the worker's terminal. It ends when its input ends.
        process = subprocess.Popen(
            [*command, "--until-eof"], cwd=folder, start_new_session=True,
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors,
        )
        try:
            is_ended_here = wait_for_program(process, is_ending)
        finally:
            close_input(process)
            process.wait()
        if process.returncode != 0:
            if is_ended_here:
                raise ShardStopped
            errors.seek(max(errors.tell() - REPORTED_BYTES, 0))
            text = errors.read().decode(errors="replace").strip()
            raise ProgramError(f"the program has ended with the code {process.returncode}: {text}")


def wait_for_program(process: subprocess.Popen[bytes], is_ending: Callable[[], bool]) -> bool:
    """Waits for the end of a program. Returns whether its input was closed because its result is no longer needed."""
    # A thread sleeps in `wait` without a time limit. With a limit, `wait` wakes up many times a second.
    waiter = threading.Thread(target=process.wait, daemon=True)
    waiter.start()
    while True:
        waiter.join(POLL_INTERVAL)
        if not waiter.is_alive():
            return False
        if is_ending():
            close_input(process)
            waiter.join()
            return True


def close_input(process: subprocess.Popen[bytes]) -> None:
    """Closes the input of a program. The program then ends itself and its engines."""
    assert process.stdin is not None
    with suppress(OSError):
        process.stdin.close()


def is_cancelled(worker: Any, key: Any) -> bool:
    """Returns whether the task with this key is no longer needed, or the worker closes."""
    task = worker.state.tasks.get(key)
    return task is None or task.state == "cancelled" or worker.status not in WORKING


def check_header(path: Path, job: Job) -> None:
    """Checks that a shard belongs to the job."""
    try:
        header = parse_header(first_line(path), str(path))
    except DriverError as error:
        raise WorkerFault(f"its program writes a file that is not a shard: {path}") from error
    names = differing_names(header, job.common)
    if names:
        raise WorkerFault(f"it has another {names}; all workers need the same program and the same files")
