"""`tokumei anonymize table`: in memory, from disk to disk, or on a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from tokumei.core.command import CommandResult, chosen_methods, option
from tokumei.core.messages import Message
from tokumei.core.shared_options import (
    cluster_option,
    key_option,
    merge_set_params,
    refuse_engine_options,
    refuse_overwriting_inputs,
    refuse_unused_options,
    require_spark_engine,
    seed_option,
    set_option,
)
from tokumei.ledger.commands import (
    coalition_option,
    joint_k_option,
    key_file_option,
    name_option,
    recipient_option,
)
from tokumei.tables.commands.options import hierarchy_paths_option, l_option, model_option, t_option
from tokumei.tables.commands.table_source import DEFAULT_METHOD, TableSourceCommand
from tokumei.tables.services.requests import count_by_pseudonym

if TYPE_CHECKING:
    from tokumei.tables.services.requests import (
        AnonymizeTableRequest,
        LedgerRequest,
        ReleaseFiles,
        TableRequest,
    )


@dataclass(frozen=True, kw_only=True)
class AnonymizeTable(TableSourceCommand):
    """Make a release and prove its claims."""

    about: ClassVar = Message(
        "Anonymize a table. Nothing is written unless its claims have been verified.\n\nMethods: "
        "see `tokumei methods`. Several, one after the other: --method unify,mondrian (parameters "
        "then as --set unify.columns=[age] --set mondrian.k=5)."
    )
    examples: ClassVar = (
        "tokumei anonymize table --data x.csv --qi age,sex --sa income --method mondrian --k 5 "
        "--out y.csv --secret link.csv",
        "tokumei anonymize table --data x.csv --qi age,sex --sa income --id id --method mondrian "
        "--k 5 --out y.csv --secret link.csv --ledger ledger --recipient A",
        "tokumei anonymize table --data x.csv --qi age,sex --sa income --method defend "
        "--bounds U4=0.05,U5=0.05,ncp=0.3 --out y.csv --secret link.csv",
    )

    out: str = option("the release to write")
    k: int | None = option("k", default=None)
    diversity: int | None = l_option()
    closeness: float | None = t_option()
    model: list[str] = model_option()
    hierarchies: str | None = hierarchy_paths_option()
    set: dict[str, object] = set_option()
    secret: str | None = option("write the link here (mode 0600)", default=None)
    pseudonym: str | None = option(
        "release the person column as random pseudonyms, valid for this release only", default=None
    )
    excel: bool = option(
        "CSV that Excel opens as it is (UTF-8 with a byte order mark)", default=False
    )
    bom: bool = option("the same as --excel", default=False)
    encoding_out: str | None = option(
        "encoding of the release, e.g. cp932 (default: UTF-8)", default=None
    )
    replace_unencodable: bool = option(
        "with --encoding-out: characters it lacks become ?, and are counted", default=False
    )
    sheet_out: str | None = option(
        "name of the sheet of a released workbook (default: release)", default=None
    )
    save_roles: bool = option(
        "write DATA.tokumei.json: what was decided of every column, for later commands",
        default=False,
    )
    keep_order: bool = option("do not shuffle the rows", default=False)
    engine: Literal["local", "stream", "spark"] = option(
        "local; stream: rows stay on disk (as they do anyway if memory is too small); spark: they "
        "stay on a cluster (see --cluster)",
        default="local",
    )
    cluster: str | None = cluster_option()
    fragments: int | None = option(
        "spark: work in about this many fragments instead of on the driver (mondrian)",
        default=None,
        least=1,
    )
    ledger: str | None = option(
        "check against all earlier releases of this ledger first, and record it there", default=None
    )
    ledger_key: str | None = key_file_option()
    recipient: str | None = recipient_option()
    name: str = name_option()
    coalition: tuple[str, ...] = coalition_option()
    joint_k: int | None = joint_k_option()
    reuse: str | None = option("reuse the classes of this earlier release (name)", default=None)
    apart: tuple[str, ...] = option(
        "split no class of these earlier releases into parts below k: a,b", default=()
    )
    coarsen_of: str | None = option(
        "make classes that are unions of this earlier release's classes", default=None
    )
    wait: bool = option("hold back people whose earlier class has fewer than k left", default=False)
    invariant: int | None = option(
        "with --reuse: every class shows the sensitive values it showed before, at least this "
        "many (m-invariance); people for whom that is impossible are held back",
        default=None,
    )
    slack: float | None = option(
        "widen cells by a step in this share of classes, and wherever records could be worked out",
        default=None,
    )
    seed: int | None = seed_option()
    key: str | None = key_option()

    @classmethod
    def methods(cls, given: Mapping[str, object]) -> Mapping[str, type[object]]:
        """The chosen methods, whose fields are options; all of them if none is chosen."""
        from tokumei.tables.registry import anonymizers

        default = DEFAULT_METHOD if "data" in given else anonymizers.names()
        return {name: anonymizers.get(name) for name in chosen_methods(given, default)}

    def answer(self) -> CommandResult:
        """Anonymize where the rows are, verify, write, and say what was done."""
        from tokumei.files.file_formats import exceeds_memory
        from tokumei.tables.commands.anonymize_result import render_release
        from tokumei.tables.services.apply_saved_roles import apply_saved_roles
        from tokumei.tables.services.publish import publish_table
        from tokumei.tables.services.requests import LedgerRequest

        public_files = (self.out, f"{self.out}.manifest.json")
        secrets = (self.secret, f"{self.secret}.provenance.json") if self.secret else ()
        refuse_overwriting_inputs((self.data,), (*public_files, *secrets))
        # What does not fit memory goes from disk to disk, and so without what that cannot do.
        is_large = self.engine == "local" and exceeds_memory(self.data)
        engine = "stream" if is_large else self.engine
        if engine != "local":
            refuse_engine_options(
                engine,
                excel=self.excel or self.bom or None,
                encoding_out=self.encoding_out,
                sheet_out=self.sheet_out,
                save_roles=self.save_roles or None,
                plain=self.plain or None,
                scrub=self.scrub or None,
                pseudonym=self.pseudonym,
                sheet=self.sheet,
                header_row=self.header_row,
                no_normalize=self.no_normalize or None,
                date_order=self.date_order,
                two_digit_years=self.two_digit_years,
                bad_cells=None if self.bad_cells == "refuse" else self.bad_cells,
                encoding_errors=None if self.encoding_errors == "strict" else self.encoding_errors,
            )
        require_spark_engine(engine, cluster=self.cluster, fragments=self.fragments)
        if self.encoding_out is None:
            refuse_unused_options("UTF-8", replace_unencodable=self.replace_unencodable)
        table = replace(self.request, engine=engine)
        if self.ledger_request != LedgerRequest():
            from tokumei.tables.services.record_release import require_recordable

            require_recordable(table, self.ledger_request, engine)
        table, notes = apply_saved_roles(table)
        written = publish_table(self._anonymize_request(table), self.files)
        return render_release(self, written, notes)

    @property
    def request(self) -> TableRequest:
        """People are told apart by what becomes their pseudonym, if the method can count them.

        Classes that follow earlier releases, and widened cells, are ranges and sets.
        """
        request = super().request
        if self.ledger_request.keeps_classes or self.slack is not None:
            request = replace(request, sets=("all",))
        return request if self.pseudonym is None else count_by_pseudonym(request, self.pseudonym)

    @property
    def files(self) -> ReleaseFiles:
        """Where the release is written, and in which form."""
        from tokumei.tables.services.requests import ReleaseFiles

        return ReleaseFiles(
            out=self.out,
            secret=self.secret,
            excel=self.excel or self.bom,
            sheet=self.sheet_out,
            encoding=self.encoding_out,
            replace_unencodable=self.replace_unencodable,
            labels_from=self.data,
            save_roles=self.save_roles,
        )

    @property
    def ledger_request(self) -> LedgerRequest:
        """The ledger that the release is checked against, and the earlier releases it follows."""
        from tokumei.tables.services.requests import LedgerRequest

        return LedgerRequest(
            folder=self.ledger,
            key_file=self.ledger_key,
            recipient=self.recipient,
            name=self.name,
            coalition=self.coalition,
            joint_k=self.joint_k,
            reuse=self.reuse,
            apart=self.apart,
            coarsen_of=self.coarsen_of,
            wait=self.wait,
            invariant=self.invariant,
        )

    def _anonymize_request(self, table: TableRequest) -> AnonymizeTableRequest:
        """The whole request, once the roles of the table are settled."""
        from tokumei.files.key_files import resolve_seed
        from tokumei.tables.services.method_steps import build_steps, list_privacy_models
        from tokumei.tables.services.requests import AnonymizeTableRequest

        models = list_privacy_models(self.model, l=self.diversity, t=self.closeness)
        options = {
            "k": self.k,
            "conditions": models or None,
            "person": None if table.person == "none" else table.person,
            "hierarchies": self.hierarchies,
        }
        stated = {name: value for name, value in options.items() if value is not None}
        return AnonymizeTableRequest(
            table=table,
            steps=build_steps(self.method, merge_set_params(stated, self.set)),
            seed=resolve_seed(self.seed, self.key),
            keep_order=self.keep_order,
            pseudonym=self.pseudonym,
            slack=self.slack,
            ledger=self.ledger_request,
            cluster=self.cluster,
            fragments=self.fragments,
        )
