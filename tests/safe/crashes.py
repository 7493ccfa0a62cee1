"""A command killed at its nth call of the file system, for many n: `crashes.py anonymize …`.

Each number on stdin is a run of the command, in a process forked when all is imported but nothing
has run; the answer on stdout is how it ended.
"""

import os
import sys

from crash import CALLS, counted


def crash(main, nth):
    state = {"left": nth}
    for name in CALLS:
        setattr(os, name, counted(getattr(os, name), state))
    os.dup2(2, 1)
    try:
        main(sys.argv[1:])
    except SystemExit as end:
        os._exit(int(end.code or 0))


def main():
    from tokumei.apps.cli.app import main as command

    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            crash(command, int(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
