"""`tokumei audit`: what a release reveals about membership and attributes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from tokumei.core.command import Command, CommandResult, TextTable, option
from tokumei.core.errors import UsageError
from tokumei.core.language import current_language
from tokumei.core.messages import Message, join_messages
from tokumei.core.shared_options import (
    encoding_option,
    refuse_overwriting_inputs,
    release_option,
    require_suffix,
    seed_option,
    sep_option,
)
from tokumei.tables.commands.options import label_hierarchies_option, qi_option, sa_option

if TYPE_CHECKING:
    from tokumei.tables.audit.audit import Audit
    from tokumei.tables.services.audit import AuditTableRequest

LIMIT_NAMES = ("auc", "attribute", "singling-out")


@dataclass(frozen=True, kw_only=True)
class AuditTable(Command):
    """Audit a release of a table."""

    about: ClassVar = Message(
        "Attack any release of a table, made by any tool, with people who were in it and people "
        "who were not: who was in the data, what can be inferred, who is singled out; with "
        "controls, intervals and ceilings. 'tokumei audit split' holds people out before "
        "anonymizing."
    )
    examples: ClassVar = (
        "tokumei audit --release y.csv --members split/members.csv --control split/control.csv "
        "--reference split/reference.csv --qi age,sex --sa illness --out audit.html",
    )

    release: str = release_option()
    members: str = option("people whose rows went into the release")
    control: str = option("people of the same population whose rows did not")
    reference: str | None = option("others whom the attacker knows", default=None)
    qi: tuple[str, ...] | None = qi_option()
    sa: tuple[str, ...] | None = sa_option()
    known: tuple[str, ...] | None = option(
        "what the attacker knows of a person: a,b,c (default: all columns)", default=None
    )
    hierarchies: str | None = label_hierarchies_option()
    kinds: tuple[str, ...] = option(
        "what to examine: membership, attribute, singling-out (default: all)",
        default=("membership", "attribute", "singling-out"),
    )
    model: Literal["together", "alone"] = option(
        "together: all members are on the attacker's list; alone: one person at a time",
        default="together",
    )
    groups: tuple[str, ...] = option("columns whose values are examined as groups", default=())
    person: str | None = option(
        "column that names people: nobody may be in two files", default=None
    )
    tolerance: dict[str, float] = option(
        "how near a guessed number must be: income=1000 (default: 5 % of the IQR)", default={}
    )
    width: int = option("columns of a description that singles out", default=4, least=1)
    targets: int = option("people asked about, of members and of control", default=10000, least=30)
    fail_above: dict[str, float] = option(
        "exit with 1 above this figure: auc=0.6, attribute=0.1, singling-out=0.1", default={}
    )
    out: str | None = option("report to write: .html", default=None)
    seed: int | None = seed_option()
    sep: str | None = sep_option()
    encoding: str = encoding_option()

    def answer(self) -> CommandResult:
        """Read, attack, and write the report."""
        from tokumei.tables.commands.audit_text_tables import format_audit_tables
        from tokumei.tables.services.audit import audit_table

        self._require_valid_options()
        audited = audit_table(self.request)
        result, notes = audited.audit, [*audited.notes]
        if self.out is not None:
            from tokumei.files.writing import write_text
            from tokumei.tables.report.audit_page import render_audit

            write_text(render_audit(result, lang=current_language()), self.out)
            notes.append(Message("Report: {out}", out=self.out))
        exceeded = _exceeded_limits(result, self.fail_above)
        parts: list[TextTable | Message] = [*format_audit_tables(result), *exceeded]
        data = {
            "out": self.out,
            **result.as_json(),
            "above": [message.show("en") for message in exceeded],
        }
        return CommandResult(data, parts, notes, code=1 if exceeded else 0)

    @property
    def request(self) -> AuditTableRequest:
        """The request that these options make."""
        from tokumei.tables.services.audit import AuditTableRequest

        return AuditTableRequest(
            release=self.release,
            members=self.members,
            control=self.control,
            reference=self.reference,
            qi=self.qi,
            sa=self.sa,
            known=self.known,
            hierarchies=self.hierarchies,
            kinds=self.kinds,  # type: ignore[arg-type]
            model=self.model,
            groups=self.groups,
            person=self.person,
            tolerance=self.tolerance,
            width=self.width,
            targets=self.targets,
            seed=self.seed,
            sep=self.sep,
            encoding=self.encoding,
        )

    def _require_valid_options(self) -> None:
        refuse_overwriting_inputs(
            (self.release, self.members, self.control, self.reference), (self.out,)
        )
        require_suffix(self.out, ".html")
        for name in self.fail_above:
            if name not in LIMIT_NAMES:
                raise UsageError(
                    "--fail-above {name}: one of {limits}",
                    name=name,
                    limits=join_messages(LIMIT_NAMES),
                )


def _exceeded_limits(result: Audit, limits: dict[str, float]) -> list[Message]:
    """What is above the limits given."""
    figures: dict[str, list[float]] = {
        "auc": [result.membership.corrected.value] if result.membership else [],
        "attribute": [outcome.corrected.value for outcome in result.attributes.values()],
        "singling-out": [outcome.risk.value for outcome in result.singling_out if outcome.risk],
    }
    messages = []
    for name, limit in limits.items():
        highest = max(figures[name], default=0.0)
        if highest > limit:
            messages.append(
                Message(
                    "Above the limit: {figure} {value:.3f} > {limit:g}",
                    figure=name,
                    value=highest,
                    limit=limit,
                )
            )
    return messages


@dataclass(frozen=True, kw_only=True)
class SplitForAudit(Command):
    """Hold people out before anonymizing."""

    about: ClassVar = Message(
        "Split a table at random, before it is anonymized: members (anonymize these), control and "
        "reference (keep both for 'tokumei audit')."
    )
    examples: ClassVar = (
        "tokumei audit split --data x.csv --control 0.3 --reference 0.2 --seed 1 --out split",
    )

    data: str = option("the table")
    control: float = option("share of the control", default=0.3)
    reference: float = option("share of the reference", default=0.2)
    person: str | None = option(
        "column that names people: all rows of one stay together; a row that names nobody is a "
        "person of its own",
        default=None,
    )
    out: str = option("folder to write")
    seed: int | None = seed_option()
    sep: str | None = sep_option()
    encoding: str = encoding_option()

    def answer(self) -> CommandResult:
        """Read, split, write all parts or none."""
        from tokumei.files.atomic_write import write_all
        from tokumei.files.writing import frame_output
        from tokumei.tables.services.audit import SplitTableRequest, split_table

        split = split_table(
            SplitTableRequest(
                data=self.data,
                control=self.control,
                reference=self.reference,
                person=self.person,
                seed=self.seed,
                sep=self.sep,
                encoding=self.encoding,
            )
        )
        parts, unnamed_rows = split.parts, split.rows_without_person
        folder = Path(self.out)
        paths = {name: folder / f"{name}.csv" for name in parts}
        refuse_overwriting_inputs((self.data,), [str(path) for path in paths.values()])
        folder.mkdir(parents=True, exist_ok=True)
        write_all([frame_output(part.frame, paths[name]) for name, part in parts.items()])
        rows: dict[str, object] = {name: part.rows for name, part in parts.items()}
        listed = [[name, f"{part.rows:,}", str(paths[name])] for name, part in parts.items()]
        header: list[Message | str] = ["", Message("rows"), Message("file")]
        title = Message("Held out before anonymizing")
        data = {"out": self.out, "rows": rows, "rows_without_person": unnamed_rows}
        notes = [_unnamed_rows_note(self.person, unnamed_rows)] if unnamed_rows else []
        return CommandResult(data, [TextTable(title, header, listed)], notes)


def _unnamed_rows_note(person: str | None, rows: int) -> Message:
    """A note on rows without a person."""
    return Message(
        "column '{column}': {count} row names nobody; it is taken for a person of its own",
        plural="column '{column}': {count:,} rows name nobody; each is taken for a person of its "
        "own, so that rows of one such person may be in different parts",
        count=rows,
        column=person,
    )
