"""Every verdict that agrees turns into a difference when an error is planted, on either side."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import fields, replace
from pathlib import Path

import pytest

from tokumei.apps.papers.comparison import ComparedBlock, ComputedBlock, compare_block
from tokumei.apps.papers.published_values import PAPER_NUMBERS, PublishedBlock, parse_block
from tokumei.apps.papers.reproduction import (
    PAPER_CLASSES,
    MissingDataError,
    PaperReproduction,
)
from tokumei.apps.papers.verdicts import AGREEING
from tokumei.core.errors import TokumeiError
from tokumei.core.lazy_imports import load_object

RECIPES = {"003": {"seeds": 3, "study_rows": 400}, "004": {"draws": 1200}}


def case_of(number: str, folder: Path | None) -> PaperReproduction:
    paper: PaperReproduction = load_object(PAPER_CLASSES[number]).of(
        number, recipe=RECIPES.get(number), folder=folder
    )
    return paper


def wrong(value: object) -> Iterator[object]:
    """Values that the cell does not have: larger, of the other sign, another word."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield value + max(1, abs(value))
        yield -value - 1
    elif isinstance(value, str):
        yield f"{value}†"
    elif isinstance(value, list) and value:
        for other in wrong(value[0]):
            yield [other, *value[1:]]
    elif value is not None:
        yield "†"


def with_error(case: PaperReproduction, printed: PublishedBlock) -> PaperReproduction:
    """The paper as if this block had been transcribed so; what was computed already is kept."""
    book = replace(case.book, blocks={**case.book.blocks, printed.id: printed})
    other = replace(case, book=book)
    named = {one.name for one in fields(case)}
    other.__dict__.update({k: v for k, v in case.__dict__.items() if k not in named})
    return other


def compare_again(case: PaperReproduction, printed: PublishedBlock) -> ComparedBlock | None:
    """The block compared; None if the wrong transcription cannot even be computed with."""
    try:
        return compare_block(printed, getattr(case, printed.id)())
    except (ArithmeticError, LookupError, TypeError, ValueError, TokumeiError):
        return None


def agrees(block: ComparedBlock | None, line: int) -> bool:
    return block is not None and block.lines[line].verdict in AGREEING


def computed_blocks(
    case: PaperReproduction,
) -> Iterator[tuple[PublishedBlock, ComputedBlock, ComparedBlock]]:
    for printed in case.book.blocks.values():
        try:
            computed = getattr(case, printed.id)()
        except MissingDataError:
            continue
        yield printed, computed, compare_block(printed, computed)


def plant_in_rows(printed: PublishedBlock, computed: ComputedBlock) -> Iterator[tuple[int, object]]:
    """Every compared cell of ours, wrong, one by one."""
    for number, row in enumerate(computed.rows):
        for place, cell in enumerate(row or ()):
            if cell is not None and not computed.illustrated:
                rows = [list(one) if one is not None else None for one in computed.rows]
                rows[number][place] = next(wrong(cell))
                yield number, replace(computed, rows=rows)


def plant_beside(printed: PublishedBlock, computed: ComputedBlock) -> Iterator[tuple[int, object]]:
    """What stands beside the table, and every form, wrong in ours."""
    start = len(printed.rows)
    for place, stated in enumerate(computed.beside):
        beside = list(computed.beside)
        beside[place] = replace(stated, computed=next(wrong(stated.computed), "†"))
        yield start + place, replace(computed, beside=beside)
    start += len(computed.beside)
    for place, form in enumerate(computed.forms):
        forms = list(computed.forms)
        forms[place] = replace(form, computed=["†" for _ in form.computed])
        yield start + place, replace(computed, forms=forms)


def leaves(value: object, path: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    """The places of all cells and facts of an entry."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in items:
        if isinstance(part, dict) or (isinstance(part, list) and part):
            yield from leaves(part, (*path, key))
        elif key not in IGNORED and (not path or path[0] not in IGNORED):
            yield (*path, key)


IGNORED = ("id", "title", "slips", "columns", "corrected", "decimals")


def planted(printed: PublishedBlock, path: tuple[object, ...]) -> Iterator[PublishedBlock]:
    """The block with a wrong value at a place of its entry."""
    old: object = printed.entry
    for key in path:
        old = old[key]
    for value in wrong(old):
        entry = deepcopy(dict(printed.entry))
        part = entry
        for key in path[:-1]:
            part = part[key]
        part[path[-1]] = value
        yield parse_block(entry, printed.title)


@pytest.fixture(scope="module")
def cases(request: pytest.FixtureRequest) -> dict[str, PaperReproduction]:
    return {}


def opened(number: str, cases: dict[str, PaperReproduction], folder: Path) -> PaperReproduction:
    return cases.setdefault(number, case_of(number, folder))


@pytest.mark.data
@pytest.mark.long
@pytest.mark.parametrize("number", PAPER_NUMBERS)
def test_an_error_in_ours_differs(number, cases, real_data):
    tried = 0
    for printed, computed, block in computed_blocks(opened(number, cases, real_data)):
        for line, spoiled in [
            *plant_in_rows(printed, computed),
            *plant_beside(printed, computed),
        ]:
            if block.lines[line].verdict in AGREEING:
                tried += 1
                assert not agrees(compare_block(printed, spoiled), line), (printed.id, line)
    assert tried > 20


@pytest.mark.data
@pytest.mark.long
@pytest.mark.parametrize("number", PAPER_NUMBERS)
def test_an_error_in_the_transcription_differs(number, cases, real_data):
    case = opened(number, cases, real_data)
    for printed, computed, block in computed_blocks(case):
        assert undetected_cells(case, printed, computed, block) == []
        assert unshaken_lines(case, printed, block) == [], printed.id


def undetected_cells(
    case: PaperReproduction, printed: PublishedBlock, computed: ComputedBlock, block: ComparedBlock
) -> list[object]:
    """Compared cells of the paper that may be wrong without a difference."""
    found: list[object] = []
    for number, row in enumerate(computed.rows):
        if block.lines[number].verdict not in AGREEING:
            continue
        for place, cell in enumerate(row or ()):
            if cell is None:
                continue
            rows = [list(one) for one in printed.rows]
            rows[number][place] = next(wrong(rows[number][place]))
            spoiled = replace(printed, rows=rows)
            if agrees(compare_again(with_error(case, spoiled), spoiled), number):
                found.append((printed.id, number, printed.columns[place]))
    return found


def unshaken_lines(
    case: PaperReproduction, printed: PublishedBlock, block: ComparedBlock
) -> list[object]:
    """Values and forms beside the table that no wrong figure of the block can turn."""
    waiting = {
        line
        for line in range(len(printed.rows), len(block.lines))
        if block.lines[line].verdict in AGREEING
    }
    for path in leaves(printed.entry):
        if not waiting:
            break
        for spoiled in planted(printed, path):
            other = compare_again(with_error(case, spoiled), spoiled)
            waiting = {line for line in waiting if agrees(other, line)}
    return [block.lines[line].cells for line in waiting]
