"""What cannot be told about a release, and what is missing."""

from __future__ import annotations

from collections.abc import Sequence

from tokumei.assessment.attacker_figures import AttackerFigures
from tokumei.assessment.link_check import LinkCheck
from tokumei.assessment.opened_release import OpenedRelease
from tokumei.assessment.verdict import Unknown, find_broken_limit, is_undecided_by_sampling
from tokumei.assessment.wording import name_columns
from tokumei.core.fields import field_name
from tokumei.core.messages import Message
from tokumei.core.scenario import ColumnKnowledge, Scenario

MAX_STRAY_SHARE = 0.005
"""More rows that contradict their link are no stray errors."""


LINK_CONTRADICTS = "link-contradicts"


def find_missing_input(
    opened: OpenedRelease, check: LinkCheck | None, knows: Sequence[ColumnKnowledge] | None
) -> list[Unknown]:
    """What must be given before anything can be told."""
    missing = list[Unknown]()
    if opened.link is None:
        message = Message(
            "who is found cannot be computed without the link: give the link that was written with "
            "the release ({truth})",
            truth=field_name("truth"),
        )
        missing.append(Unknown("no-link", message, is_fundamental=True))
    elif check is not None and check.is_contradicted:
        message = Message(
            "the link contradicts the cells: rows hold the values of the rows they are linked to "
            "no more often than those of others; give the right link"
        )
        columns = tuple(check.contradicted_columns())
        missing.append(Unknown(LINK_CONTRADICTS, message, columns, is_fundamental=True))
    if knows is None:
        message = Message(
            "it is not stated what the recipient may know: name the columns ({knows}), or the "
            "quasi-identifiers ({qi})",
            knows=field_name("knows"),
            qi=field_name("qi"),
        )
        missing.append(Unknown("no-knowledge", message, is_fundamental=True))
    return [*missing, *_unclear_people(opened)]


def _unclear_people(opened: OpenedRelease) -> list[Unknown]:
    """Identifiers that repeat although nobody said who is a person."""
    if opened.person is not None:
        return []
    frame = opened.original.frame
    repeated = [
        name
        for name in opened.original.schema.ids
        if 1 < frame[name].n_unique() < frame.height and name in opened.identifiers
    ]
    if not repeated:
        return []
    message = Message(
        "{columns} repeats, so a person may have several rows: name the person column ({person}), "
        "or say that every row is another person ({person} none)",
        columns=name_columns(repeated),
        person=field_name("person"),
    )
    return [Unknown("person-unclear", message, tuple(repeated))]


def find_doubts(
    opened: OpenedRelease,
    scenario: Scenario,
    knows: Sequence[ColumnKnowledge],
    attackers: Sequence[AttackerFigures],
    check: LinkCheck,
) -> list[Unknown]:
    """What stands against a favourable verdict though figures were computed."""
    doubts = _unreadable(opened, {knowledge.column for knowledge in knows})
    if any(is_undecided_by_sampling(attacker, scenario) for attacker in attackers):
        message = Message("only a sample of the targets was attacked, too few to tell")
        doubts.append(Unknown("sampled", message))
    columns = [
        knowledge.column
        for knowledge in knows
        if check.contradictions.get(knowledge.column, 0) > MAX_STRAY_SHARE * check.rows
    ]
    if columns and not opened.is_perturbed and _breaks_if_linked_by_value(attackers, scenario):
        message = Message(
            "cells of {columns} do not hold the values of the rows they are linked to: either the "
            "link is wrong or values were exchanged, and the manifest names no method that does so",
            columns=name_columns(columns),
        )
        doubts.append(Unknown("link-doubtful", message, tuple(columns)))
    return doubts


def _unreadable(opened: OpenedRelease, known: set[str]) -> list[Unknown]:
    """Cells that nothing explains; those of known columns could tell more than was counted."""
    found = list[Unknown]()
    for name, codes in opened.columns.items():
        if codes.unread_rows:
            message = Message(
                "it is not known what {cells:,} cells of {column} stand for; give its "
                "hierarchy ({hierarchies})",
                cells=codes.unread_rows,
                column=name,
                hierarchies=field_name("hierarchies"),
            )
            found.append(Unknown("unreadable-cells", message, (name,), blocks=name in known))
    return found


def _breaks_if_linked_by_value(attackers: Sequence[AttackerFigures], scenario: Scenario) -> bool:
    """Whether a limit is broken if everybody is among the people who fit what is known of them."""
    from dataclasses import replace

    for attacker in attackers:
        if attacker.if_all_fit is None:
            continue
        identified, guessed = attacker.if_all_fit
        by_value = replace(attacker, identified=identified, guessed_right=guessed)
        if find_broken_limit(by_value, scenario, "rows") is not None:
            return True
    return False
