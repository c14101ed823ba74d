"""One run of the driver."""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from pentarch.cluster.dispatcher import Dispatcher
from pentarch.cluster.errors import DriverError
from pentarch.cluster.plan import Plan, missing_ranges
from pentarch.cluster.progress import Progress
from pentarch.cluster.scheduler import Scheduler
from pentarch.cluster.shards import NOTHING, Job, Range, differing_names, first_line, parse_header, without_range
from pentarch.cluster.shards import write_file

#: Flags with names of files that the workers read.
INPUT_FLAGS = ("--engines", "--openings", "--requests")


class Driver:
    """One run of the driver."""

    def __init__(self, options: argparse.Namespace, arguments: Sequence[str]) -> None:
        self.options = options
        self.out = Path(options.out)
        self.shards = Path(options.shards or f"{options.out}.shards").resolve()
        self.shards.mkdir(parents=True, exist_ok=True)
        key = os.urandom(8).hex()
        self.job = Job(key, options.program, tuple(arguments), os.getcwd(), str(self.shards))
        #: The number of numbers in the job.
        self.count = 0
        #: The time of the next try to end the match by its sequential test.
        self.next_try = 0.0

    def run(self) -> int:
        """Computes the missing shards, merges all shards, and returns the exit code."""
        code = self.read_header()
        if code != 0:
            return code
        missing = self.missing_ranges()
        if missing and not (self.is_sequential() and self.merge(is_try=True)):
            if self.out.exists():
                raise DriverError(f"{self.out} exists already, but shards are missing in {self.shards}")
            self.distribute(missing)
        if not self.merge(is_try=False):
            return 1
        if self.job.arguments[0] == "arena":
            # The match is over: this reports its result.
            command = [*self.job.command(), "--record", str(self.out)]
            return subprocess.run(command, stdin=subprocess.DEVNULL).returncode
        return 0

    # Existing shards.

    def read_header(self) -> int:
        """Lets the program write an empty shard, without any computation, and reads the header of all shards there.
        Returns the exit code of the program."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "none.shard")
            command = self.job.shard_command(NOTHING, path)
            code = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode
            if code != 0:
                return code
            contents = path.read_bytes()
        header = parse_header(contents, "the output of the program")
        self.job = replace(self.job, common=without_range(header))
        self.count = header["count"]
        if self.count == 0:
            # This shard is the only one.
            write_file(self.shards / NOTHING.file_name, contents)
        return 0

    def missing_ranges(self) -> list[Range]:
        """Returns the ranges of numbers that are in no shard."""
        present = []
        for path in sorted(self.shards.glob("*.shard")):
            header = parse_header(first_line(path), str(path))
            present.append(Range(header["from"], header["to"]))
            names = differing_names(header, self.job.common)
            if names:
                fault = f"{path} is a shard of another job, with another {names}"
                raise DriverError(f"{fault}; choose another folder with --shards")
        return missing_ranges(present, self.count)

    def merge(self, is_try: bool) -> bool:
        """Merges the shards, and returns whether they are sufficient. A try does not report missing shards."""
        command = [self.job.command()[0], "merge", str(self.out), str(self.shards)]
        errors = subprocess.DEVNULL if is_try else None
        return subprocess.run(command, stdin=subprocess.DEVNULL, stderr=errors).returncode == 0

    # Computation.

    def distribute(self, missing: list[Range]) -> None:
        """Lets the workers compute the missing ranges."""
        inputs = self.read_inputs()
        progress = Progress()
        scheduler = Scheduler.connect(self.options.scheduler, self.options.workers)
        dispatcher = Dispatcher(self.job, inputs, Plan(missing, self.options.size), scheduler, progress)
        if self.options.scheduler is None:
            # No other worker will come.
            dispatcher.grace = 0
        try:
            if self.options.shared_disk:
                self.job.marker().touch()
            dispatcher.run(self.is_enough)
        finally:
            progress.end()
            with suppress(OSError):
                self.job.marker().unlink()
            dispatcher.close()
            scheduler.close()

    def read_inputs(self) -> dict[str, bytes]:
        """Returns the input files of the program, by name, for workers that do not share the disk of the driver."""
        inputs = {}
        arguments = self.job.arguments
        for at, word in enumerate(arguments):
            flag, is_joined, value = word.partition("=")
            if flag in INPUT_FLAGS:
                name = value if is_joined else arguments[at + 1]
                # Only a path below the working directory names the same file on a worker.
                if not Path(name).is_absolute() and ".." not in Path(name).parts:
                    inputs[name] = Path(name).read_bytes()
        return inputs

    def is_sequential(self) -> bool:
        """Returns whether a sequential test can end the match."""
        return "--sprt" in self.job.arguments

    def is_enough(self) -> bool:
        """Returns whether the sequential test of the match has decided."""
        begun = time.monotonic()
        if not self.is_sequential() or begun < self.next_try:
            return False
        is_enough = self.merge(is_try=True)
        # Merging many shards takes long; spend at most a tenth of the time on it.
        self.next_try = begun + 10 * (time.monotonic() - begun)
        return is_enough
