"""Draws what an attacker knows of a history.

known = draw_knowledge(KnowledgeRequest(rows="T.csv", knowledge=PartialKnowledge(alpha=0.25)))
"""

from __future__ import annotations

from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.data.purchase_text_cells import PeriodRows
from tokumei.pseudonyms.formats.pws2017 import read_rows
from tokumei.pseudonyms.services.requests import KnowledgeRequest


def draw_knowledge(request: KnowledgeRequest) -> PeriodRows:
    """Return all rows, those that are not known as DEL."""
    rows = read_rows(request.rows, encoding=request.encoding)
    return request.knowledge.of(rows, rng=Randomness(request.seed))
