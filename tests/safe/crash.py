"""A command that kills itself at its nth call of the file system: `crash.py 5 anonymize …`."""

import os
import signal
import sys

CALLS = ("open", "fsync", "replace", "rename", "link", "unlink", "mkdir", "rmdir")


def counted(real, state):
    def call(*args, **kwargs):
        state["left"] -= 1
        if state["left"] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args, **kwargs)

    return call


def main():
    from tokumei.apps.cli.app import main as tokumei

    state = {"left": int(sys.argv[1])}
    for name in CALLS:
        setattr(os, name, counted(getattr(os, name), state))
    try:
        tokumei(sys.argv[2:])
    finally:
        print(f"calls {int(sys.argv[1]) - state['left']}", file=sys.stderr)


if __name__ == "__main__":
    main()
