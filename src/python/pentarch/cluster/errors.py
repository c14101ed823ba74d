"""The errors of the driver and of the workers."""

from __future__ import annotations


class DriverError(Exception):
    """An error that ends the job."""


class WorkerFault(Exception):
    """A fault of a worker that affects all of its shards, such as another version of the program."""


class ProgramError(Exception):
    """The failure of a program on a worker."""


class ShardStopped(Exception):
    """The end of a shard without a result, because its worker closes."""


def one_line(text: object) -> str:
    """Returns a text on one line."""
    return "; ".join(line.strip() for line in str(text).splitlines() if line.strip())


def describe(error: BaseException) -> str:
    """Returns the message of an error on one line. The type is added if the message alone is not clear."""
    if isinstance(error, (WorkerFault, ProgramError)):
        return one_line(error)
    return one_line(f"{type(error).__name__}: {error}")
