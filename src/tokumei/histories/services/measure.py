"""Measures what a released history is still good for.

measured = measure_history(MeasureHistoryRequest(original=source, release="A.csv"))
measured["loss"].value
"""

from __future__ import annotations

from tokumei.core.measure import Score
from tokumei.core.messages import Message
from tokumei.core.result_table import MeasureResults
from tokumei.histories.data.column_parsing import is_value_column
from tokumei.histories.data.generalized_history import GeneralHistory
from tokumei.histories.data.history import History
from tokumei.histories.data.release import HistoryRelease
from tokumei.histories.measures.losses import HONEST_LOSS, honest_loss
from tokumei.histories.measures.protocol import HistoryCase
from tokumei.histories.registry import measures
from tokumei.histories.services.read import layout_of_source, read_history
from tokumei.histories.services.requests import MeasureHistoryRequest


def measure_history(request: MeasureHistoryRequest) -> tuple[MeasureResults[Score], History]:
    """Take the measures; return them with the original they were taken against.

    All of them are the contest's loss with its parts, and what the data is still good for; where
    categories replaced the items, also the loss against the real items.
    """
    read, released = read_history(request.original), request.release
    history = read.history
    if isinstance(released, HistoryRelease):
        released = released.rows
    if not isinstance(released, GeneralHistory):
        released = layout_of_source(request.original).read_general(released, history)
    case = HistoryCase(history, released)
    scores = {
        name: measures.build(name, request.params.get(name)).score(case)
        for name in request.methods or measures.names()
    }
    values = () if request.methods else history.like
    scores |= {name: Score(case.loss.parts[name]) for name in values}
    if read.original is not None and read.mapping is not None:
        honest = honest_loss(read.original, released, read.mapping)
        scores["honest_loss"] = Score(honest.loss)
    return MeasureResults(scores), history


def measure_title(name: str, history: History) -> Message:
    """What a figure of `measure_history` is called."""
    if is_value_column(name):
        column = history.names.get(name, name)
        return Message("Loss of {column}", column=column)
    return HONEST_LOSS if name == "honest_loss" else measures.get(name).title
