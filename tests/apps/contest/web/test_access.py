"""Every page × everybody: a page that is missing here fails."""

from __future__ import annotations

import pytest

from apps.contest.app_routes import routes_of
from apps.contest.web.scene import ATTACK, Scene
from tokumei.apps.contest.api.app import PREFIX
from tokumei.apps.contest.services.organiser_roles import add_organiser
from tokumei.apps.contest.store.tables import Contest

LOGIN = 303
WHO = (None, "dan", "chi", "aoi", "org")
"""A visitor, somebody without a team, another team, the entry's own team, the organiser."""
LIKE = {"eve": "dan", "hal": "org"}
"""Organisers of one contest alone: of another, who are nobody here; and of this one."""
OF_THE_SERVER = ("GET /contests/new", "POST /contests/new", "POST /contests/new/plan")
EVERYBODY = (200, 200, 200, 200, 200)
ORGANISER = (LOGIN, 403, 403, 403, 200)
OWN = (LOGIN, 404, 404, 200, 200)
INSIDE = (LOGIN, 403, 200, 200, 200)
"""A form without its button is refused with 422 only for those who may use it."""
MAY_ORGANISE = (LOGIN, 403, 403, 403, 422)

PERMITTED = {
    "GET /": EVERYBODY,
    "GET /login": EVERYBODY,
    "POST /login": (401, 401, 401, 401, 401),
    "POST /logout": (303, 303, 303, 303, 303),
    "GET /health": EVERYBODY,
    "GET /ready": (503,) * 5,
    "GET /metrics": EVERYBODY,
    "GET /reset": EVERYBODY,
    "POST /reset": (422, 422, 422, 422, 422),
    "GET /register": EVERYBODY,
    "POST /register": (422, 422, 422, 422, 422),
    "GET /account": (LOGIN, 200, 200, 200, 200),
    "POST /account": (LOGIN, 422, 422, 422, 422),
    "GET /contests/new": ORGANISER,
    "POST /contests/new": MAY_ORGANISE,
    "POST /contests/new/plan": MAY_ORGANISE,
    "GET /c/{slug}": EVERYBODY,
    "GET /c/{slug}/data/{key}": (LOGIN, 403, 200, 200, 200),
    "GET /c/{slug}/files/{name}": (404, 404, 404, 404, 404),
    "GET /c/{slug}/console/files": ORGANISER,
    "POST /c/{slug}/console/files": MAY_ORGANISE,
    "GET /c/{slug}/team": (LOGIN, 200, 200, 200, 200),
    "POST /c/{slug}/team": (LOGIN, 422, 422, 422, 422),
    "GET /c/{slug}/submit": (LOGIN, 404, 200, 200, 404),
    "POST /c/{slug}/submit": (LOGIN, 403, 403, 403, 403),
    "GET /c/{slug}/entries": (LOGIN, 403, 200, 200, 403),
    "GET /c/{slug}/entries/{id}": OWN,
    "GET /c/{slug}/entries/{id}/state": OWN,
    "GET /c/{slug}/entries/{id}/public": OWN,
    "POST /c/{slug}/entries/{id}": (LOGIN, 404, 404, 422, 422),
    "GET /c/{slug}/attacks/{id}": OWN,
    "GET /c/{slug}/attacks/{id}/state": OWN,
    "POST /c/{slug}/attacks/{id}": (LOGIN, 404, 404, 422, 422),
    "GET /c/{slug}/targets": INSIDE,
    "GET /c/{slug}/targets.zip": INSIDE,
    "GET /c/{slug}/targets/{id}": INSIDE,
    "GET /c/{slug}/targets/{id}/public": INSIDE,
    "POST /c/{slug}/targets/{id}": (LOGIN, 403, 422, 403, 403),
    "GET /c/{slug}/leaderboard": EVERYBODY,
    "GET /c/{slug}/matrix": EVERYBODY,
    "GET /api": EVERYBODY,
    "GET /c/{slug}/news": EVERYBODY,
    "POST /c/{slug}/news": (LOGIN, 422, 422, 422, 422),
    "GET /c/{slug}/console/organisers": ORGANISER,
    "POST /c/{slug}/console/organisers": MAY_ORGANISE,
    "GET /c/{slug}/console/collusion": ORGANISER,
    "GET /c/{slug}/console": ORGANISER,
    "POST /c/{slug}/console": MAY_ORGANISE,
    "GET /c/{slug}/console/queue": ORGANISER,
    "GET /c/{slug}/console/teams": ORGANISER,
    "POST /c/{slug}/console/teams": MAY_ORGANISE,
    "GET /c/{slug}/console/entries": ORGANISER,
    "POST /c/{slug}/console/entries": (LOGIN, 403, 403, 403, 422),
    "GET /c/{slug}/console/phases": ORGANISER,
    "POST /c/{slug}/console/phases": MAY_ORGANISE,
    "GET /c/{slug}/console/settings": ORGANISER,
    "POST /c/{slug}/console/settings": MAY_ORGANISE,
    "GET /c/{slug}/console/rejudge": ORGANISER,
    "POST /c/{slug}/console/rejudge": MAY_ORGANISE,
    "GET /c/{slug}/console/rejudge/{run}": (LOGIN, 403, 403, 403, 404),
    "GET /c/{slug}/console/rejudge/{run}/state": (LOGIN, 403, 403, 403, 404),
    "POST /c/{slug}/console/rejudge/{run}": (LOGIN, 403, 403, 403, 404),
    "GET /c/{slug}/console/invites": ORGANISER,
    "POST /c/{slug}/console/invites": MAY_ORGANISE,
    "GET /c/{slug}/console/audit": ORGANISER,
    "GET /c/{slug}/console/export": ORGANISER,
    "GET /c/{slug}/console/export.zip": ORGANISER,
}


