"""Files beside a contest's texts: who adds them, under which names, and how they are sent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.contest.played import SLUG, Played
from tokumei.apps.contest.services import contest_settings as desk
from tokumei.apps.contest.services.contest_settings import (
    add_attachment,
    get_attachment,
    link_safe_name,
    list_attachments,
    remove_attachment,
)
from tokumei.apps.contest.store.file_store import TooLargeUpload
from tokumei.apps.http.errors import Conflict, Forbidden, NotFound, UnprocessableContent


def test_a_file_is_attached_replaced_and_removed(opened: Played) -> None:
    place, organiser, team = opened.place, opened.viewers["organiser"], opened.viewers["ant"]
    add_attachment(place, organiser, SLUG, "rules.pdf", b"one")
    made = add_attachment(place, organiser, SLUG, "../folder/rules.pdf", b"two")
    assert [(one.name, one.size) for one in list_attachments(place, team, SLUG)] == [
        ("rules.pdf", 3)
    ]
    found = get_attachment(place, team, SLUG, "rules.pdf")
    assert (found.path.read_bytes(), found.name) == (b"two", "rules.pdf")
    remove_attachment(place, organiser, SLUG, made.id)
    with pytest.raises(NotFound):
        get_attachment(place, team, SLUG, "rules.pdf")
    with pytest.raises(NotFound):
        remove_attachment(place, organiser, SLUG, made.id)


def test_only_organisers_attach_and_within_limits(opened: Played, monkeypatch) -> None:
    place, organiser = opened.place, opened.viewers["organiser"]
    for act in (lambda: add_attachment(place, opened.viewers["ant"], SLUG, "a.pdf", b"x"),
                lambda: remove_attachment(place, opened.viewers["ant"], SLUG, 1)):  # fmt: skip
        with pytest.raises(Forbidden):
            act()
    monkeypatch.setattr(desk, "MOST_BYTES", 4)
    monkeypatch.setattr(desk, "MOST_FILES", 1)
    with pytest.raises(TooLargeUpload):
        add_attachment(place, organiser, SLUG, "a.pdf", b"12345")
    with pytest.raises(UnprocessableContent):
        add_attachment(place, organiser, SLUG, "a.pdf", b"")
    add_attachment(place, organiser, SLUG, "a.pdf", b"1234")
    add_attachment(place, organiser, SLUG, "a.pdf", b"123")
    with pytest.raises(Conflict):
        add_attachment(place, organiser, SLUG, "b.pdf", b"1")


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
    assert link_safe_name(given_name) == name


@given(st.text(max_size=150))
def test_no_name_leaves_its_folder_or_line(given_name: str) -> None:
    try:
        name = link_safe_name(given_name)
    except UnprocessableContent:
        return
    assert 0 < len(name) <= 100
    assert not set(name) & set("/\\\r\n\t\0\"';<>&%? ")
    assert not name.startswith(".")
    assert link_safe_name(name) == name
