"""Tests of tokumei.pseudonyms.services.knowledge."""

from tokumei.pseudonyms.data.knowledge import PartialKnowledge
from tokumei.pseudonyms.data.sample_data import sample_periods
from tokumei.pseudonyms.services.knowledge import draw_knowledge
from tokumei.pseudonyms.services.requests import KnowledgeRequest


def test_a_seed_draws_the_same_share_of_rows_again():
    rows = sample_periods(200, seed=1).rows
    request = KnowledgeRequest(rows=rows, knowledge=PartialKnowledge(alpha=0.25), seed=3)
    known = draw_knowledge(request)
    assert known.rows == rows.rows
    assert known.kept.sum() == 50
    assert known.cells.equals(draw_knowledge(request).cells)
