"""What may show that teams work together: hints for organisers, never a verdict.

    for hint in hints(place, organiser, "cup"): hint.kind, hint.teams, hint.share

Looked at: uploads with the same bytes (guesses too), released rows that are equal or nearly equal,
mistakes that two guesses on one release share (by sketches that workers make: the pages' process
cannot read uploads), and uploads from one address. Lines and mistakes that three or more teams have
say nothing about two of them and do not count. A class behind one address, or two teams with the
same method and seed, look so too.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import combinations
from typing import get_args

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from tokumei.contest.desk.console_views import HintKind, HintView
from tokumei.contest.desk.moment import looking
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.desk.published import published, team_names
from tokumei.contest.store.tables import Entry

ALIKE = 0.5
"""The share of a release's own lines that another has, from which they are nearly equal."""
CROWD = 3
MOST_LINES = 2_000_000
"""Beyond so many lines in all only equal files are looked for."""
Pair = tuple[int, int]
FEW = 10
"""Guesses with fewer mistakes are not compared."""
ORDER: tuple[HintKind, ...] = get_args(HintKind)


def hints(place: Place, viewer: Viewer, slug: str) -> tuple[HintView, ...]:
    """All of them, the strongest first (organisers)."""
    viewer.require_organiser()
    with looking(place, slug) as (session, moment):
        names = team_names(session, moment.id)
        ours = Entry.contest_id == moment.id, Entry.state.in_(("scored", "withdrawn", "rejected"))
        rows = session.execute(
            select(Entry.id, Entry.team_id, Entry.sha256, Entry.public_sha256, Entry.address)
            .where(*ours)
            .order_by(Entry.received_at, Entry.id)
        ).all()
        shown = {one.entry: one.team_id for one in published(session, moment, preview=True)}
        files = _public(place, session, shown)
        guesses = _guesses(session, ours)
    released = [(row.public_sha256, row.team_id, row.id) for row in rows if row.public_sha256]
    found = [
        *_equal("same-file", ((row.sha256, row.team_id, row.id) for row in rows), names),
        *_equal("same-release", released, names),
        *_alike(files, shown, names),
        *_alike_guesses(guesses, names),
        *_addresses(((row.address, row.team_id) for row in rows if row.address), names),
    ]
    return tuple(sorted(found, key=lambda one: (ORDER.index(one.kind), -one.share, one.teams)))


def _equal(
    kind: HintKind, marked: Iterable[tuple[str, int, str]], names: dict[int, str]
) -> list[HintView]:
    """Entries of different teams with the same mark, one hint for a pair of teams."""
    alike: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for mark, team, entry in marked:
        alike[mark].append((team, entry))
    pairs: dict[Pair, list[str]] = defaultdict(list)
    for same in alike.values():
        for (one, entry), (other, second) in combinations(same, 2):
            if one != other:
                pairs[min(one, other), max(one, other)] += [entry, second]
    return [
        _hint(kind, pair, dict.fromkeys(entries), 1.0, names) for pair, entries in pairs.items()
    ]


def _public(place: Place, session: Session, shown: dict[str, int]) -> dict[str, set[bytes]]:
    """The lines of each release that stands for its team."""
    found: dict[str, set[bytes]] = {}
    left = MOST_LINES
    for entry_id in shown:
        sha256 = session.get_one(Entry, entry_id).public_sha256
        if sha256 is not None:
            found[entry_id] = set(place.home.files.read(sha256).splitlines())
            left -= len(found[entry_id])
        if left < 0:
            return {}
    return found


def _alike(
    files: dict[str, set[bytes]], shown: dict[str, int], names: dict[int, str]
) -> list[HintView]:
    """Pairs that share lines which hardly anybody else has."""
    seen = Counter(line for lines in files.values() for line in lines)
    own = {entry: {line for line in lines if seen[line] < CROWD} for entry, lines in files.items()}
    found = []
    for one, other in combinations(own, 2):
        least = min(len(files[one]), len(files[other]))
        share = len(own[one] & own[other]) / least if least else 0.0
        if share >= ALIKE and shown[one] != shown[other] and files[one] != files[other]:
            pair = min(shown[one], shown[other]), max(shown[one], shown[other])
            found.append(_hint("alike-releases", pair, [one, other], share, names))
    return found


Guess = tuple[str, int, frozenset[str], str]
"""An attack, its team, its sketch, and what it is about."""


def _guesses(session: Session, ours: Iterable[ColumnElement[bool]]) -> dict[str, list[Guess]]:
    """The attacks on each release, those that say enough."""
    columns = Entry.id, Entry.team_id, Entry.sketch, Entry.target_id, Entry.sha256
    query = select(*columns).where(*ours, Entry.target_id.is_not(None), Entry.sketch.is_not(None))
    found: dict[str, list[Guess]] = defaultdict(list)
    for entry, team, sketch, target, sha256 in session.execute(query.order_by(Entry.id)):
        if len(sketch) >= FEW:
            found[target].append((entry, team, frozenset(sketch), sha256))
    return found


def _alike_guesses(guesses: dict[str, list[Guess]], names: dict[int, str]) -> list[HintView]:
    """Pairs of teams that make the same mistakes, each by the two guesses most alike."""
    best: dict[Pair, tuple[float, list[str]]] = {}
    for on_target in guesses.values():
        teams = {mark: set[int]() for _, _, sketch, _ in on_target for mark in sketch}
        for _, team, sketch, _ in on_target:
            for mark in sketch:
                teams[mark].add(team)
        for (one, a, first, same), (other, b, second, file) in combinations(on_target, 2):
            if a == b or same == file:
                continue
            share = sum(len(teams[mark]) < CROWD for mark in first & second) / len(first | second)
            pair = min(a, b), max(a, b)
            if share >= ALIKE and share > best.get(pair, (0.0, []))[0]:
                best[pair] = share, [one, other]
    return [
        _hint("alike-guesses", pair, entries, share, names)
        for pair, (share, entries) in best.items()
    ]


def _addresses(rows: Iterable[tuple[str, int]], names: dict[int, str]) -> list[HintView]:
    """Teams that upload from one address in one hint; the share of the rarest one's uploads."""
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    total: Counter[int] = Counter()
    for address, team in rows:
        counts[address][team] += 1
        total[team] += 1
    best: dict[tuple[int, ...], float] = {}
    for teams in counts.values():
        together = tuple(sorted(teams))
        share = min(teams[one] / total[one] for one in together)
        if len(together) > 1:
            best[together] = max(best.get(together, 0.0), share)
    return [_hint("same-address", teams, [], share, names) for teams, share in best.items()]


def _hint(
    kind: HintKind,
    teams: tuple[int, ...],
    entries: Iterable[str],
    share: float,
    names: dict[int, str],
) -> HintView:
    told = tuple(names[team] for team in teams)
    return HintView(kind=kind, teams=told, entries=tuple(entries), share=share)
