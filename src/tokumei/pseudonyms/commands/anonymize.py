"""`tokumei sample`, `anonymize` and `publish` of pseudonyms over time (`--format pws2017`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from tokumei.core import shared_options
from tokumei.core.command import Command, CommandResult, MadeRelease, chosen_methods, option
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message, join_messages
from tokumei.core.registry import split_params_by_method
from tokumei.pseudonyms.services.requests import (
    AnonymizePeriodsRequest,
    CheckPeriodsRequest,
    PeriodSource,
)

if TYPE_CHECKING:
    from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease


master_option = partial(option, "pws2017: the customers M")
"""The file of the customers."""


@dataclass(frozen=True, kw_only=True)
class SamplePeriods(Command):
    """Write T and M."""

    about: ClassVar = Message("pws2017: with customers, too.")
    examples: ClassVar = ("tokumei sample history --format pws2017 --out T.csv --master M.csv",)

    out: str = option("file to write")
    master: str = option("pws2017: file for M")
    rows: int = option("how many rows", default=20_000)
    customers: int | None = option("how many customers", default=None)
    invoices: bool = option("pws2017: real invoices, not 0", default=False)
    seed: int | None = shared_options.seed_option()

    def answer(self) -> CommandResult:
        """Make them and write them."""
        from tokumei.files.atomic_write import write_all
        from tokumei.pseudonyms.data.sample_data import sample_periods
        from tokumei.pseudonyms.formats.pws2017 import master_output, rows_output

        history = sample_periods(
            self.rows, customers=self.customers, invoices=self.invoices, seed=self.seed
        )
        write_all([rows_output(history.rows, self.out), master_output(history.master, self.master)])
        people = len(history.master.customers)
        message = Message(
            "{out}: {rows:,} purchases of {people:,} customers",
            out=self.out,
            rows=self.rows,
            people=people,
        )
        data = {"out": self.out, "rows": self.rows, "customers": people, "master": self.master}
        return CommandResult(data, notes=[message])


DEFAULT_METHOD = "pseudonyms"


@dataclass(frozen=True, kw_only=True)
class AnonymizePseudonyms(Command):
    """Make a release under changing pseudonyms and prove its claims."""

    about: ClassVar = Message(
        "Pseudonyms over time (pws2017): customers appear under changing pseudonyms, and what they "
        "bought may be moved, coarsened, replaced or deleted."
    )
    examples: ClassVar = (
        "tokumei anonymize history --format pws2017 --data T.csv --master M.csv "
        "--method pseudonyms --lifetime 1 --day 15 --price-noise 0.1 --out AT.csv --public S.csv "
        "--secret F.csv",
    )

    data: str = option("the history to anonymize")
    master: str = option("pws2017: the customers M")
    out: str | None = option("row-aligned release (secret)", default=None)
    method: str = option("the method", default=DEFAULT_METHOD)
    set: dict[str, object] = shared_options.set_option()
    public: str | None = option("what attackers see", default=None)
    secret: str | None = option("pseudonym,customer", default=None)
    encoding: str = shared_options.encoding_option()
    seed: int | None = shared_options.seed_option()
    key: str | None = shared_options.key_option()

    @classmethod
    def methods(cls, given: Mapping[str, object]) -> Mapping[str, type[object]]:
        """The chosen method, whose fields are options."""
        from tokumei.pseudonyms.registry import anonymizers

        names = chosen_methods(given, [DEFAULT_METHOD]) if "data" in given else anonymizers.names()
        return {name: anonymizers.get(name) for name in names}

    def answer(self) -> CommandResult:
        """Read, anonymize, verify, write, and say what came of it."""
        from tokumei.files.key_files import resolve_seed
        from tokumei.files.release_files import ReleasePaths
        from tokumei.pseudonyms.formats.pws2017 import Pws2017
        from tokumei.pseudonyms.registry import anonymizers
        from tokumei.pseudonyms.services.anonymize import publish_periods

        if self.out is None and self.public is None:
            raise UsageError("give --out, --public or both")
        params = split_params_by_method(anonymizers, [self.method], self.set)[self.method]
        layout = Pws2017(master=self.master, encoding=self.encoding)
        request = AnonymizePeriodsRequest(
            source=PeriodSource(data=self.data, layout=layout),
            method=anonymizers.build(self.method, params),
            seed=resolve_seed(self.seed, self.key),
        )
        paths = ReleasePaths(public=self.public, aligned=self.out, secret=self.secret)
        release = publish_periods(request, paths)
        names = len(release.public.people)
        data = {"out": self.out, "public": self.public, "pseudonyms": names}
        notes = [*release.provenance.notes, _summary(release, names)]
        return CommandResult(
            {**data, **release.manifest()}, notes=notes, made=self._made(request, release)
        )

    def _made(self, request: AnonymizePeriodsRequest, release: PeriodRelease) -> MadeRelease:
        """What is assessed at the end; the file in the original's order needs no link."""
        from tokumei.pseudonyms.services.anonymize import read_periods

        return MadeRelease(
            release,
            read_periods(request.source),
            self.data,
            str(self.out or self.public),
            self.secret,
            options=("--format", "pws2017", "--master", self.master),
            is_aligned=self.out is not None,
        )


def _summary(release: PeriodRelease, names: int) -> Message:
    from tokumei.core.claims import rule_title
    from tokumei.pseudonyms.registry import claim_checks

    kept, rows = release.public.rows, release.rows.rows
    people, months = len(release.table.customers), release.months.count
    claims = [rule_title(claim_checks, claim.rule) for claim in release.claims]
    proven = [Message("all rules of the format"), *claims]
    return Message(
        "{kept:,} of {rows:,} rows of {people:,} customers under {names:,} pseudonyms in {months} "
        "months; verified: {proven}",
        kept=kept,
        rows=rows,
        people=people,
        names=names,
        months=months,
        proven=join_messages(proven),
    )


@dataclass(frozen=True, kw_only=True)
class PublishPseudonyms(Command):
    """Write S and F of a checked A(T)."""

    about: ClassVar = Message(
        "Pseudonyms over time: the same, with the table customer,p1,…,pL as the secret."
    )
    examples: ClassVar = (
        "tokumei publish --format pws2017 --original T.csv --master M.csv --release AT.csv "
        "--public S.csv --secret F.csv",
    )

    original: str = option("the original T")
    master: str = option("pws2017: the customers M")
    release: str = option("row-aligned A")
    public: str = option("public file to write")
    secret: str = option("truth to write")
    encoding: str = shared_options.encoding_option()

    def answer(self) -> CommandResult:
        """Check, write, and say how much there is."""
        from tokumei.pseudonyms.services.check import publish_release

        request = CheckPeriodsRequest(
            master=self.master, original=self.original, release=self.release, encoding=self.encoding
        )
        counts = publish_release(request, public=self.public, secret=self.secret)
        return shared_options.publish_result(self.public, self.secret, counts)
