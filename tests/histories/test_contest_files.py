"""Tests of tokumei.histories.contest_files."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from histories.further_values_helpers import VALUES, histories, lines_of, methods
from independent.histories import mispaired, misplaced, unlike
from tokumei.core.randomness import Randomness
from tokumei.files.contest_files import ContestRows
from tokumei.histories.anonymizers.aligned import Aligned
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.contest_files import check_contest_release
from tokumei.histories.data.cell_parsing import parse_general_history
from tokumei.histories.data.generalized_history import format_general_history
from tokumei.histories.data.history import COLUMNS, History


@given(source=histories, method=methods)
def test_k_people_are_alike_in_all_columns_and_every_cell_holds_the_truth(
    source: History, method: RankMatch | Aligned
) -> None:
    if len(source.customers) < method.k:
        return
    made = method.anonymize(source, rng=Randomness(1))
    aligned = made.aligned_text()
    assert aligned.columns == [*COLUMNS, *VALUES]
    assert unlike(made.public.rows(), method.k) == []
    names = tuple(aligned.columns)
    assert misplaced(lines_of(source), aligned.rows(), names) == []
    assert mispaired(lines_of(source), aligned.rows()) == []
    assert format_general_history(parse_general_history(aligned, source)).equals(aligned)
    text = ContestRows(aligned, np.full(aligned.height, aligned.width))
    assert check_contest_release(source, text, k=method.k) == []
