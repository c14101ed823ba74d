"""The connection to Dask, with time limits."""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import signal
import warnings
from collections.abc import Callable
from concurrent.futures import Future as ConcurrentFuture
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Optional

import dask
import distributed

from pentarch.cluster.errors import DriverError, one_line
from pentarch.cluster.roster import SILENCE

#: Error if the scheduler ends during a job.
SCHEDULER_GONE = "the scheduler has gone; run the same command again to continue"
#: Seconds that a call of the scheduler takes at most.
CALL_LIMIT = 30
#: Seconds that the transfer of a shard takes at most. A silent worker is noticed earlier.
TRANSFER_LIMIT = 2 * SILENCE
#: Seconds that the end of the connection takes at most.
CLOSE_LIMIT = 10
#: Code that the driver's own workers run when they start, so that only the driver handles Ctrl-C in its terminal.
IGNORE_INTERRUPTS = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"


@dataclass
class Call:
    """A call that runs when it is unpickled. The scheduler unpickles functions, but no bytes. So it does not need this
    package, and a worker without the package reports that."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self.function, self.arguments


class Scheduler:
    """A connection to a scheduler. No call waits for a worker."""

    def __init__(self, client: Any) -> None:
        self.client = client

    @classmethod
    def connect(cls, address: Optional[str], workers: Optional[int]) -> Scheduler:
        """Connects to the scheduler at this address. Without an address, starts one with workers on this machine."""
        silence_dask()
        if address is None:
            return cls(start_local_cluster(workers))
        client_type: Any = distributed.Client
        try:
            if address.endswith(".json"):
                return cls(client_type(scheduler_file=address, timeout=CALL_LIMIT))
            return cls(client_type(address, timeout=CALL_LIMIT))
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            # Settings for TLS that do not fit the scheduler are a TypeError or a RuntimeError.
            raise DriverError(f"the scheduler {address} cannot be reached: {one_line(error)}") from error

    def check(self) -> None:
        """Raises DriverError if the connection is lost."""
        if self.client.status != "running":
            raise DriverError(SCHEDULER_GONE)

    def workers(self) -> dict[str, Any]:
        """Returns information about the workers, by their addresses."""
        self.check()
        try:
            identity = self.client.sync(self.client.scheduler.identity, callback_timeout=CALL_LIMIT)
        except (TimeoutError, asyncio.TimeoutError) as error:
            raise DriverError(f"the scheduler is silent for {CALL_LIMIT} s; end it, and start it again") from error
        except (OSError, distributed.CancelledError) as error:
            # The client updates its status only after the connection has failed.
            raise DriverError(SCHEDULER_GONE) from error
        workers: dict[str, Any] = identity["workers"]
        return workers

    def submit(self, key: str, address: str, priority: int, function: Callable[..., Any], *arguments: Any) -> Any:
        """Submits a call to a worker. Only this worker will run it."""
        call = pickle.dumps(Call(function, arguments))
        return self.client.submit(
            pickle.loads, call, key=key, pure=False, priority=priority, workers=[address], allow_other_workers=False
        )

    def fetch(self, key: str, take: Callable[[Optional[bytes]], None]) -> None:
        """Fetches the result of a finished call in the background, and passes it to `take`. If the worker does not send
        the result in time, passes None."""

        async def transfer() -> Any:
            # Client.gather would combine the results of several workers, and wait for the slowest one.
            response = await asyncio.wait_for(self.client.scheduler.gather(keys=[key]), TRANSFER_LIMIT)
            return response["data"][key] if response["status"] == "OK" else None

        def end(transferred: ConcurrentFuture[Any]) -> None:
            take(None if transferred.cancelled() or transferred.exception() else transferred.result())

        asyncio.run_coroutine_threadsafe(transfer(), self.client.loop.asyncio_loop).add_done_callback(end)

    def close(self) -> None:
        """Ends the connection, and the workers on this machine that it has started."""
        # The scheduler may be gone. An error here must not hide the reason why the job ended.
        with suppress(Exception):
            self.client.close(timeout=CLOSE_LIMIT)


def silence_dask() -> None:
    """Turns off Dask's own messages, for example about closed connections, also in the workers on this machine."""
    if "DASK_LOGGING__DISTRIBUTED" not in os.environ:
        # Levels of single loggers in Dask's settings would override a level of all of them.
        logging.disable()
        os.environ["DASK_LOGGING__DISTRIBUTED"] = "critical"
        warnings.filterwarnings("ignore", module="distributed")


def start_local_cluster(workers: Optional[int]) -> Any:
    """Starts a scheduler with workers on this machine, and returns a client."""
    client_type: Any = distributed.Client
    preload = [*dask.config.get("distributed.worker.preload", []), IGNORE_INTERRUPTS]
    dask.config.set({
        "distributed.worker.preload": preload,
        "distributed.scheduler.worker-ttl": f"{SILENCE}s",
        # Dask's monitoring of Python code is of no use here, and takes 2 % of a core for each worker.
        "distributed.worker.profile.enabled": False,
        "distributed.admin.tick.interval": "1s",
    })
    # The started processes inherit this setting, so that only the driver handles Ctrl-C.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return client_type(n_workers=workers, threads_per_worker=1, memory_limit=0)
    finally:
        signal.signal(signal.SIGINT, before)
