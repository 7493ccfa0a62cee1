"""`tokumei conform`: evidence on legal requirements for whoever is responsible for a release."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.catalogs import available_languages
from tokumei.core.command import Command, CommandResult, option
from tokumei.core.errors import UnknownNameError
from tokumei.core.json_types import as_json_text
from tokumei.core.language import current_language
from tokumei.core.messages import Message, join_messages
from tokumei.core.shared_options import (
    encoding_option,
    original_option,
    refuse_overwriting_inputs,
    release_option,
    require_share,
    require_suffix,
    sep_option,
)
from tokumei.tables.commands.options import (
    label_hierarchies_option,
    qi_option,
    sa_option,
    truth_option,
)

if TYPE_CHECKING:
    from tokumei.assessment.assessment import Assessment
    from tokumei.conformity.assessment import Conformity
    from tokumei.conformity.finding import Finding
    from tokumei.core.conformity_case import CaseFiles
    from tokumei.files.atomic_write import Output

DEFAULT_TAIL_LIMITS = {"age": 90.0, "年齢": 90.0}
VERDICT_WIDTH = 14
ROLES_EXAMPLE = "day=Date,item=Code,price=Price,quantity=Qty,invoice=No"


@dataclass(frozen=True, kw_only=True)
class CheckConformity(Command):
    """Write the conformity report of a release."""

    about: ClassVar = Message(
        "Check a release against the five items of Article 34 of the APPI's enforcement rules (and "
        "the questions of the GDPR's guidance): PASS, FAIL, NEEDS-HUMAN or NOT-APPLICABLE with "
        "evidence, as a page (--out), as JSON, and as a manifest that may be published. Exit code "
        "1 if a check fails. It shows evidence; it never declares lawfulness."
    )
    examples: ClassVar = (
        "tokumei conform --original x.csv --release y.csv --truth link.csv --qi age,sex "
        "--sa income --out conformity.html",
    )

    original: str = original_option()
    release: str = release_option()
    format: str = "table"
    master: str | None = option("the customers M", default=None)
    public: str | None = option("the public file", default=None)
    out: str | None = option("the page to write", default=None)
    manifest: str | None = option("public manifest to write", default=None)
    earlier: list[str] = option("another release (repeatable)", default=[])
    truth: str | None = truth_option()
    hierarchies: str | None = label_hierarchies_option()
    qi: tuple[str, ...] | None = qi_option()
    sa: tuple[str, ...] | None = sa_option()
    id: tuple[str, ...] = option("identifiers of the original", default=())
    person: str | None = option("column that names people", default=None)
    pseudonym: str | None = option("column of pseudonyms", default=None)
    roles: dict[str, str] = option(
        Message("columns of purchases: {example}", example=ROLES_EXAMPLE), default={}
    )
    price_sd: float = option("limit of unit prices, in standard deviations", default=4.0)
    tail: dict[str, float] = option("column=limit, e.g. age=90", default={})
    k: int = option("how many people must look alike", default=2)
    max_rate: float | None = option("attack rate from which the check fails", default=None)
    audit: str | None = option(
        "JSON of an inference audit to cite (tokumei audit --json)", default=None
    )
    max_lifetime: int | None = option("months a pseudonym may be used", default=None)
    effects: bool = option(
        "pseudonyms over time: also how much worse the strongest attack is without the "
        "conspicuous rows",
        default=False,
    )
    sep: str | None = sep_option()
    encoding: str = encoding_option()
    seed: int = option("seed of the random draws", default=0, least=0)

    def answer(self) -> CommandResult:
        """All findings; page and manifest, if they are wanted."""
        from tokumei.conformity.assessment import assess_files
        from tokumei.files.atomic_write import write_all

        input_paths = (
            self.original,
            self.release,
            self.master,
            self.public,
            self.truth,
            *self.earlier,
        )
        refuse_overwriting_inputs((*input_paths, self.audit), [self.out, self.manifest])
        require_suffix(self.out, ".html")
        require_share(self.max_rate, "max_rate")
        conformity = assess_files(self._case_files(), seed=self.seed, audit=self.audit)
        assessment = self._assess_release()
        write_all(list(self._report_outputs(conformity, assessment)))
        data, shown = conformity.as_json(), _verdict_lines(conformity)
        if assessment is not None:
            from tokumei.assessment.first_screen import verdict_sentence

            data = {**data, "assessment": assessment.to_dict()}
            shown = [*shown, verdict_sentence(assessment)]
        return CommandResult(data, shown, code=1 if conformity.failed else 0)

    def _assess_release(self) -> Assessment | None:
        """The assessment of a table under the scenario that was decided for it."""
        from tokumei.assessment.assess import assess_table
        from tokumei.assessment.open_release import AssessTable
        from tokumei.files.release_files import read_manifest

        if self.format != "table":
            return None
        has_roles = "columns" in read_manifest(self.release)
        return assess_table(
            AssessTable(
                original=self.original,
                release=self.release,
                link=self.truth,
                qi=None if has_roles else self.qi,
                sa=None if has_roles else self.sa,
                ids=None if has_roles else self.id or None,
                hierarchies=self.hierarchies,
                remedies=False,
                conformity=False,
                sep=self.sep,
                encoding=self.encoding,
            )
        )

    def _case_files(self) -> CaseFiles:
        from tokumei.core.conformity_case import PURCHASE_ROLES, CaseFiles, Limits, Roles

        for name in self.roles:
            if name not in PURCHASE_ROLES:
                raise UnknownNameError(Message("role"), name, PURCHASE_ROLES, where="--roles")
        column_roles = {"person": self.person, "pseudonym": self.pseudonym, **self.roles}
        return CaseFiles(
            self.format,
            self.original,
            self.release,
            master=self.master,
            public=self.public,
            earlier=tuple(self.earlier),
            truth=self.truth,
            sa=self.sa,
            hierarchies=self.hierarchies,
            sep=self.sep,
            encoding=self.encoding,
            roles=Roles(identifiers=self.id, qi=self.qi or (), **column_roles),
            limits=Limits(
                price_sd=self.price_sd,
                tails=DEFAULT_TAIL_LIMITS | self.tail,
                k=self.k,
                rate=self.max_rate,
                lifetime=self.max_lifetime,
            ),
            effects=self.effects,
        )

    def _report_outputs(
        self, conformity: Conformity, assessment: Assessment | None
    ) -> Iterable[Output]:
        from tokumei.assessment.verdict_view import view_verdict
        from tokumei.conformity.page import render_conformity
        from tokumei.files.writing import text_output

        if self.out is not None:
            verdict = None if assessment is None else view_verdict(assessment)
            page = render_conformity(conformity, verdict=verdict, lang=current_language())
            yield text_output(page, self.out)
        if self.manifest is not None:
            yield text_output(as_json_text(conformity.manifest()), self.manifest)


def _verdict_lines(conformity: Conformity) -> list[Message]:
    """A line for every check, and how many there are of each verdict."""
    from tokumei.conformity.finding import Verdict

    verdict_counts = [
        Message("{verdict}: {number}", verdict=Verdict(name).word, number=number)
        for name, number in conformity.counts.items()
    ]
    summary = Message(
        "{examined} of {total} checks applied: {verdicts}",
        examined=conformity.examined_count,
        total=len(conformity.findings),
        verdicts=join_messages(verdict_counts),
    )
    return [*map(_verdict_line, conformity.findings), summary]


def _verdict_line(finding: Finding) -> Message:
    """The verdict on a check, as wide in every language, with its title and what was found."""
    from rich.cells import set_cell_size

    texts = {}
    for language in available_languages():
        line = Message(
            "{verdict} {title}: {summary}",
            context="a line of a list",
            verdict=set_cell_size(finding.verdict.word.show(language), VERDICT_WIDTH),
            title=finding.title,
            summary=finding.summary,
        )
        texts[language] = line.show(language)
    return Message.of_texts(texts)
