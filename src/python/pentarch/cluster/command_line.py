"""The command line of the driver."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Optional

from pentarch import program
from pentarch.cluster.driver import Driver
from pentarch.cluster.errors import DriverError


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the driver, and returns its exit code."""
    parser = argument_parser()
    options, others = parser.parse_known_args(arguments)
    fault = check_files(options)
    if fault:
        parser.error(fault)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    try:
        return Driver(options, [options.command, *others]).run()
    except (DriverError, OSError) as error:
        print(f"pentarch.cluster: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("pentarch.cluster: interrupted; run the same command again to continue", file=sys.stderr)
        return 130


def argument_parser() -> argparse.ArgumentParser:
    """Returns the parser of the driver's own flags."""
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
    size_help = "how many numbers a shard has [default: 5 s to 5 min of work, less towards the end]"
    parser.add_argument("--size", type=positive, metavar="N", help=size_help)
    parser.add_argument(
        "--no-shared-disk", dest="shared_disk", action="store_false",
        help="send files and results over the network, even if the workers share this folder",
    )
    program_help = "the program, with the same path on all machines [default: the installed one of each machine]"
    parser.add_argument("--program", metavar="FILE", help=program_help)
    return parser


def positive(text: str) -> int:
    """Parses the value of a flag as a whole number from 1 on."""
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number from 1 on")


def check_files(options: argparse.Namespace) -> Optional[str]:
    """Returns an error about the files of the flags that is known before the job, if there is one."""
    out = Path(options.out)
    name = options.program or program()
    if shutil.which(name) is None:
        return f"--program {name!r}: there is no such program"
    if options.scheduler and options.scheduler.endswith(".json") and not Path(options.scheduler).is_file():
        return f"--scheduler {options.scheduler!r}: there is no such file"
    if out.exists() and not out.is_file():
        return f"--out {options.out!r}: it is not a regular file"
    if not out.parent.is_dir():
        return f"--out {options.out!r}: there is no such directory"
    if not os.access(out.parent, os.W_OK):
        return f"--out {options.out!r}: its directory cannot be written to"
    return None


def interrupt(*_: object) -> None:
    """Ends the driver by a signal."""
    # A second signal ends the driver without a cleanup. The workers notice the end of the driver.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: os._exit(130))
    raise KeyboardInterrupt
