"""Implements `tk.release`: a useful release of a table for a recipient, in one step.

release = tk.release(frame, recipient="partner", keep=["income"])
release.frame, release.assessment
release.save("to-partner")
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tokumei.core.errors import ClaimError
from tokumei.releases.release_table import PreparedRelease, prepare_release
from tokumei.releases.request import ReleaseTable
from tokumei.tables.services.comparison_requests import is_path
from tokumei.tables.services.requests import TableRequest, column_names

if TYPE_CHECKING:
    from tokumei.api.types import Columns, TableSource
    from tokumei.assessment.assessment import Assessment
    from tokumei.core.scenario import Recipient


@dataclass(frozen=True, eq=False)
class TableRelease:
    """A release with its verdict: `print` shows it, `save` writes its folder."""

    prepared: PreparedRelease = field(repr=False)

    @property
    def frame(self) -> Any:
        """The released rows, as a frame of the library that the source's frame was of."""
        return self.prepared.frame

    @property
    def assessment(self) -> Assessment:
        """The assessment under the recipient's scenario."""
        return self.prepared.assessment

    @property
    def fits(self) -> bool:
        """Whether the release may go to its recipient."""
        return self.prepared.fits

    @property
    def questions(self) -> list[dict[str, object]]:
        """What only the owner knows, with the answers that were taken."""
        return [question.to_dict() for question in self.prepared.questions]

    @property
    def dropped(self) -> list[dict[str, object]]:
        """The columns that do not leave, and why."""
        return [column.to_dict() for column in self.prepared.decisions.dropped]

    @property
    def candidates(self) -> list[dict[str, object]]:
        """All candidates that were tried, the best first."""
        return [trial.to_dict() for trial in self.prepared.trials]

    def to_dict(self) -> dict[str, object]:
        """The assessment with questions, dropped columns and candidates, as plain data."""
        from tokumei.releases.release_view import build_document

        return build_document(self.prepared)

    def save(self, folder: str | os.PathLike[str], *, anyway: str | None = None) -> dict[str, str]:
        """Write the release's folder, all of it or nothing; the files by what they are.

        A release that does not fit is written only with a reason (`anyway`).
        """
        from tokumei.releases.release_folder import save_prepared
        from tokumei.releases.release_view import build_document

        if not self.fits and not anyway:
            raise ClaimError("nothing is written: {reason}", reason=self.assessment.verdict.reason)
        reason = None if self.fits else anyway
        document = build_document(self.prepared, anyway=reason)
        return save_prepared(self.prepared, folder, document).files

    def __str__(self) -> str:
        from tokumei.assessment.text_view import describe_parts
        from tokumei.releases.release_view import describe_release

        return describe_parts(describe_release(self.prepared, None))


def release(
    source: TableSource,
    recipient: Recipient = "partner",
    *,
    keep: Columns | None = None,
    knows: Columns | None = None,
    ids: Columns | None = None,
    passed: Columns | None = None,
    scrub: Columns | None = None,
    person: str | None = None,
    key: int | None = None,
    **reading: Any,
) -> TableRelease:
    """Search the release of a table that fits its recipient and keeps most, and judge it.

    `recipient` is "public", "partner" or "inside"; `knows` the columns that it may know of a
    person (default: what others can see or look up); `keep` columns that matter most; `ids` are
    dropped, `passed` released although they are in doubt. `reading`: how a file is read, as
    options of `tokumei release`. Nothing is written, and nothing is asked: safe defaults are taken,
    and `questions` lists them.
    """
    table = TableRequest(
        data=str(source) if is_path(source) else "",
        id=column_names(ids),
        passed=column_names(passed) or (),
        scrub=column_names(scrub) or (),
        person=person,
        answers="defaults",
        **reading,
    )
    request = ReleaseTable(
        table=table,
        recipient=recipient,
        keep=column_names(keep) or (),
        knows=column_names(knows),
        key=key,
    )
    return TableRelease(prepare_release(request, None if is_path(source) else source))
