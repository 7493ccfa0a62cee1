"""Teams that upload all the time and never give up: what was acknowledged must not be lost."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import yaml

from tokumei.apps.contest.client.contest_client import ContestClient
from tokumei.apps.contest.client.errors import RemoteRefusal
from tokumei.apps.contest.spec.model import Phase, PhaseType
from tokumei.apps.contest.spec.sample_folder import write_sample_contest
from tokumei.core.errors import TokumeiError

SLUG = "chaos"
PASSWORD = "correct horse battery staple"
MANY = 1_000_000
AGAIN_SECONDS = 0.2
LATER = (408, 429, 500, 502, 503)


def make_contest(address: str, code: str | None, folder: Path, *, rows: int) -> list[bytes]:
    """Create a small contest; releases that it accepts."""
    now = datetime.now(UTC)
    phase = Phase(
        kind=PhaseType.ANONYMIZE, starts=now - timedelta(hours=1), ends=now + timedelta(days=1)
    )
    path = write_sample_contest(folder, preset="table", rows=rows, slug=SLUG, phases=[phase])
    contest = yaml.safe_load(path.read_text(encoding="utf-8"))
    quotas = {"submissions": MANY, "submissions_per_day": MANY, "uploads_per_hour": MANY}
    contest |= {"registration": "open", "quotas": quotas}
    path.write_text(yaml.safe_dump(contest, allow_unicode=True), encoding="utf-8")
    with ContestClient(address) as client:
        client.register("organiser", PASSWORD, code)
        client.new_token("organiser", PASSWORD)
        client.create_contest(folder)
    return _releases((folder / "X.csv").read_bytes())


def _releases(original: bytes) -> list[bytes]:
    """The same rows in several spellings: all are accepted, and all must score the same."""
    windows = original.replace(b"\n", b"\r\n")
    return [original, windows, original.rstrip(), windows.rstrip()]


class Team:
    """A team that uploads, with the same key again when there was no answer."""

    def __init__(self, address: str, name: str, releases: list[bytes], stop: threading.Event):
        self._client = ContestClient(address, timeout=30)
        self._name = name
        self._releases = releases
        self._stop = stop
        self._thread = threading.Thread(target=self._try_proposals)
        self._sent = 0
        self.acknowledged: list[str] = []
        self.refused: list[str] = []
        self.may_go_on = threading.Event()

    def start(self) -> None:
        """Register and begin."""
        self._client.register(self._name, PASSWORD)
        self._client.new_token(self._name, PASSWORD)
        self._client.create_team(SLUG, self._name)
        self.may_go_on.set()
        self._thread.start()

    def join(self) -> None:
        """Wait until the last upload is answered."""
        self._thread.join()
        self._client.close()

    def _try_proposals(self) -> None:
        while not self._stop.is_set():
            self._upload_files()
            self.may_go_on.wait(1)

    def _upload_files(self) -> None:
        """One upload, sent until it is answered."""
        self._sent += 1
        key, content = (
            f"{self._name}-{self._sent}",
            self._releases[self._sent % len(self._releases)],
        )
        while True:
            try:
                entry = self._client.submit(SLUG, content, key=key, label=key)
                self.acknowledged.append(entry["id"])
                return
            except RemoteRefusal as refusal:
                if refusal.status not in LATER:
                    self.refused.append(f"{refusal.status} {refusal.message.show('en')}")
                    return
            except TokumeiError:
                pass  # no answer: the process was killed meanwhile
            time.sleep(AGAIN_SECONDS)
