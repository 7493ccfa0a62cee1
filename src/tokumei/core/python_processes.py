"""Starts Python child processes with an isolated environment.

    subprocess.Popen(python_command("tokumei.apps.studio.jobs.worker"), env=child_environment())

Python looks for modules in the current folder first, where anybody may have put a file named like
one of them. A process started in this way finds the modules that its parent finds, without the
current folder.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def python_command(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module, isolated from the current folder."""
    return [sys.executable, "-P", "-m", module, *arguments]


def child_environment() -> dict[str, str]:
    """Return the environment of this process with the folders of its modules as PYTHONPATH."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(module_search_path())}


def module_search_path() -> list[str]:
    """Return where this process finds modules, without the current folder.

    `python -m tokumei` and an empty part of PYTHONPATH put the current folder among them unasked.
    It stays only where PYTHONPATH names it in full.
    """
    absolute_paths = filter(os.path.isabs, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    kept_folders = set(absolute_paths)
    return [
        part for part in sys.path if part and (part in kept_folders or not _is_current_folder(part))
    ]


def _is_current_folder(folder: str) -> bool:
    """Whether this is the current folder; one that is gone is none."""
    try:
        return Path(folder).samefile(Path.cwd())
    except OSError:
        return False