def test_every_page_is_in_the_table(played):
    scene, _ = played
    assert routes_of(scene.app) == {*PERMITTED, f"* {PREFIX}", "* /static"}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Team one published `target` and has `private` and an attack; the attack phase is on."""
    scene = Scene.make(tmp_path_factory.mktemp("played"))
    target = scene.add_entry("aoi", published=True)
    other = scene.add_entry("chi", published=True)
    private = scene.add_entry("aoi", label="private", scores=(0.3, 0.3))
    scene.now = ATTACK
    attack = scene.add_entry("aoi", target=other, at=ATTACK)
    with scene.place.write() as session:
        cup = session.get_one(Contest, 1)
        kept = {name: getattr(cup, name) for name in ("spec", "folder", "created_at")}
        session.add(Contest(slug="elsewhere", judge_version="v1", **kept))
    for name, slug in (("eve", "elsewhere"), ("hal", "cup")):
        scene.add_person(name)
        add_organiser(scene.place, scene.people["org"], slug, name)
    yield scene, {"target": target, "private": private, "attack": attack}
    scene.close()


def address(path: str, entries: dict[str, str]) -> str:
    kind = "target" if "/targets/" in path else "attack" if "/attacks/" in path else "private"
    filled = path.replace("{id}", entries[kind]).replace("{slug}", "cup")
    return (
        filled.replace("{key}", "original").replace("{run}", "nothing").replace("{name}", "a.pdf")
    )


@pytest.mark.parametrize("route", sorted(PERMITTED))
def test_each_page_answers_each_person_as_permitted(played, route):
    scene, entries = played
    method, _, path = route.partition(" ")
    where = address(path, entries)
    found = {}
    roles = tuple(LIKE) if path.startswith("/c") else ()
    for who in (*WHO, *roles):
        browser = scene.browser(who)
        if method == "GET":
            answer = browser.get(where)
        else:
            token = browser.token("/login")
            answer = browser.post(where, data={"token": token}, files=[("x", ("", b""))])
        if answer.status_code == 303 and who is None and path not in ("/login", "/logout"):
            assert answer.headers["location"].startswith("/login?next=%2F")
        found[who] = answer.status_code
    assert tuple(found[who] for who in WHO) == PERMITTED[route]
    for who in roles:
        of_the_server = who == "hal" and route in OF_THE_SERVER
        assert found[who] == (403 if of_the_server else found[LIKE[who]]), who


def test_secret_data_and_unpublished_releases_are_given_to_nobody(played):
    scene, entries = played
    for who in WHO[1:]:
        assert scene.browser(who).get("/c/cup/data/answers").status_code in (403, 404)
        for path in ("", "/public"):
            answer = scene.browser(who).get(f"/c/cup/targets/{entries['private']}{path}")
            assert answer.status_code == (403 if who == "dan" else 404), who


def test_an_entry_of_another_contest_is_not_found(played):
    scene, entries = played
    assert scene.browser("aoi").get(f"/c/other/entries/{entries['private']}").status_code == 404


def test_what_is_withdrawn_leaves_the_public_pages(played):
    scene, entries = played
    browser = scene.browser("org")
    before = scene.browser().get("/c/cup/leaderboard").text
    answer = browser.send(
        "/c/cup/console/entries",
        page="/c/cup/console/entries",
        entry=entries["target"],
        reason="leak",
        do="withdraw",
    )
    assert answer.status_code == 303
    after = scene.browser().get("/c/cup/leaderboard").text
    assert before != after
    assert scene.browser("chi").get(f"/c/cup/targets/{entries['target']}").status_code == 404
