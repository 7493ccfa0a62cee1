"""Finds hints that teams collude, for organisers to judge.

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

from tokumei.apps.contest.services.admin_views import CollusionHintKind, CollusionHintView
from tokumei.apps.contest.services.contest_state import read_contest
from tokumei.apps.contest.services.context import AppContext, Viewer
from tokumei.apps.contest.services.published_releases import list_published_releases, team_names
from tokumei.apps.contest.store.tables import ContestEntry

MIN_SHARED_SHARE = 0.5
"""The share of a release's own lines that another has, from which they are nearly equal."""
CROWD_TEAMS = 3
MOST_LINES = 2_000_000
"""Beyond so many lines in all only equal files are looked for."""
TeamPair = tuple[int, int]
MIN_MISTAKES = 10
"""Guesses with fewer mistakes are not compared."""
HINT_ORDER: tuple[CollusionHintKind, ...] = get_args(CollusionHintKind)


def find_collusion_hints(
    context: AppContext, viewer: Viewer, slug: str
) -> tuple[CollusionHintView, ...]:
    """All of them, the strongest first (organisers)."""
    viewer.require_organiser()
    with read_contest(context, slug) as (session, contest_state):
        names = team_names(session, contest_state.id)
        ours = (
            ContestEntry.contest_id == contest_state.id,
            ContestEntry.state.in_(("scored", "withdrawn", "rejected")),
        )
        rows = session.execute(
            select(
                ContestEntry.id,
                ContestEntry.team_id,
                ContestEntry.sha256,
                ContestEntry.public_sha256,
                ContestEntry.address,
            )
            .where(*ours)
            .order_by(ContestEntry.received_at, ContestEntry.id)
        ).all()
        team_by_release = {
            item.entry: item.team_id
            for item in list_published_releases(session, contest_state, preview=True)
        }
        files = _release_lines(context, session, team_by_release)
        guesses = _load_guesses(session, ours)
    released = [(row.public_sha256, row.team_id, row.id) for row in rows if row.public_sha256]
    collusion_hints = [
        *_same_fingerprint_hints(
            "same-file", ((row.sha256, row.team_id, row.id) for row in rows), names
        ),
        *_same_fingerprint_hints("same-release", released, names),
        *_similar_release_hints(files, team_by_release, names),
        *_similar_guess_hints(guesses, names),
        *_same_address_hints(((row.address, row.team_id) for row in rows if row.address), names),
    ]
    return tuple(
        sorted(
            collusion_hints, key=lambda item: (HINT_ORDER.index(item.kind), -item.share, item.teams)
        )
    )


def _same_fingerprint_hints(
    kind: CollusionHintKind, marked: Iterable[tuple[str, int, str]], names: dict[int, str]
) -> list[CollusionHintView]:
    """Entries of different teams with the same mark, one hint for a pair of teams."""
    entries_by_mark: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for mark, team, first_entry in marked:
        entries_by_mark[mark].append((team, first_entry))
    pairs: dict[TeamPair, list[str]] = defaultdict(list)
    for same in entries_by_mark.values():
        for (first_team, first_entry), (second_team, second_entry) in combinations(same, 2):
            if first_team != second_team:
                pairs[min(first_team, second_team), max(first_team, second_team)] += [
                    first_entry,
                    second_entry,
                ]
    return [
        _build_hint(kind, pair, dict.fromkeys(entries), 1.0, names)
        for pair, entries in pairs.items()
    ]


def _release_lines(
    context: AppContext, session: Session, team_by_release: dict[str, int]
) -> dict[str, set[bytes]]:
    """The lines of each release that stands for its team."""
    lines_by_release: dict[str, set[bytes]] = {}
    lines_left = MOST_LINES
    for entry_id in team_by_release:
        sha256 = session.get_one(ContestEntry, entry_id).public_sha256
        if sha256 is not None:
            lines_by_release[entry_id] = set(context.home.files.read(sha256).splitlines())
            lines_left -= len(lines_by_release[entry_id])
        if lines_left < 0:
            return {}
    return lines_by_release


