"""Everyday needs in a real browser: in English on a desktop, in Japanese on a phone."""

from __future__ import annotations

import io
import os
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from support.contest_people import PASSWORD, Person
from support.contest_server import Served, served
from tokumei.apps.contest.spec.model import Phase, PhaseType
from tokumei.apps.contest.spec.sample_folder import write_sample_contest

pytestmark = pytest.mark.browser
DESKTOP, PHONE = (1280, 900), (390, 844)
EXTRA = """
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar
from tokumei import Score
from tokumei.extending import Goal


@dataclass(frozen=True)
class Moody:
    goal: ClassVar[Goal] = Goal.MINIMIZE

    def score(self, case) -> Score:
        if Path({flag!r}).exists():
            raise RuntimeError("not today")
        return Score(0.0)


MEASURES = {{"moody": Moody}}
"""


@pytest.fixture
def server(tmp_path: Path) -> Any:
    with served(tmp_path / "home", "--workers", "1") as server:
        yield server


@pytest.mark.long
def test_everyday_needs(chromium: Any, server: Served, tmp_path: Path) -> None:
    asked = os.environ.get("TOKUMEI_SHOTS")
    shots = Path(asked) if asked else None
    organiser = Person(chromium, server.address, shots, "Olga")
    organiser.register(server.code)
    for lang, size in (("en", DESKTOP), ("ja", PHONE)):
        Play(chromium, server, tmp_path, shots, lang, size).run()


