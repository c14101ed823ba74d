"""The distribution of shards to workers, and the reactions to failures.

The driver assigns each shard to a worker, and does not let Dask choose. So the driver knows the shards of a silent
worker. All calls return at once: a hung worker cannot stop the others.
"""

from __future__ import annotations

import queue
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Optional

import distributed

from pentarch.cluster import worker as on_worker
from pentarch.cluster.errors import DriverError, ShardStopped, WorkerFault, describe
from pentarch.cluster.plan import Plan
from pentarch.cluster.progress import Progress
from pentarch.cluster.roster import MAX_FAILURES, SILENCE, Attempt, WorkerRecord, WorkerState, name_of
from pentarch.cluster.scheduler import TRANSFER_LIMIT, Scheduler
from pentarch.cluster.shards import Job, Range, write_file

#: Maximum number of failures of a shard.
MAX_TRIES = 3
#: Maximum number of workers that end with a shard.
MAX_DEATHS = 5
#: Seconds between two looks at the workers.
LOOK_INTERVAL = 2
#: Seconds to wait for other workers if all workers are excluded.
GRACE = 60
#: Maximum number of shards that a worker has for each of its threads. No worker then waits for a shard.
DEPTH = 2


class Dispatcher:
    """The shards of a job on the workers of a cluster."""

    def __init__(
        self, job: Job, inputs: dict[str, bytes], plan: Plan, scheduler: Scheduler, progress: Progress
    ) -> None:
        self.job = job
        self.inputs = inputs
        self.plan = plan
        self.scheduler = scheduler
        self.progress = progress
        #: Seconds to wait for other workers if all workers are excluded.
        self.grace = GRACE
        self.workers: dict[str, WorkerRecord] = {}
        self.ended: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        #: For each shard with failures, the addresses of their workers.
        self.failures: dict[Range, list[str]] = {}
        self.deaths: Counter[Range] = Counter()
        self.submitted = 0
        self.failed = 0
        self.done = 0
        self.total = sum(part.size for part in plan.gaps)
        #: The time at which the first worker was ready; 0 before.
        self.ready_at = 0.0
        #: The last time at which there was a worker that is not excluded.
        self.hopeful_at = time.monotonic()
        self.next_look = self.hopeful_at
        self.is_waiting = False
        self.last_reason = ""

    def run(self, is_enough: Callable[[], bool]) -> None:
        """Distributes the shards until all are done, or `is_enough` returns true after a shard."""
        while self.done < self.total:
            self.scheduler.check()
            self.look_at_workers()
            self.assign()
            before = self.done
            self.wait_for_ends()
            if self.done > before and is_enough():
                return
            self.show_progress()

    def close(self) -> None:
        """Ends all shards, and removes the files of the job on the workers."""
        # The scheduler may be gone. An error here must not hide the reason why the job ended.
        with suppress(Exception):
            self.scheduler.check()
            for record in self.workers.values():
                for attempt in record.attempts[:]:
                    self.release(attempt)
            usable = [record for record in self.workers.values() if record.is_usable]
            removals = [self.submit(record, 1, on_worker.remove_files, self.job) for record in usable]
            distributed.wait(removals, timeout=LOOK_INTERVAL)

    # Workers.

    def look_at_workers(self) -> None:
        """Notices workers that are new, silent or gone."""
        now = time.monotonic()
        if now < self.next_look:
            return
        found = self.scheduler.workers()
        now = time.monotonic()
        for address, info in found.items():
            if address not in self.workers:
                self.add_worker(address, info, now)
            self.workers[address].update(info, now)
            self.notice_silence(self.workers[address], now)
        for address in [address for address in self.workers if address not in found]:
            self.remove_worker(self.workers.pop(address))
        if not found and not self.is_waiting:
            self.progress.report("there are no workers, the driver waits for them")
        self.is_waiting = not found
        self.check_hope(now)
        # The answer of the scheduler grows with the number of workers.
        self.next_look = now + max(LOOK_INTERVAL, len(found) / 50)

    def add_worker(self, address: str, info: Any, now: float) -> None:
        """Lets a new worker check its program."""
        record = WorkerRecord(address, name_of(address, info), info["nthreads"], now)
        self.workers[address] = record
        record.check = self.submit(record, 1, on_worker.check_worker, self.job, self.inputs)
        record.check.add_done_callback(lambda _: self.ended.put(lambda: self.end_check(record)))

    def end_check(self, record: WorkerRecord) -> None:
        """Takes the result of a worker's check."""
        self.scheduler.check()
        if self.workers.get(record.address) is not record:
            return
        if record.check.status == "error":
            self.exclude(record, describe(record.check.exception()))
        elif record.check.status == "finished":
            record.state = WorkerState.READY
            record.ready_at = time.monotonic()
            self.ready_at = self.ready_at or record.ready_at

    def notice_silence(self, record: WorkerRecord, now: float) -> None:
        """Reports the begin and the end of a worker's silence. A silent worker loses its shards."""
        is_silent = now - record.seen_at >= SILENCE
        if is_silent and not record.is_silent:
            elsewhere = ", its shards go elsewhere" if record.attempts else ""
            self.progress.report(f"{record} silent for {now - record.seen_at:.0f} s{elsewhere}")
            self.give_back(record)
        elif record.is_silent and not is_silent:
            self.progress.report(f"{record} is back")
        record.is_silent = is_silent

    def remove_worker(self, record: WorkerRecord) -> None:
        """Gives the shards of a worker that has gone to others."""
        elsewhere = ", its shards go elsewhere" if record.attempts else ""
        self.progress.report(f"{record} has gone{elsewhere}")
        # The others were not yet begun.
        for attempt in record.attempts[:record.threads]:
            self.count_death(attempt)
        self.give_back(record)

    def give_back(self, record: WorkerRecord) -> None:
        """Takes all shards of a worker back."""
        for attempt in record.attempts[:]:
            self.abandon(attempt)

    def exclude(self, record: WorkerRecord, reason: str) -> None:
        """Excludes a worker from the job, and takes its shards back."""
        record.state = WorkerState.EXCLUDED
        self.last_reason = reason
        self.progress.report(f"{record} is excluded: {reason}")
        self.give_back(record)

    def check_hope(self, now: float) -> None:
        """Raises DriverError if all workers are excluded, and no other worker comes in time."""
        if not self.workers or any(record.is_hopeful for record in self.workers.values()):
            self.hopeful_at = now
        elif now - self.hopeful_at >= self.grace:
            raise DriverError(f"all {len(self.workers)} workers are excluded; the last reason is: {self.last_reason}")

    # Shards.

    def assign(self) -> None:
        """Gives shards to the workers: to each thread one, then a second one. If none are left, repeats slow ones."""
        usable = [record for record in self.workers.values() if record.is_usable]
        slots = sum(record.threads for record in usable)
        seconds = (time.monotonic() - self.ready_at) * slots / self.done if self.done else None
        for depth in range(1, DEPTH + 1):
            for record in usable:
                while len(record.attempts) < depth * record.threads:
                    part = self.plan.take(slots, seconds, lambda part: self.may_take(record, part, usable))
                    if part is None:
                        break
                    self.start(record, part)
        if not self.plan:
            for record in usable:
                self.repeat_slow_shards(record)

    def may_take(self, record: WorkerRecord, part: Range, usable: list[WorkerRecord]) -> bool:
        """Returns whether a worker may try a returned shard: if it has not failed with the shard, or all have."""
        failed = self.failures.get(part, [])
        return record.address not in failed or all(other.address in failed for other in usable)

    def repeat_slow_shards(self, record: WorkerRecord) -> None:
        """Gives copies of unfinished shards to a worker without work. The first result counts."""
        running = [attempt for other in self.workers.values() for attempt in other.attempts]
        copies = Counter(attempt.part for attempt in running)
        for attempt in sorted(running, key=lambda attempt: attempt.started):
            if len(record.attempts) >= record.threads:
                return
            part = attempt.part
            is_here = attempt.worker is record or attempt.is_fetched
            if copies[part] == 1 and not is_here and record.address not in self.failures.get(part, []):
                self.start(record, part)

    def start(self, record: WorkerRecord, part: Range) -> None:
        """Gives a shard to a worker, unless its file is there."""
        attempt = Attempt(part, record, time.monotonic())
        record.attempts.append(attempt)
        if self.path(part).exists():
            # A silent worker may have completed the shard.
            self.complete(attempt)
            return
        attempt.future = self.submit(record, -part.first, on_worker.run_shard, self.job, part)
        attempt.future.add_done_callback(lambda _: self.ended.put(lambda: self.end_attempt(attempt)))

    def submit(self, record: WorkerRecord, priority: int, function: Callable[..., Any], *arguments: Any) -> Any:
        """Submits a call to a worker under a unique key."""
        self.submitted += 1
        key = f"pentarch-{self.job.key}-{self.submitted}"
        return self.scheduler.submit(key, record.address, priority, function, *arguments)

    def path(self, part: Range) -> Path:
        """Returns the path of a shard."""
        return Path(self.job.shards, part.file_name)

    def wait_for_ends(self) -> None:
        """Handles the ends of tasks. If none has ended, waits for one, at most until the next look at the workers."""
        with suppress(queue.Empty):
            self.ended.get(timeout=max(0.01, min(1, self.next_look - time.monotonic())))()
            while True:
                self.ended.get_nowait()()

    def end_attempt(self, attempt: Attempt) -> None:
        """Handles the end of a shard on a worker, unless the shard was taken back."""
        self.scheduler.check()
        if attempt not in attempt.worker.attempts:
            return
        if attempt.future.status == "error":
            self.handle_error(attempt, attempt.future.exception())
        elif attempt.future.status != "finished":
            self.abandon(attempt)
        elif self.path(attempt.part).exists():
            self.complete(attempt)
        else:
            attempt.is_fetched = True
            self.scheduler.fetch(
                attempt.future.key, lambda contents: self.ended.put(lambda: self.take_result(attempt, contents))
            )

    def take_result(self, attempt: Attempt, contents: Optional[bytes]) -> None:
        """Stores the contents of a shard. They are empty if the worker has stored the shard in the shared folder."""
        if attempt not in attempt.worker.attempts:
            return
        if contents is None:
            self.count_failure(attempt, f"the worker does not send the shard within {TRANSFER_LIMIT} s")
            return
        if contents:
            try:
                write_file(self.path(attempt.part), contents)
            except OSError as error:
                raise DriverError(f"{self.path(attempt.part)} cannot be written: {error}") from error
        self.complete(attempt)

    def complete(self, attempt: Attempt) -> None:
        """Counts a completed shard, and ends its copies."""
        part = attempt.part
        self.done += part.size
        attempt.worker.done += part.size
        attempt.worker.failures = 0
        for other in list(self.workers.values()):
            for copy in [copy for copy in other.attempts if copy.part == part]:
                self.release(copy)

    def handle_error(self, attempt: Attempt, error: BaseException) -> None:
        """Handles the failure of a shard on a worker."""
        if isinstance(error, ShardStopped):
            self.abandon(attempt)
        elif isinstance(error, distributed.KilledWorker):
            self.count_death(attempt)
            self.abandon(attempt)
        elif isinstance(error, WorkerFault):
            self.exclude(attempt.worker, describe(error))
        else:
            self.count_failure(attempt, describe(error))

    def count_failure(self, attempt: Attempt, reason: str) -> None:
        """Counts the failure of a program. A worker with too many failures is excluded, a shard ends the job."""
        part, record = attempt.part, attempt.worker
        self.progress.report(f"{record} has failed with the shard {part}: {reason}")
        self.abandon(attempt)
        self.failed += 1
        record.failures += 1
        self.failures.setdefault(part, []).append(record.address)
        if len(self.failures[part]) >= MAX_TRIES:
            raise DriverError(f"the shard {part} has failed {MAX_TRIES} times: {reason}")
        if record.failures >= MAX_FAILURES:
            self.exclude(record, f"it has failed {MAX_FAILURES} times in a row: {reason}")

    def count_death(self, attempt: Attempt) -> None:
        """Counts the end of a worker during a shard. Too many ends are the fault of the shard."""
        self.failed += 1
        self.deaths[attempt.part] += 1
        if self.deaths[attempt.part] >= MAX_DEATHS:
            raise DriverError(f"{MAX_DEATHS} workers have ended during the shard {attempt.part}")

    def abandon(self, attempt: Attempt) -> None:
        """Takes a shard from a worker. If no other worker has a copy, the shard must be distributed again."""
        self.release(attempt)
        others = [copy for other in self.workers.values() for copy in other.attempts]
        if all(copy.part != attempt.part for copy in others):
            self.plan.give_back(attempt.part)

    def release(self, attempt: Attempt) -> None:
        """Ends the task of a shard. The worker then ends its program."""
        attempt.worker.attempts.remove(attempt)
        if attempt.future is not None:
            attempt.future.release()

    # Progress.

    def show_progress(self) -> None:
        """Shows the number of results, the remaining time, and the workers."""
        now = time.monotonic()
        usable = sum(record.is_usable for record in self.workers.values())
        summary = f"{self.done} of {self.total} done, {self.failed} shards failed, {usable} workers"
        if self.done:
            seconds = int((now - self.ready_at) / self.done * (self.total - self.done))
            summary += f", {seconds // 60}:{seconds % 60:02} left"
        self.progress.show(summary, "; ".join(record.describe(now) for record in self.workers.values()))
