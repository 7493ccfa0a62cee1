"""Commands as the documentation has them, typed by somebody in a folder of their own.

    with ordinary_user() as somebody:
        subprocess.run(["tokumei", "contest", "demo"], **somebody.process())

Root may be somebody who cannot read the Python that runs the tests (pyenv below /root, say). Then
the interpreter and its standard library are copied to a folder that everybody can read.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import tokumei

NOBODY = 65534
LEFT_OUT = ("site-packages", "test", "tests", "idlelib", "tkinter", "ensurepip", "config-*")
NEEDED = "import tokumei, sqlalchemy, fastapi, polars"
SCRIPT = "#!{python}\nimport sys\nfrom tokumei.apps.cli.app import main\nsys.exit(main())\n"


@dataclass(frozen=True)
class SystemUser:
    """Somebody who types commands in a folder."""

    folder: Path
    environment: dict[str, str]
    number: int | None = None
    """Of the system; None is who runs the tests."""

    def process(self) -> dict[str, Any]:
        """What `subprocess` needs to know of them."""
        found = {"cwd": self.folder, "env": self.environment}
        who = {"user": self.number, "group": self.number, "extra_groups": []}
        return found | (who if self.number is not None else {})


def user_of_tests(folder: Path) -> SystemUser:
    """Who runs the tests, in this folder."""
    programs = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    return SystemUser(folder, {**os.environ, "PATH": programs, "LANG": "C.UTF-8"})


@contextmanager
def ordinary_user() -> Iterator[SystemUser]:
    """The user `nobody`, in an empty folder; skips, with the reason, where that cannot be."""
    if os.geteuid() != 0:
        pytest.skip("only root can start a process as another user")
    with tempfile.TemporaryDirectory() as temporary:
        outer, folder = Path(temporary), Path(temporary) / "somebody"
        outer.chmod(0o755)
        folder.mkdir(mode=0o700)
        os.chown(folder, NOBODY, NOBODY)
        programs = copy_python(outer / "python")
        environment = {
            "PATH": os.pathsep.join((str(programs), os.defpath)),
            "PYTHONPATH": os.pathsep.join(package_folders()),
            "LD_LIBRARY_PATH": str(programs.with_name("lib")),
            "HOME": str(folder),
            "LANG": "C.UTF-8",
        }
        user = SystemUser(folder, environment, NOBODY)
        require_python(user, programs / "python")
        yield user


def require_python(user: SystemUser, python: Path) -> None:
    """Skip if this user cannot load what the contest's server needs."""
    tried = subprocess.run(
        [python, "-c", NEEDED], **user.process(), capture_output=True, text=True, check=False
    )
    if tried.returncode != 0:
        reason = (tried.stderr.strip().splitlines() or [f"exit code {tried.returncode}"])[-1]
        pytest.skip(f"user {user.number} cannot load the packages of this Python: {reason}")


def package_folders() -> list[str]:
    """Where the project and its packages are."""
    source = str(Path(tokumei.__file__).parents[1])
    return list(dict.fromkeys([source, *map(sysconfig.get_path, ("purelib", "platlib"))]))


def copy_python(target: Path) -> Path:
    """Copy the interpreter with its standard library; its folder of programs, with `tokumei`."""
    base, version = Path(sys.base_prefix), f"python{sysconfig.get_python_version()}"
    programs, libraries = target / "bin", target / "lib"
    programs.mkdir(parents=True)
    shutil.copytree(
        base / "lib" / version, libraries / version, ignore=shutil.ignore_patterns(*LEFT_OUT)
    )
    for library in (base / "lib").glob("libpython*.so*"):
        shutil.copy(library, libraries)
    shutil.copy(Path(sys.executable).resolve(), programs / "python")
    (programs / "tokumei").write_text(SCRIPT.format(python=programs / "python"), encoding="utf-8")
    for program in programs.iterdir():
        program.chmod(0o755)
    return programs
