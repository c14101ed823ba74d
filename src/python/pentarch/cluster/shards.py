"""Jobs, ranges of numbers, and the headers of shards."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Optional

from pentarch import program
from pentarch.cluster.errors import DriverError


class Range(NamedTuple):
    """The numbers from `first` to `last - 1`."""

    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.first}..{self.last}"

    @property
    def size(self) -> int:
        """The number of numbers."""
        return self.last - self.first

    @property
    def file_name(self) -> str:
        """The file name of the shard with this range."""
        return f"{self.first:09}-{self.last:09}.shard"


#: The range of a shard without contents. Its header shows the settings of the job.
NOTHING = Range(0, 0)


@dataclass(frozen=True)
class Job:
    """The description of a job for the workers."""

    #: Identifier of this run of the driver.
    key: str
    #: The program on all machines. Without a value, each machine uses its installed program.
    program: Optional[str]
    #: The arguments without those for a single shard.
    arguments: tuple[str, ...]
    #: Working directory of the driver. If the worker shares the disk, the program has the same directory.
    folder: str
    #: Folder of the shards.
    shards: str
    #: Header fields that are the same in all shards of the job.
    common: dict[str, Any] = field(default_factory=dict)

    def command(self) -> list[str]:
        """Returns the program of this machine with its arguments."""
        return [self.program or program(), *self.arguments]

    def shard_command(self, part: Range, output: Path) -> list[str]:
        """Returns the command that writes a shard."""
        return [*self.command(), "--shard", str(part), "--output", str(output)]

    def is_shared(self) -> bool:
        """Returns whether this machine has the folder of the shards."""
        with suppress(OSError):
            return self.marker().exists()
        return False

    def marker(self) -> Path:
        """Returns the path of a file that shows a worker whether it shares the folder with this run of the driver."""
        return Path(self.shards, f"driver-{self.key}")


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


#: Header fields that differ between the shards of a job. The settings are also here: they are compared one by one.
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
    try:
        with part.open("wb") as file:
            file.write(contents)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
