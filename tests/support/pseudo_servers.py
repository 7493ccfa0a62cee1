"""Contest, studio and price page with something on every page, each asked in this process.

contest = play_contest(folder)
[*contest.pages("ant")]         # (address, status, page) of all that a person can open
[*contest.refused_forms("ant")] # what a form says that is sent empty
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from unittest import mock

from sqlalchemy import delete

from apps.contest.app_routes import routes_of
from apps.contest.played import (
    ANONYMIZING,
    ATTACKING,
    OVER,
    QUICK,
    SLUG,
    START,
    Played,
    contest_zip,
)
from apps.contest.prepared import new_home
from apps.contest.web.scene import Browser
from apps.studio.conftest import PORT, Studio
from golden.studio import FIRST_ONLY, ROLES, SilentTeller
from tokumei.apps.contest.api.app import PREFIX
from tokumei.apps.contest.services import contest_settings, news, passwords, rejudging
from tokumei.apps.contest.services.administration import set_team_status
from tokumei.apps.contest.services.authentication import start_session
from tokumei.apps.contest.services.contests import create_contest
from tokumei.apps.contest.services.organiser_roles import add_organiser
from tokumei.apps.contest.store.tables import LoginAttempt
from tokumei.apps.contest.web.app import make_app
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.service.app import create_app
from tokumei.apps.price.service.catalog import Catalog, Limits
from tokumei.apps.price.session import PriceSession
from tokumei.apps.studio.job_handlers.advise import propose_candidates
from tokumei.apps.studio.job_handlers.assess import (
    assess_candidate,
    audit_candidate,
    check_candidate,
)
from tokumei.apps.studio.job_handlers.hierarchy import propose_column_hierarchy
from tokumei.apps.studio.job_handlers.profile_source import profile_source
from tokumei.apps.studio.job_handlers.release import write_release
from tokumei.apps.studio.jobs.manager import JobManager
from tokumei.apps.studio.store.home import StudioHome
from tokumei.apps.studio.store.project_state import KindName
from tokumei.apps.studio.web.access import StudioAccess
from tokumei.apps.studio.web.app import create_studio_app
from tokumei.core.datasets.purchases import sample_purchases
from tokumei.ledger.services import LedgerLocation, create_ledger
from tokumei.price import sample_prices

PEOPLE = ("visitor", "cat", "ant", "bee", "organiser")
MOMENTS = {"before": START.replace(year=2025), "first": ANONYMIZING, "attacks": ATTACKING,
           "over": OVER.replace(month=12)}  # fmt: skip
NO_PAGES = (PREFIX, "/metrics", "/health", "/ready", "/static")
RELEASES = ("queued", "running", "failed", "cancelled", "received", "rejected", "scored",
            "published", "withdrawn", "private")  # fmt: skip
TARGETS, ATTACKS = ("target", "published"), ("attack", "attack rejected", "attacked")
PEOPLE_FILE = "id,age,sex,points\n" + "".join(
    f"P-{i:03d},{20 + i * 7 % 41},{'MF'[i * 5 % 7 % 2]},{1000 + i * 37}\n" for i in range(120)
)
Page = tuple[str, int, str]


@dataclass
class PlayedContest:
    """A contest with entries in every state, and its pages."""

    played: Played
    runs: list[str] = field(default_factory=list)

    def browser(self, who: str, language: str) -> Browser:
        """A browser that asks for this language, logged in unless nobody is."""
        browser = Browser(make_app(self.played.place), "http://127.0.0.1:8000", language)
        if who != "visitor":
            session = start_session(self.played.place, self.played.viewers[who])
            browser.cookies.set("login", session)
        return browser

    def pages(self, who: str, language: str) -> Iterator[Page]:
        """All pages of all entries and runs."""
        browser = self.browser(who, language)
        for address in self._addresses("GET "):
            sign = "&" if "?" in address else "?"
            answer = browser.get(f"{address}{sign}lang={language}")
            if "text/html" in answer.headers.get("content-type", ""):
                yield f"{who} {address}", answer.status_code, answer.text

    def move_to(self, now: datetime) -> None:
        """Set the clock, also back; attempts to log in that were made at another time are over."""
        self.played.clock.to(now)
        with self.played.place.write() as session:
            session.execute(delete(LoginAttempt))

    def refused_forms(self, who: str, language: str) -> Iterator[Page]:
        """What is said to forms with nothing but their token."""
        browser = self.browser(who, language)
        token = browser.token(f"/login?lang={language}")
        for address in self._addresses("POST "):
            if address != "/logout":
                answer = browser.post(address, data={"token": token}, files=[("x", ("", b""))])
                yield f"{who} POST {address}", answer.status_code, answer.text

    def _addresses(self, method: str) -> Iterator[str]:
        routes = routes_of(make_app(self.played.place))
        for path in sorted(route.removeprefix(method) for route in routes if method in route):
            if not path.startswith(NO_PAGES):
                yield from self._filled(path.replace("{slug}", SLUG).replace("{key}", "original"))
        if method == "GET ":
            yield from ("/nothing", f"/c/{SLUG}/entries/nothing", "/c/nothing")

    def _filled(self, path: str) -> Iterable[str]:
        kinds = {"/targets/": TARGETS, "/attacks/": ATTACKS}
        names = next((names for part, names in kinds.items() if part in path), RELEASES)
        if "{id}" in path:
            return [path.replace("{id}", self.played.entries[name]) for name in names]
        runs = [*self.runs, "nothing"] if "{run}" in path else [""]
        return [path.replace("{run}", run).replace("{name}", "a.pdf") for run in runs]


def play_contest(folder: Path) -> PlayedContest:
    """A contest that was played, judged again, talked about and administered."""
    with mock.patch.object(passwords, "_HASHER", QUICK):
        played = Played.make(new_home(folder / "home"), folder)
        place, organiser, ids = played.place, played.viewers["organiser"], played.entries
        question = news.ask_question(place, played.viewers["bee"], SLUG, "?!")
        answer = {"en": "!", "ja": ""}
        news.answer_question(place, organiser, SLUG, question.id, answer, public=True)
        news.ask_question(place, played.viewers["ant"], SLUG, "?")
        news.post_announcement(place, organiser, SLUG, {"en": "!?", "ja": ""})
        add_organiser(place, organiser, SLUG, "cat")
        draft = contest_zip(folder, slug="draft", title={"en": "D-1", "ja": "D-1"})
        create_contest(place, organiser, draft, draft=True)
        contest_settings.add_attachment(place, organiser, SLUG, "a.pdf", b"%PDF-1")
        first = rejudging.start_rejudging(place, organiser, SLUG).run
        played.rejudged(first, {ids[name]: _judged(0.3, 0.2) for name in ids if "att" not in name})
        second = rejudging.start_rechecking(place, organiser, SLUG).run
        contest = PlayedContest(played, [first, second])
        set_team_status(place, organiser, SLUG, 2, hidden=True, reason="r-1")
    return contest


def _judged(utility: float, safety: float) -> dict[str, object]:
    scores = {"utility": utility, "safety": safety, "total": utility, "unsafe": False}
    verdict = {"accepted": True, "judge_version": "judge-2", "figures": {}}
    return verdict | scores | {"faults": [], "fault_total": 0}


@dataclass
class PlayedStudio:
    """A studio with a table that was released, and one that nobody looked at yet."""

    studio: Studio
    projects: list[str]
    candidates: list[str]

    def pages(self, language: str) -> Iterator[Page]:
        """All pages of both projects."""
        for address in self._addresses():
            sign = "&" if "?" in address else "?"
            answer = self.studio.ask("GET", f"{address}{sign}lang={language}")
            if "text/html" in answer.headers.get("content-type", ""):
                yield address, answer.status_code, answer.text

    def refused_forms(self, language: str) -> Iterator[Page]:
        """What is said to empty forms."""
        headers = {"accept-language": language}
        self.studio.ask("GET", f"/?lang={language}")
        for path in self._paths("POST "):
            if path not in ("/pick", "/sample") and not path.endswith("/remove"):
                for address in self._filled(path.replace("{what}/{action}", "look/nothing")):
                    answer = self.studio.ask("POST", f"{address}?lang={language}", headers=headers)
                    yield f"POST {address}", answer.status_code, answer.text

    def _addresses(self) -> Iterator[str]:
        paths = [path for path in self._paths("GET ") if path not in ("/enter", "/p/{id}/events")]
        for path in [*paths, "/nothing", "/p/{id}/nothing"]:
            yield from self._filled(path)
        (project, _), query = self.projects, "&".join(f"c={id}" for id in self.candidates)
        for page in ("candidates", "compare", "attack", "release"):
            yield f"/p/{project}/{page}?{query}"

    def _paths(self, method: str) -> list[str]:
        routes = sorted(routes_of(self.studio.app))
        return [route.removeprefix(method) for route in routes if route.startswith(method)]

    def _filled(self, path: str) -> Iterable[str]:
        projects = self.projects if "{id}" in path else [""]
        filled = [path.replace("{id}", project) for project in projects]
        numbers = [re.sub(r"\{number\}", number, path) for path in filled for number in "01"]
        return [re.sub(r"\{path:path\}", "nothing", path) for path in dict.fromkeys(numbers)]


def open_studio(folder: Path) -> tuple[StudioHome, Studio]:
    """A studio without a project."""
    home, jobs, access = StudioHome.open(folder / "home"), JobManager(), StudioAccess.fresh(PORT)
    return home, Studio(home, jobs, access, create_studio_app(home, jobs, access))


def play_studio(folder: Path, *, attacked: bool) -> PlayedStudio:
    """What a person does, from a file to a release, with the functions of the jobs."""
    home, studio = open_studio(folder)
    (folder / "people.csv").write_text(PEOPLE_FILE, encoding="utf-8")
    project = home.begin("people.csv", folder / "people.csv")
    untouched = home.begin("other.csv", folder / "people.csv")
    profile_source(project, {}, SilentTeller())
    project.change(roles=ROLES)
    propose_candidates(project, FIRST_ONLY, SilentTeller())
    (candidate,) = project.candidates()
    project.change(selected=[candidate["id"]])
    args = {"id": candidate["id"], "seconds": 0.001, "folder": str(folder / "out")}
    if attacked:
        ledger = LedgerLocation(folder=str(folder / "ledger"), key_file=str(folder / "key"))
        create_ledger(ledger)
        named = {"folder": str(ledger.folder), "key_file": str(ledger.key_file)}
        project.change(ledger={**named, "recipient": "ann", "id": "id"})
        propose_column_hierarchy(project, {"number": 1}, SilentTeller())
    for job in (assess_candidate, audit_candidate, check_candidate) if attacked else ():
        job(project, args, SilentTeller())
    write_release(project, args, SilentTeller())
    candidates = [candidate["id"] for candidate in project.candidates()]
    return PlayedStudio(studio, [project.id, untouched.id], candidates)


def play_history_studio(folder: Path, kind: KindName) -> PlayedStudio:
    """The same with a purchase history, once looked at and once released."""
    home, studio = open_studio(folder)
    purchases, _ = sample_purchases(600, customers=20, seed=1)
    purchases.write_csv(folder / "sales.csv")
    project = home.begin("sales.csv", folder / "sales.csv")
    looked_at = home.begin("other.csv", folder / "sales.csv")
    for begun in (project, looked_at):
        profile_source(begun, {}, SilentTeller())
        begun.change(kind=kind)
    propose_candidates(project, FIRST_ONLY, SilentTeller())
    candidate, *_ = project.candidates()
    project.change(selected=[candidate["id"]])
    args = {"id": candidate["id"], "seconds": 0.001, "folder": str(folder / "out"), "anyway": "?"}
    assess_candidate(project, args, SilentTeller())
    write_release(project, args, SilentTeller())
    return PlayedStudio(studio, [project.id, looked_at.id], [candidate["id"]])


def open_price_page(folder: Path, language: str) -> Iterator[Page]:
    """The page of the price service, with and without price files by POST."""
    people, prices = sample_prices(200, seed=1)
    prices.write_csv(folder / "prices.csv")
    price_list = PriceList.read(folder / "prices.csv")
    for uploads in (True, False):
        limits = Limits(uploads=uploads)
        catalog = Catalog({"people": PriceSession(people, price_list)}, [price_list], limits)
        app = create_app(catalog, limits, hosts=["127.0.0.1"])
        answer = Browser(app, "http://127.0.0.1:8000", language).get(f"/?lang={language}")
        yield f"/ uploads={uploads}", answer.status_code, answer.text
