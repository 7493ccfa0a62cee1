"""Files beside a contest's texts: who adds them, under which names, and how they are sent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contest.played import SLUG, Played
from tokumei.contest.desk import settings as desk
from tokumei.contest.desk.settings import attach, attachment, attachments, detach, plain_name
from tokumei.contest.store.files import TooLargeUpload
from tokumei.http.refusals import Conflict, NotAllowed, NotFound, Wrong


def test_a_file_is_attached_replaced_and_removed(opened: Played) -> None:
    place, organiser, team = opened.place, opened.viewers["organiser"], opened.viewers["ant"]
    attach(place, organiser, SLUG, "rules.pdf", b"one")
    made = attach(place, organiser, SLUG, "../folder/rules.pdf", b"two")
    assert [(one.name, one.size) for one in attachments(place, team, SLUG)] == [("rules.pdf", 3)]
    found = attachment(place, team, SLUG, "rules.pdf")
    assert (found.path.read_bytes(), found.name) == (b"two", "rules.pdf")
    detach(place, organiser, SLUG, made.id)
    with pytest.raises(NotFound):
        attachment(place, team, SLUG, "rules.pdf")
    with pytest.raises(NotFound):
        detach(place, organiser, SLUG, made.id)


def test_only_organisers_attach_and_within_limits(opened: Played, monkeypatch) -> None:
    place, organiser = opened.place, opened.viewers["organiser"]
    for act in (lambda: attach(place, opened.viewers["ant"], SLUG, "a.pdf", b"x"),
                lambda: detach(place, opened.viewers["ant"], SLUG, 1)):  # fmt: skip
        with pytest.raises(NotAllowed):
            act()
    monkeypatch.setattr(desk, "MOST_BYTES", 4)
    monkeypatch.setattr(desk, "MOST_FILES", 1)
    with pytest.raises(TooLargeUpload):
        attach(place, organiser, SLUG, "a.pdf", b"12345")
    with pytest.raises(Wrong):
        attach(place, organiser, SLUG, "a.pdf", b"")
    attach(place, organiser, SLUG, "a.pdf", b"1234")
    attach(place, organiser, SLUG, "a.pdf", b"123")
    with pytest.raises(Conflict):
        attach(place, organiser, SLUG, "b.pdf", b"1")


@pytest.mark.parametrize(
    ("given_name", "name"),
    [
        ("規則 （改訂）.pdf", "規則_改訂_.pdf"),
        ("C:\\files\\a b.html", "a_b.html"),
        ("../../etc/passwd", "passwd"),
        ('x"; filename=y.exe', "x_filename_y.exe"),
        ("a\r\nSet-Cookie: b", "aSet-Cookie_b"),
        (".htaccess", "htaccess"),
    ],
)
def test_names_need_no_quotes(given_name: str, name: str) -> None:
    assert plain_name(given_name) == name


@given(st.text(max_size=150))
def test_no_name_leaves_its_folder_or_line(given_name: str) -> None:
    try:
        name = plain_name(given_name)
    except Wrong:
        return
    assert 0 < len(name) <= 100
    assert not set(name) & set("/\\\r\n\t\0\"';<>&%? ")
    assert not name.startswith(".")
    assert plain_name(name) == name
