from __future__ import annotations

from dataclasses import replace

import pytest

from apps.contest.played import SLUG, Played
from tokumei.apps.contest.services.collusion import find_collusion_hints
from tokumei.apps.contest.services.teams import create_team
from tokumei.apps.contest.store.tables import ContestEntry
from tokumei.apps.http.errors import Forbidden


def found(played: Played) -> list[tuple[str, tuple[str, ...], float]]:
    return [
        (one.kind, one.teams, one.share)
        for one in find_collusion_hints(played.place, played.viewers["organiser"], SLUG)
    ]


def release(played: Played, who: str, content: bytes, lines: str) -> str:
    """A scored release whose public rows are these."""
    entry_id = played.scored(who, content)
    public = played.place.home.files.put("\n".join(lines).encode())
    with played.place.write() as session:
        session.get_one(ContestEntry, entry_id).public_sha256 = public
    return entry_id


def test_nothing_in_common_is_no_hint(opened: Played) -> None:
    release(opened, "ant", b"one", "abcdefgh")
    release(opened, "bee", b"two", "ijklmnop")
    assert found(opened) == []
    with pytest.raises(Forbidden):
        find_collusion_hints(opened.place, opened.viewers["ant"], SLUG)


def test_equal_files_and_nearly_equal_rows_are_hints(opened: Played) -> None:
    release(opened, "ant", b"one", "abcdefgh")
    release(opened, "bee", b"two", "abcdefgz")
    assert found(opened) == [("alike-releases", ("Ants", "Bees"), 0.875)]
    release(opened, "bee", b"one", "abcdefgh")
    assert [kind for kind, _, _ in found(opened)][:2] == ["same-file", "same-release"]


def test_one_address_is_a_hint(opened: Played) -> None:
    for who, address in (("ant", "192.0.2.1"), ("bee", "192.0.2.1"), ("bee", "192.0.2.2")):
        opened.viewers[who] = replace(opened.viewers[who], address=address)
        opened.scored(who, f"{who} {address}".encode())
    assert found(opened) == [("same-address", ("Ants", "Bees"), 0.5)]
    with opened.place.read() as session:
        kept = {entry.address for entry in session.query(ContestEntry)}
    assert len(kept) == 2
    assert not any("192" in str(one) for one in kept)


def test_a_class_behind_one_address_is_one_hint(opened: Played) -> None:
    create_team(opened.place, opened.viewers["cat"], SLUG, "Cats")
    for who in ("ant", "bee", "cat"):
        opened.viewers[who] = replace(opened.viewers[who], address="192.0.2.1")
        opened.scored(who, who.encode())
    assert found(opened) == [("same-address", ("Ants", "Bees", "Cats"), 1.0)]


def attacked(played: Played, who: str, target: str, sketch: str) -> str:
    """A scored attack with this sketch (one hash a letter)."""
    entry_id = played.scored(who, f"{who} {sketch}".encode())
    with played.place.write() as session:
        entry = session.get_one(ContestEntry, entry_id)
        entry.target_id, entry.sketch, entry.public_sha256 = target, list(sketch), None
    return entry_id


def test_the_same_mistakes_are_a_hint(opened: Played) -> None:
    target = release(opened, "ant", b"one", "abcdefgh")
    guesses = [attacked(opened, "ant", target, "0123456789ab")]
    guesses.append(attacked(opened, "bee", target, "0123456789xy"))
    (hint,) = find_collusion_hints(opened.place, opened.viewers["organiser"], SLUG)
    assert (hint.kind, hint.teams, hint.share) == ("alike-guesses", ("Ants", "Bees"), 10 / 14)
    assert set(hint.entries) == set(guesses)


def test_few_or_other_mistakes_are_no_hint(opened: Played) -> None:
    target = release(opened, "ant", b"one", "abcdefgh")
    attacked(opened, "ant", target, "0123456789")
    attacked(opened, "bee", target, "01234vwxyz")
    attacked(opened, "bee", target, "012345678")
    assert found(opened) == []