def _similar_release_hints(
    files: dict[str, set[bytes]], team_by_release: dict[str, int], names: dict[int, str]
) -> list[CollusionHintView]:
    """Pairs that share lines which hardly anybody else has."""
    line_counts = Counter(line for lines in files.values() for line in lines)
    rare_lines = {
        entry: {line for line in lines if line_counts[line] < CROWD_TEAMS}
        for entry, lines in files.items()
    }
    similar_hints = []
    for first_release, second_release in combinations(rare_lines, 2):
        least = min(len(files[first_release]), len(files[second_release]))
        share = (
            len(rare_lines[first_release] & rare_lines[second_release]) / least if least else 0.0
        )
        if (
            share >= MIN_SHARED_SHARE
            and team_by_release[first_release] != team_by_release[second_release]
            and files[first_release] != files[second_release]
        ):
            pair = (
                min(team_by_release[first_release], team_by_release[second_release]),
                max(team_by_release[first_release], team_by_release[second_release]),
            )
            similar_hints.append(
                _build_hint("alike-releases", pair, [first_release, second_release], share, names)
            )
    return similar_hints


GuessSketch = tuple[str, int, frozenset[str], str]
"""An attack, its team, its sketch, and what it is about."""


def _load_guesses(
    session: Session, ours: Iterable[ColumnElement[bool]]
) -> dict[str, list[GuessSketch]]:
    """The attacks on each release, those that say enough."""
    columns = (
        ContestEntry.id,
        ContestEntry.team_id,
        ContestEntry.sketch,
        ContestEntry.target_id,
        ContestEntry.sha256,
    )
    query = select(*columns).where(
        *ours, ContestEntry.target_id.is_not(None), ContestEntry.sketch.is_not(None)
    )
    guesses_by_target: dict[str, list[GuessSketch]] = defaultdict(list)
    for entry, team, sketch, target, sha256 in session.execute(query.order_by(ContestEntry.id)):
        if sketch and target and len(sketch) >= MIN_MISTAKES:
            guesses_by_target[target].append((entry, team, frozenset(sketch), sha256))
    return guesses_by_target


def _similar_guess_hints(
    guesses: dict[str, list[GuessSketch]], names: dict[int, str]
) -> list[CollusionHintView]:
    """Pairs of teams that make the same mistakes, each by the two guesses most alike."""
    best: dict[TeamPair, tuple[float, list[str]]] = {}
    for on_target in guesses.values():
        teams = {mark: set[int]() for _, _, sketch, _ in on_target for mark in sketch}
        for _, team, sketch, _ in on_target:
            for mark in sketch:
                teams[mark].add(team)
        for (first_entry, first_team, first_sketch, first_sha256), (
            second_entry,
            second_team,
            second_sketch,
            second_sha256,
        ) in combinations(on_target, 2):
            if first_team == second_team or first_sha256 == second_sha256:
                continue
            share = sum(
                len(teams[mark]) < CROWD_TEAMS for mark in first_sketch & second_sketch
            ) / len(first_sketch | second_sketch)
            pair = min(first_team, second_team), max(first_team, second_team)
            if share >= MIN_SHARED_SHARE and share > best.get(pair, (0.0, []))[0]:
                best[pair] = share, [first_entry, second_entry]
    return [
        _build_hint("alike-guesses", pair, entries, share, names)
        for pair, (share, entries) in best.items()
    ]


def _same_address_hints(
    rows: Iterable[tuple[str, int]], names: dict[int, str]
) -> list[CollusionHintView]:
    """Teams that upload from one address in one hint; the share of the rarest one's uploads."""
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    total: Counter[int] = Counter()
    for address, team in rows:
        counts[address][team] += 1
        total[team] += 1
    best: dict[tuple[int, ...], float] = {}
    for teams in counts.values():
        team_group = tuple(sorted(teams))
        share = min(teams[team_id] / total[team_id] for team_id in team_group)
        if len(team_group) > 1:
            best[team_group] = max(best.get(team_group, 0.0), share)
    return [_build_hint("same-address", teams, [], share, names) for teams, share in best.items()]


def _build_hint(
    kind: CollusionHintKind,
    teams: tuple[int, ...],
    entries: Iterable[str],
    share: float,
    names: dict[int, str],
) -> CollusionHintView:
    hint_teams = tuple(names[team] for team in teams)
    return CollusionHintView(kind=kind, teams=hint_teams, entries=tuple(entries), share=share)
