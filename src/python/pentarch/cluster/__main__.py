"""Runs the driver: `python -m pentarch.cluster COMMAND ARGUMENTS...`."""

import sys

try:
    import distributed  # noqa: F401
except ModuleNotFoundError as error:
    print(f"pentarch.cluster: there is no module {error.name}; pip install 'pentarch[cluster]'", file=sys.stderr)
    sys.exit(1)

from pentarch.cluster.command_line import main

if __name__ == "__main__":
    sys.exit(main())
