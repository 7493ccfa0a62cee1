"""What pages are kept from: bursts of one address, bugs that talk, checks that take all threads."""

from __future__ import annotations

from sqlalchemy import event

from apps.contest.web.guard_helpers import statuses
from apps.contest.web.scene import fault


def test_a_bug_is_a_page_with_all_headers_and_its_message_is_not_logged(scene, caplog):
    @scene.app.get("/bug")
    def bug() -> None:
        raise ValueError("a secret of the file")

    assert statuses(scene.app, "/bug") == [500], "nothing is left for the server to log"
    answer = scene.browser().get("/bug")
    assert "Something went wrong" in answer.text
    assert answer.headers["content-security-policy"]
    assert "ValueError at" in caplog.text
    assert "secret" not in caplog.text


def test_where_an_entry_stands_is_told_without_its_faults(scene):
    entry = scene.add_entry("aoi", state="rejected", faults=[fault(1)])
    browser, asked = scene.browser("aoi"), []
    event.listen(
        scene.place.database.engine,
        "before_cursor_execute",
        lambda *given: asked.append(given[2]),
    )
    assert browser.get(f"/c/cup/entries/{entry}/state").status_code == 200
    assert not [statement for statement in asked if ".faults" in statement]
    assert browser.get(f"/c/cup/entries/{entry}").status_code == 200
    assert [statement for statement in asked if ".faults" in statement]
