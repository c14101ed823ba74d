"""Runs the program: `python -m pentarch ARGUMENTS...` is `pentarch ARGUMENTS...`."""

import os
import signal
import subprocess
import sys

from pentarch import program

command = [program(), *sys.argv[1:]]
if sys.platform == "win32":
    # Windows cannot replace this process by the program. Only the program handles Ctrl-C. This process waits for it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(subprocess.call(command))
else:
    os.execvp(command[0], command)
