"""Tests of tokumei.apps.contest.web.pages.console."""

from __future__ import annotations

from apps.contest.web.scene import Scene
from tokumei.apps.contest.services.organiser_roles import add_organiser
from tokumei.apps.contest.web.pages.console import CONSOLE_SECTIONS


def test_an_organiser_of_this_contest_uses_its_console_and_nothing_else(scene: Scene) -> None:
    add_organiser(scene.place, scene.people["org"], "cup", "dan")
    dan = scene.browser("dan")
    for section in CONSOLE_SECTIONS.values():
        assert dan.get(f"/c/cup/console{section[0]}").status_code == 200, section
    assert dan.get("/contests/new").status_code == 403
    assert dan.send("/contests/new", page="/account").status_code == 403
    made = dan.send("/c/cup/console/invites", do="make", kind="organiser", uses="1", days="1")
    assert made.status_code == 403
    closed = dan.send("/c/cup/console/organisers", do="close", name="chi")
    assert closed.status_code == 403
    assert 'id="close-form"' not in dan.get("/c/cup/console/organisers").text
    assert scene.browser("aoi").get("/c/cup/console").status_code == 403
