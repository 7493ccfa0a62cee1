"""`tokumei assess`: the verdict on a release under one scenario."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from tokumei.core.command import Command, CommandResult, option
from tokumei.core.errors import InputError, UsageError
from tokumei.core.fields import field_name
from tokumei.core.messages import Message
from tokumei.core.shared_options import (
    encoding_option,
    original_option,
    refuse_overwriting_inputs,
    sep_option,
)
from tokumei.tables.commands.options import (
    label_hierarchies_option,
    qi_option,
    sa_option,
    truth_option,
)

if TYPE_CHECKING:
    from tokumei.assessment.open_release import AssessTable
    from tokumei.core.scenario import Scenario

RECORDS = ("assessment.json", "report.html", "recipe.yaml")
"""What `tokumei release` writes beside a release."""
SIDE_FILES = (".manifest.json", ".provenance.json", ".md", ".key")


@dataclass(frozen=True, kw_only=True)
class AssessRelease(Command):
    """Judge a release under a scenario."""

    about: ClassVar = Message(
        "Judge a release: may it go to this recipient? Says who could find whom, how much "
        "information is kept, on which assumptions the verdict rests and what would help. Exit "
        "code 0: it fits the scenario, 1: it does not, 2: it cannot be told."
    )
    examples: ClassVar = (
        "tokumei assess --original x.csv --release y.csv --truth link.csv --for partner "
        "--report report.html",
    )

    original: str = original_option()
    release: str | None = option("the release: a file", default=None)
    release_dir: str | None = option(
        "the folder of a release (as `run` and the studio write it): release and link are found "
        "there",
        default=None,
    )
    truth: str | None = truth_option()
    recipient: Literal["public", "partner", "inside"] | None = option(
        "who gets the release: public, partner or inside (default: as saved beside the original or "
        "told by the release, else partner)",
        default=None,
        name="for",
    )
    knows: tuple[str, ...] | None = option(
        "what the recipient may know of a person: a,b; roughly: date~30d, amount~10%, postcode~3 "
        "(first characters), city~up (default: every column for the public, else the "
        "quasi-identifiers)",
        default=None,
    )
    holds: tuple[str, ...] | None = option(
        "columns that the recipient has already: a,b", default=None
    )
    at_once: int | None = option("how many columns are known at once", default=None, least=1)
    person: str | None = option(
        "count people, told apart by this column of the original (default: as the release says; "
        "none: rows)",
        default=None,
    )
    population: int | None = option(
        "the recipient does not know who is in the data: how many people it could be",
        default=None,
        least=1,
    )
    limit: dict[str, float] = option(
        "limits: identified=0, guessed_right=0.2, smallest_class=5", default={}
    )
    keep: dict[str, float] = option("columns that weigh more: amount=3", default={})
    uses: tuple[str, ...] | None = option(
        "measures of what the data is needed for: U1,U4", default=None
    )
    save: bool = option(
        "save the scenario with the roles beside the original, for later commands", default=False
    )
    ledger: str | None = option(
        "ledger of earlier releases: assess the joint risk of all of them", default=None
    )
    ledger_key: str | None = option("key of the ledger (default: where it was made)", default=None)
    coalition: tuple[str, ...] = option(
        "recipients of earlier releases who may combine theirs: a,b (default: all)", default=()
    )
    control: str | None = option(
        "people of the same population who are not in the data, for an audit: a file", default=None
    )
    qi: tuple[str, ...] | None = qi_option()
    sa: tuple[str, ...] | None = sa_option()
    id: tuple[str, ...] | None = option("identifiers of the original: a,b", default=None)
    hierarchies: str | None = label_hierarchies_option()
    report: str | None = option("write the hand-over report here: .html", default=None)
    no_remedies: bool = option("do not measure what would help", default=False)
    sep: str | None = sep_option()
    encoding: str = encoding_option()

    def answer(self) -> CommandResult:
        """Assess, and show the verdict first."""
        from tokumei.assessment.assess import assess_table
        from tokumei.assessment.saved_scenario import save_scenario
        from tokumei.assessment.text_view import assessment_parts

        request = self.request
        if self.report is not None:
            sources = (self.original, str(request.release), *([self.truth] if self.truth else []))
            refuse_overwriting_inputs(sources, (self.report,))
        assessment = assess_table(request)
        if self.report is not None:
            assessment.report(self.report, release=Path(str(request.release)).name)
        notes = list(assessment.notes)
        if self.save:
            notes.append(save_scenario(self.original, request.decided()))
        return CommandResult(
            assessment.to_dict(),
            assessment_parts(assessment),
            notes,
            code=assessment.exit_code,
        )

    @property
    def request(self) -> AssessTable:
        """The request that these options make."""
        from tokumei.assessment.open_release import AssessTable
        from tokumei.ledger.services import LedgerLocation

        release, truth = self._paths()
        ledger = None
        if self.ledger is not None:
            ledger = LedgerLocation(folder=self.ledger, key_file=self.ledger_key)
        return AssessTable(
            original=self.original,
            release=release,
            link=truth,
            scenario=self._scenario(release),
            qi=self.qi,
            sa=self.sa,
            ids=self.id,
            hierarchies=self.hierarchies,
            remedies=not self.no_remedies,
            ledger=ledger,
            coalition=self.coalition,
            control=self.control,
            sep=self.sep,
            encoding=self.encoding,
        )

    def _scenario(self, release: str) -> Scenario:
        """The saved scenario with what the options say in its place."""
        from tokumei.assessment.saved_scenario import find_scenario

        return find_scenario(self.original, release, self.release_dir).changed(
            recipient=self.recipient,
            knows=self.knows,
            limits=self.limit,
            holds=self.holds,
            at_once=self.at_once,
            person=self.person,
            population=self.population,
            knows_membership=None if self.population is None else "journalist",
            keep=self.keep or None,
            uses=self.uses,
        )

    def _paths(self) -> tuple[str, str | None]:
        """The files of the release and of its link."""
        if (self.release is None) == (self.release_dir is None):
            raise UsageError(
                "give either {release} or {folder}",
                release=field_name("release"),
                folder=field_name("release_dir"),
                field="release",
            )
        if self.release is not None:
            return self.release, self.truth
        folder = Path(str(self.release_dir))
        release = _only_release(folder)
        names = (release.name, f"{release.stem}.link{release.suffix}")
        links = (folder / "secret" / name for name in names)
        link = next((path for path in links if path.is_file()), None)
        return str(release), self.truth or (None if link is None else str(link))


def _only_release(folder: Path) -> Path:
    """The one released file of a folder."""
    inner = folder / "releases"
    files = [
        path
        for path in sorted((inner if inner.is_dir() else folder).glob("*"))
        if path.is_file() and not path.name.endswith(SIDE_FILES) and path.name not in RECORDS
    ]
    if len(files) != 1:
        raise InputError(
            "{folder}: {number} released files, but one is needed; name it with {release}",
            folder=folder,
            number=len(files),
            release=field_name("release"),
            field="release_dir",
        )
    return files[0]
