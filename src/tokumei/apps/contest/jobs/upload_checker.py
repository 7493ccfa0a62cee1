"""Checks uploads against the rules within seconds, in child processes.

The processes keep the judges of contests loaded, so that a check does not wait for that. One that
takes too long or too much memory is ended and started again; its upload then waits for a worker,
who finds the same faults. Teams take turns, and one that used many seconds in the last minute waits
for a worker, too (`FairPool`). Needs nothing of the vault. May be used by many threads at once.
"""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from tokumei.apps.contest.jobs.judge_process import JUDGE_FACTORY, JudgeProcess
from tokumei.apps.contest.jobs.judge_tasks import JudgeAnswer, Task
from tokumei.apps.contest.store.database import StoredViolation
from tokumei.core.errors import InputError
from tokumei.core.messages import Message

LOAD_SECONDS = 60.0
MEGABYTES = 4096
Resource = TypeVar("Resource")
USAGE_WINDOW_SECONDS = 60.0
MOST_SECONDS_PER_GROUP = 20.0
"""Seconds of turns that a group may use in the last minute."""


@dataclass(frozen=True)
class RuleCheckResult:
    """What the rules say of an upload; `faults` are the first of `total`, as plain JSON."""

    accepted: bool
    faults: list[StoredViolation]
    total: int
    judge_version: str


@dataclass(frozen=True)
class JudgeDescription:
    """What a contest's judge says of itself."""

    version: str
    guess_files: tuple[str, ...]


class FairPool(Generic[Resource]):
    """Things, and who waits for one; groups of askers are treated fairly.

    Next is who belongs to the group that holds the fewest things now, and of these to the one whose
    last turn is longest ago. A group that used much time in the last minute is told no at once.
    """

    def __init__(self, things: Iterable[Resource]) -> None:
        self._free_items = list(things)
        self._ready = threading.Condition()
        self._tickets = itertools.count()
        self._waiting: dict[int, Hashable] = {}
        self._held: Counter[Hashable] = Counter()
        self._last_ticket: dict[Hashable, int] = {}
        self._spent: defaultdict[Hashable, deque[tuple[float, float]]] = defaultdict(deque)

    def take(self, group: Hashable, *, seconds: float) -> Resource | None:
        """A thing when it is this asker's turn; None if that does not come in time."""
        with self._ready:
            if self._seconds_used(group) >= MOST_SECONDS_PER_GROUP:
                return None
            ticket = next(self._tickets)
            self._waiting[ticket] = group
            mine = self._ready.wait_for(lambda: self._is_next(ticket), seconds)
            del self._waiting[ticket]
            self._ready.notify_all()
            if not mine:
                return None
            self._held[group] += 1
            self._last_ticket[group] = ticket
            return self._free_items.pop()

    def give(self, thing: Resource, group: Hashable, *, spent: float = 0.0) -> None:
        """Put a thing back, and say how long it was used."""
        with self._ready:
            self._free_items.append(thing)
            self._held[group] -= 1
            self._held += Counter()  # forgets groups that hold nothing
            if group is not None:
                self._spent[group].append((time.monotonic(), spent))
            self._ready.notify_all()

    def _is_next(self, ticket: int) -> bool:
        return bool(self._free_items) and min(self._waiting, key=self._waiting_order) == ticket

    def _waiting_order(self, ticket: int) -> tuple[int, int, int]:
        group = self._waiting[ticket]
        return self._held[group], self._last_ticket.get(group, -1), ticket

    def _seconds_used(self, group: Hashable) -> float:
        used = self._spent.get(group)
        if used is None:
            return 0.0
        while used and used[0][0] < time.monotonic() - USAGE_WINDOW_SECONDS:
            used.popleft()
        if not used:
            del self._spent[group]
        return sum(spent for _, spent in used)


class UploadChecker:
    """A few processes that check."""

    def __init__(
        self,
        contests: Path,
        *,
        processes: int = 1,
        seconds: float = 20.0,
        megabytes: int = MEGABYTES,
        factory: str = JUDGE_FACTORY,
    ) -> None:
        self._contests = contests
        self._seconds = seconds
        self._processes = [JudgeProcess(factory, megabytes=megabytes) for _ in range(processes)]
        self._pool = FairPool(reversed(self._processes))

    def check(
        self,
        folder: str,
        upload: Path,
        name: str,
        *,
        public: Path | None = None,
        team: int | None = None,
    ) -> RuleCheckResult | None:
        """What the rules say of a release, or of a guess on a `public` one; teams take turns."""
        upload_arguments = self._folder_path(folder), str(upload), name
        task = (
            Task("check_guess", *upload_arguments, str(public))
            if public
            else Task("check", *upload_arguments)
        )
        answer = self._ask_process(task, team=team)
        if answer is None or "accepted" not in answer:
            return None
        faults, total = answer["faults"], answer["fault_total"]
        return RuleCheckResult(answer["accepted"], faults, total, answer["judge_version"])

    def describe_judge(self, folder: str) -> JudgeDescription:
        """What a contest's folder amounts to; InputError if it cannot be used."""
        answer = self._ask_process(
            Task("describe", self._folder_path(folder)), seconds=LOAD_SECONDS
        )
        if answer is None or "exception" in answer:
            raise InputError(
                "the contest's files could not be loaded within the limits of time and memory"
            )
        if "error" in answer:
            raise InputError(Message.of_json(answer["error"], "message"))
        return JudgeDescription(answer["version"], tuple(answer["guess_files"]))

    def warm(self, folders: Iterable[str]) -> None:
        """Load the judges of contests in the background, before anybody waits for them."""
        tasks = [Task("describe", self._folder_path(folder)) for folder in folders]

        def load() -> None:
            leased_processes = (
                self._pool.take(None, seconds=LOAD_SECONDS) for _ in self._processes
            )
            for judge_process in [process for process in leased_processes if process is not None]:
                for task in tasks:
                    judge_process.ask(_with_cpu_limit(task, LOAD_SECONDS), seconds=LOAD_SECONDS)
                self._pool.give(judge_process, None)

        threading.Thread(target=load, daemon=True).start()

    def close(self) -> None:
        """End the processes."""
        for judge_process in self._processes:
            judge_process.close()

    def _folder_path(self, folder: str) -> str:
        return str(self._contests / folder)

    def _ask_process(
        self, task: Task, *, seconds: float | None = None, team: int | None = None
    ) -> JudgeAnswer | None:
        """Half of the seconds are for waiting: a question asked in a hurry ends a good process."""
        patience = (seconds or self._seconds) / 2
        until = time.monotonic() + 2 * patience
        judge_process = self._pool.take(team, seconds=patience)
        if judge_process is None:
            return None
        began = time.monotonic()
        try:
            seconds_left = max(patience, until - began)
            return judge_process.ask(_with_cpu_limit(task, seconds_left), seconds=seconds_left)
        finally:
            self._pool.give(judge_process, team, spent=time.monotonic() - began)


def _with_cpu_limit(task: Task, seconds: float) -> Task:
    return Task(**{**vars(task), "cpu_seconds": math.ceil(seconds) + 1})
