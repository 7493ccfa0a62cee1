"""Requires that attacks are scored against a link that can be true."""

from __future__ import annotations

from tokumei.core.errors import UsageError
from tokumei.core.fields import field_name
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison


def require_row_order(case: Comparison) -> None:
    """Fail unless released row i can come from original row i, which holds where no link is given.

    A rate counted against a wrong link says nothing: it is near 0 even where everybody is found.
    """
    reason = _why_not_in_order(case)
    if reason is not None:
        raise UsageError(
            f"no rate can be computed without the link: {reason.en}, so the released rows are not "
            "in the original's order; give the link that was written with the release "
            f"({field_name('truth')})",
            f"対応表がないため再識別率を計算できません。{reason.ja}。公開データの行は元データの行順では"
            "ありません。公開データと一緒に書き出した対応表を指定してください "
            f"({field_name('truth')})",
            field="truth",
        )


def _why_not_in_order(case: Comparison) -> Text | None:
    """What shows that released row i does not come from original row i; None: nothing does."""
    from tokumei.tables.diagnosis.columns import link_evidence, look_at_columns

    released, original = case.released.rows, case.original.rows
    if released != original:
        return Text(
            f"the release has {released:,} rows and the original {original:,}",
            f"公開データは {released:,} 行、元データは {original:,} 行です",
        )
    found = link_evidence(case, look_at_columns(case))[0]
    return found[0].text if found else None
