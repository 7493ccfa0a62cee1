"""Surroundings in which a run can be repeated: randomness, clocks, terminal, language."""

from __future__ import annotations

import datetime
import hashlib
import os
import random
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

from tokumei.core.language import language_context
from tokumei.kinds import all_kinds
from tokumei.tables.audit.attacks.membership_attack import membership_attacks

SURROUNDINGS = {"LC_ALL": "C.UTF-8", "COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1"}

SETTINGS = ("TOKUMEI_", "XDG_")
"""Variables that begin so are taken away."""
STOPPED_CLOCKS = ("perf_counter", "process_time")
"""They measure what is told; limits of time are kept by `time.monotonic`, which goes on."""


class FixedDate(datetime.date):
    """A calendar that always shows the same day."""

    @classmethod
    def today(cls) -> FixedDate:
        return cls(2026, 1, 15)


CALENDARS = {
    "tokumei.ledger.entry": ("datetime", SimpleNamespace(date=FixedDate)),
    "tokumei.tables.profiling.profiler": ("date", FixedDate),
}
"""The modules that ask for the day, and by which name; moments are removed from what is written."""


class SeededEntropy:
    """Stands in for the operating system's randomness; every step has a stream of its own."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._work_once = self._draws = 0

    def begin_step(self) -> None:
        self._work_once, self._draws = self._work_once + 1, 0

    def read(self, count: int) -> bytes:
        if _is_drawn_once_per_process():
            return hashlib.shake_256(self._seed.encode()).digest(count)
        self._draws += 1
        key = f"{self._seed}/{self._work_once}/{self._draws}"
        return hashlib.shake_256(key.encode()).digest(count)


def _is_drawn_once_per_process() -> bool:
    """Whether a module draws while it is imported, or the first temporary name is drawn.

    That happens in the step that comes first in a process, whichever it is.
    """
    frame = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_filename in ("<frozen importlib._bootstrap>", tempfile.__file__):
            return True
        frame = frame.f_back
    return False


@contextmanager
def run_repeatably(seed: str, folder: Path) -> Iterator[SeededEntropy]:
    """Work in the folder, without this machine's randomness, terminal, language and settings."""
    entropy, before = SeededEntropy(seed), Path.cwd()
    with ExitStack() as stack:
        stack.enter_context(patch.dict(os.environ, {**SURROUNDINGS, "HOME": str(folder)}))
        for name in [name for name in os.environ if name.startswith(SETTINGS)]:
            del os.environ[name]
        stack.callback(os.umask, os.umask(0o022))
        stack.enter_context(patch.object(os, "urandom", entropy.read))
        stack.enter_context(patch.object(random, "_urandom", entropy.read))
        for clock in STOPPED_CLOCKS:
            stack.enter_context(patch.object(time, clock, lambda: 0.0))
        for module, (name, calendar) in CALENDARS.items():
            stack.enter_context(patch.object(import_module(module), name, calendar))
        stack.enter_context(_keep_registries())
        stack.enter_context(language_context("en"))
        stack.callback(os.chdir, before)
        os.chdir(folder)
        yield entropy


@contextmanager
def _keep_registries() -> Iterator[None]:
    """What a page registers is gone after it."""
    registries = [one for kind in all_kinds() for one in kind.registries.values()]
    registries.append(membership_attacks)
    with ExitStack() as stack:
        for registry in registries:
            stack.enter_context(patch.object(registry, "_added", dict(registry._added)))
        yield


@contextmanager
def print_warnings() -> Iterator[None]:
    """Every warning once a step, on stderr, without the place in the code."""
    with warnings.catch_warnings():
        warnings.resetwarnings()
        warnings.simplefilter("default")
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        warnings.simplefilter("ignore", ResourceWarning)
        with patch.object(warnings, "formatwarning", _format_warning):
            yield


def _format_warning(message: object, category: type[Warning], *_: object, **__: object) -> str:
    return f"{category.__name__}: {message}\n"
