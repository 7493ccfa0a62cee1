"""Explains in a sentence why a candidate is proposed and what it keeps."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
import polars as pl

from tokumei.core.advice.purpose import Purpose
from tokumei.core.advice.request import DROP, GENERALIZE, KEEP_UNCHANGED, PROTECT, Request
from tokumei.core.generalized_cells import cell_bounds
from tokumei.core.messages import Message, as_sentence, join_messages
from tokumei.tables.advice.candidate_figures import CandidateRelease
from tokumei.tables.advice.choose_k import shorten_names
from tokumei.tables.registry import anonymizers

START_REASON = Message(
    "begins where your answers point: groups of at least {k}, {form}", stable_code="start"
)
METHOD_FORMS = {
    "local": Message("as fine as can be"),
    "mondrian": Message("with ranges and sets of true values"),
    "flash": Message("every row in the same steps, so that it can be counted"),
}
"""What a method makes of the k that the purpose names."""
GRID_REASON = Message("shows what groups of at least {k} cost and bring", stable_code="grid")
BETWEEN_REASON = Message(
    "lies between two good candidates (groups of {low} and of {high})", stable_code="between"
)
UNREQUESTED_REASON = Message(
    "leaves out {columns}, which you did not ask for", stable_code="leave-out-unrequested"
)
NOT_KNOWN_REASON = Message(
    "leaves {columns} exact, because you said that the recipient does not know these values",
    stable_code="keep-unknown-exact",
)
DROP_REASON = Message(
    "leaves out {column}, which helps to find people and need not stay", stable_code="leave-out"
)
COARSER_REASON = Message(
    "makes {column} coarser before the others, because it helps to find people and need not "
    "stay exact",
    stable_code="coarser",
)
GENERALIZE_REASON = Message(
    "generalizes {column}, too, because its exact values help to find people",
    stable_code="generalize",
)
GENERALIZE_ALL_REASON = Message(
    "generalizes {columns}, too, because somebody may know these values of a person",
    stable_code="generalize-exact",
)
SWAP_REASON = Message(
    "exchanges the values of {columns} within groups, so that they no longer point at a person",
    stable_code="swap",
)
SAFER_REASON = Message("larger groups: at least {k} rows", stable_code="safer")
FINER_REASON = Message("keeps more detail: groups of at least {k}", stable_code="more-detail")
EVEN_WEIGHTS_REASON = Message(
    "weights the loss of every column equally, for comparison", stable_code="even-weights"
)
KEEP_ROWS_REASON = Message("leaves out no row", stable_code="keep-rows")
PLUS = Message.verbatim(" + ")
NEARLY_EXACT = 0.995


def describe_title(request: Request, default_treatments: Mapping[str, str]) -> Message:
    """Method, k, and how it differs from what becomes of the columns otherwise."""
    names = [anonymizers.get(str(step["method"])).title for step in request.steps]
    parts = [
        join_messages(names, PLUS),
        Message("k = {k}", k=request.k),
    ]
    for fate, template in _TITLE_PARTS.items():
        changed_names = [
            n
            for n, item in request.columns.items()
            if item == fate and default_treatments[n] != fate
        ]
        if changed_names and not (fate == PROTECT and len(request.steps) == 1):
            parts.append(template.fill(columns=shorten_names(changed_names)))
    weights = request.steps[0].get("weights", {})
    light_columns = [name for name, weight in weights.items() if weight < 1]
    if light_columns:
        parts.append(Message("{columns} coarser", columns=shorten_names(light_columns)))
    return join_messages(parts)


_TITLE_PARTS = {
    DROP: Message("without {columns}"),
    KEEP_UNCHANGED: Message("{columns} exact"),
    GENERALIZE: Message("{columns} generalized"),
    PROTECT: Message("{columns} exchanged"),
}


def describe_reason(
    candidate_release: CandidateRelease,
    purpose: Purpose,
    proposed: Message,
    ages: Collection[str] = (),
) -> Message:
    """Why it was proposed, and what it does to the column that matters most.

    `ages`: columns that hold years of age.
    """
    kept = _describe_kept_column(candidate_release, purpose, ages)
    if kept is None:
        return as_sentence(proposed)
    return as_sentence(
        Message(
            "{proposed}; {kept}", proposed=proposed, kept=kept, stable_code=proposed.stable_code
        )
    )


def _describe_kept_column(
    candidate_release: CandidateRelease, purpose: Purpose, ages: Collection[str]
) -> Message | None:
    """What happens to the most important column that is not dropped."""
    treatments = candidate_release.request.columns
    column_names = [n for n in purpose.keep if treatments.get(n, DROP) != DROP]
    because = Message("{kept} because you want it to stay")
    if not column_names and purpose.predict:
        generalized_names = [n for n in candidate_release.case.qi if treatments[n] == GENERALIZE]
        column_names = sorted(
            generalized_names, key=lambda name: (_changed_share(candidate_release, name), name)
        )
        because = Message("{kept} because you predict {column}")
    if not column_names:
        column_names = [
            n for table in purpose.tables for n in table if treatments.get(n, DROP) != DROP
        ]
        because = Message("{kept} because you count it")
    if not column_names:
        return None
    kept = describe_resolution(candidate_release, column_names[0], years=column_names[0] in ages)
    return because.fill(kept=kept, column=purpose.predict)


def describe_resolution(
    candidate_release: CandidateRelease, name: str, *, years: bool = False
) -> Message:
    """How fine a column still is: exact, in steps of a width, or exact in a part of the rows."""
    exact_share = 1 - _changed_share(candidate_release, name)
    if exact_share >= NEARLY_EXACT:
        return Message("keeps {column} exact", column=name)
    before = candidate_release.case.original.frame[name]
    if (
        before.dtype.is_numeric()
        and exact_share < 0.5
        and (width := _median_width(candidate_release, name))
    ):
        if years:
            return Message("keeps {column} to about {width:g} years", column=name, width=width)
        return Message("keeps {column} to steps of about {width:g}", column=name, width=width)
    return Message(
        "keeps {column} exact in {share:percent} of the rows", column=name, share=exact_share
    )


def _changed_share(candidate_release: CandidateRelease, name: str) -> float:
    case = candidate_release.case
    texts = (case.original.frame[name].gather(case.link), case.released.frame[name])
    before, after = (series.cast(pl.String) for series in texts)
    return float(np.mean(before.ne_missing(after).to_numpy()))


def _median_width(candidate_release: CandidateRelease, name: str) -> float:
    """The median width of the cells of numbers; 0: most have no ends."""
    case = candidate_release.case
    low, high = cell_bounds(case.released.frame[name])
    is_integer = case.original.frame[name].dtype.is_integer()
    widths = (high - low + is_integer)[np.isfinite(high - low)]
    return float(np.median(widths)) if len(widths) > 0.5 * len(low) else 0.0