class Play:
    """One contest, looked after and played in one language on one width."""

    def __init__(
        self,
        chromium: Any,
        server: Served,
        folder: Path,
        shots: Path | None,
        lang: str,
        size: tuple[int, int],
    ) -> None:
        self.slug, self.lang = f"cup-{lang}", lang
        self.folder, self.flag = folder / self.slug, folder / f"fail-{lang}"
        self.boss = Person(chromium, server.address, shots, "Olga", lang, size)
        self.team = Person(chromium, server.address, shots, f"aoi-{lang}", lang, size)
        self.boss.log_in()
        self.release = self._created()

    def run(self) -> None:
        self.drafted_then_opened()
        self.team.open(f"/c/{self.slug}/team")  # leads to the login, from there to registering
        self.registered_and_led_back()
        self.announced()
        self.asked_and_answered()
        self.quota_edited()
        entry = self.failed_then_retried()
        self.withdrawn_and_undone(entry)
        self.password_forgotten()
        self.looked_around()
        for person in (self.boss, self.team):
            assert [one for one in person.complaints if "status of" not in one] == []

    def words(self, en: str, ja: str) -> str:
        return ja if self.lang == "ja" else en

    def _created(self) -> bytes:
        now = datetime.now(UTC)
        phase = Phase(kind=PhaseType.ANONYMIZE, starts=now, ends=now + timedelta(days=1))
        path = write_sample_contest(
            self.folder, preset="table", rows=40, slug=self.slug, phases=[phase]
        )
        plain = yaml.safe_load(path.read_text(encoding="utf-8"))
        about = "Rules\\n\\n| part | share |\\n|---|---:|\\n| U | 1/2 |".replace("\\n", "\n")
        plain |= {"registration": "open", "about": {"en": about, "ja": about}, "extra": "extra.py"}
        plain["scoring"] = {"utility": ["default", "moody"]}
        path.write_text(yaml.safe_dump(plain), encoding="utf-8")
        (self.folder / "extra.py").write_text(EXTRA.format(flag=str(self.flag)), encoding="utf-8")
        page = self.boss.open("/contests/new")
        page.click("main details summary")
        page.set_input_files("#files", [str(one) for one in self.folder.iterdir()])
        page.check("#draft")
        page.click("#create-contest")
        page.wait_for_selector("#stage")
        return (self.folder / "X.csv").read_bytes()

    def drafted_then_opened(self) -> None:
        assert self.team.page.goto(self.boss._address + f"/c/{self.slug}").status == 404
        page = self.boss.open(f"/c/{self.slug}/console/settings")
        page.select_option("#stage-choice", "open")
        page.fill("#stage-reason", "ready")
        page.click("#stage-form button")
        page.wait_for_selector("#note")
        assert not page.locator("#stage").count()

    def registered_and_led_back(self) -> None:
        page = self.team.page
        page.click("#register-instead")
        page.fill("#name", self.team.name)
        page.fill("#password", PASSWORD)
        page.click("#register-button")
        page.wait_for_url(f"**/c/{self.slug}/team")
        page.fill("#create-team #name", f"Ants {self.lang}")
        page.click("#create-team button")
        page.wait_for_selector("#members")

    def announced(self) -> None:
        page = self.boss.open(f"/c/{self.slug}/news")
        page.fill("#announce-en", "**Good luck** to all")
        page.fill("#announce-ja", "**皆さん**頑張ってください")
        page.click("#announce button")
        page.wait_for_selector("#news strong")
        self.boss.shot(f"news-{self.lang}")
        for path in ("", "/leaderboard", "/submit", "/team"):
            strip = self.team.open(f"/c/{self.slug}{path}").inner_text("#newest a")
            assert self.words("Good luck", "皆さん") in strip

    def asked_and_answered(self) -> None:
        page = self.team.open(f"/c/{self.slug}/news")
        page.fill("#question", "May we delete rows?")
        page.click("#ask button")
        page.wait_for_selector("#note")
        page = self.boss.open(f"/c/{self.slug}/news")
        page.click("#news details summary")
        page.fill("#news details textarea >> nth=0", "Up to half.")
        page.check("#news details input[name=public]")
        page.click("#news details button")
        page.wait_for_selector(".answer")
        page = self.team.open(f"/c/{self.slug}/news")
        assert "Up to half." in page.inner_text(".answer")
        self.team.shot(f"answered-{self.lang}")

    def quota_edited(self) -> None:
        page = self.boss.open(f"/c/{self.slug}/console/settings")
        page.fill("#submissions", "7")
        page.fill("#settings-reason", "fewer")
        page.click("#settings button")
        page.wait_for_selector("#note")
        assert "7" in self.team.open(f"/c/{self.slug}/team").inner_text("dl.keys")

    def failed_then_retried(self) -> str:
        """A zip with a folder; the judge fails, is mended, and judges it after all."""
        self.flag.touch()
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("提出/A.csv", self.release)
            archive.writestr("__MACOSX/提出/._A.csv", b"x")
        upload = ("A.zip", packed.getvalue())
        entry = self.team.send(f"/c/{self.slug}/submit", "#submit-button", upload)
        self.team.wait_for("failed")
        self.team.shot(f"failed-{self.lang}")
        self.flag.unlink()
        page = self.boss.open(f"/c/{self.slug}/console")
        self.boss.shot(f"queue-{self.lang}")
        page.click("form:has(input[name=job]) button")
        page.wait_for_selector("#note")
        self.team.open(f"/c/{self.slug}/entries/{entry}")
        self.team.wait_for("scored")
        return entry

    def withdrawn_and_undone(self, entry: str) -> None:
        for state in ("withdrawn", "scored"):
            page = self.boss.open(f"/c/{self.slug}/console/entries?text={entry}")
            page.click("details.confirm summary")
            page.fill("details.confirm input[name=reason]", "a mistake")
            page.click("details.confirm button")
            page.wait_for_selector("#note")
            self.team.open(f"/c/{self.slug}/entries/{entry}")
            self.team.wait_for(state)

    def password_forgotten(self) -> None:
        page = self.boss.open(f"/c/{self.slug}/console/invites")
        page.fill("#reset-form #name", self.team.name)
        page.click("#reset-form button")
        link = page.inner_text("#secret")
        page = self.team.page
        page.click("#log-out")
        page.wait_for_selector("#to-login")
        page.goto(link)
        page.fill("#password", "another long password")
        page.click("main form button")
        page.wait_for_url("**/login")
        page.fill("#name", self.team.name)
        page.fill("#password", "another long password")
        page.click("#login-button")
        page.wait_for_selector("#my-account")

    def looked_around(self) -> None:
        """No page is wider than the screen; tables scroll inside it."""
        boss = ("", "/teams", "/settings", "/organisers", "/collusion", "/audit", "/invites")
        for path in boss:
            self._fits(self.boss, f"/c/{self.slug}/console{path}")
        for path in ("", "/news", "/entries", "/leaderboard", "/matrix"):
            self._fits(self.team, f"/c/{self.slug}{path}")
        for path in ("/", "/api", "/account"):
            self._fits(self.team, path)
        text = self.boss.open(f"/c/{self.slug}/console/audit").inner_text("#audit")
        assert self.words("answered a question", "質問に答えた") in text

    def _fits(self, person: Person, path: str) -> None:
        page = person.open(path)
        person.shot(f"{self.lang}{path.replace('/', '-')}")
        wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert wide <= 0, (path, wide)
