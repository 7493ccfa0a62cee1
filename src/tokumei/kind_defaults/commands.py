"""Default commands of a kind, built from its registries, layouts and services."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tokumei.core.claims import describe_verified_claims
from tokumei.core.command import Command, CommandResult, TextTable, option, violations_result
from tokumei.core.data_kind import DataKind, Release
from tokumei.core.messages import Message
from tokumei.core.registry import (
    ALL_METHODS,
    Layout,
    build_layout,
    resolve_method_names,
    split_layout_params,
    split_params_by_method,
)
from tokumei.core.shared_options import (
    key_option,
    refuse_overwriting_inputs,
    seed_option,
    set_option,
)
from tokumei.core.workflow import make_release


@dataclass(frozen=True, kw_only=True)
class SampleCommand(Command):
    """Look-alike data."""

    about: ClassVar = Message("Write look-alike data.")

    of: DataKind
    format: str
    out: str = option("file to write")
    rows: int = option("how many rows", default=1000, least=1)
    seed: int | None = seed_option()

    def answer(self) -> CommandResult:
        """Make it and write it."""
        from tokumei.files.atomic_write import write_all

        sample = self.of.flow.sample(self.rows, seed=self.seed)
        write_all([self.of.formats.build(self.format).output(sample, self.out)])
        written_note = Message("{out}: {rows:,} rows", out=self.out, rows=self.rows)
        return CommandResult({"out": self.out, "rows": self.rows}, notes=[written_note])


@dataclass(frozen=True, kw_only=True)
class _LayoutCommand(Command):
    """Base of commands on files of a layout; fields of layout and methods are options, too."""

    of: DataKind
    format: str
    set: dict[str, Any] = set_option()

    @classmethod
    def methods(cls, given: Mapping[str, Any]) -> Mapping[str, type[object]]:
        """The layout and the chosen methods, whose fields are options."""
        kind, format = given["of"], given.get("format")
        layout = {} if format is None else {format: kind.formats.get(format)}
        method = given.get("method")
        return {**layout, **cls.chosen(kind, [method] if isinstance(method, str) else method)}

    @classmethod
    def chosen(cls, kind: DataKind, names: Sequence[str] | None) -> Mapping[str, type[object]]:
        """The methods that were named, or all."""
        return {}

    def split_params(self) -> tuple[dict[str, object], dict[str, object]]:
        """Split `--set` into parameters of the layout and of methods."""
        return split_layout_params(self.of.formats.get(self.format), self.set)

    def file_layout(self, files: Mapping[str, object]) -> Layout[object]:
        """How the files are read."""
        return build_layout(self.of.formats, self.format, files, dashes="--")


@dataclass(frozen=True, kw_only=True)
class AnonymizeCommand(_LayoutCommand):
    """A verified release of a file."""

    about: ClassVar = Message(
        "Anonymize a file. Nothing is written unless the release proves its claims."
    )

    data: str = option("the file to anonymize")
    method: str = option("the method")
    out: str = option("the public file to write")
    secret: str | None = option("write who is who here", default=None)
    seed: int | None = seed_option()
    key: str | None = key_option()

    @classmethod
    def chosen(cls, kind: DataKind, names: Sequence[str] | None) -> Mapping[str, type[object]]:
        """The method, or all."""
        return {name: kind.anonymizers.get(name) for name in names or kind.anonymizers.names()}

    def answer(self) -> CommandResult:
        """Read, anonymize, verify, write."""
        from tokumei.files.file_formats import sha256_of_file
        from tokumei.files.key_files import resolve_seed
        from tokumei.files.release_files import save_release

        refuse_overwriting_inputs((self.data,), (self.out, self.secret))
        files, method_options = self.split_params()
        params = split_params_by_method(self.of.anonymizers, [self.method], method_options)[
            self.method
        ]
        source = self.file_layout(files).read(self.data)
        digest = sha256_of_file(self.data)
        seed = resolve_seed(self.seed, self.key)
        release = make_release(self.of, source, self.method, seed=seed, sha256=digest, **params)
        save_release(self.of, release, self.out, secret=self.secret)
        claims = describe_verified_claims(self.of.claim_checks, release.claims)
        verified_note = Message("{out}: {claims}", out=self.out, claims=claims)
        data = {"out": self.out, "secret": self.secret, **release.manifest()}
        return CommandResult(data, notes=[*release.provenance.notes, verified_note])


@dataclass(frozen=True, kw_only=True)
class _ReleaseCommand(_LayoutCommand):
    """Base of commands on an original and its release in files."""

    original: str = option("the original")
    release: str = option("the public file")
    secret: str = option("who is who, from anonymize --secret")

    registry: ClassVar[str] = ""
    """Which of the kind's registries has the methods that `method` names."""

    @classmethod
    def chosen(cls, kind: DataKind, names: Sequence[str] | None) -> Mapping[str, type[object]]:
        """The methods, or all."""
        if not cls.registry:
            return {}
        registry = getattr(kind, cls.registry)
        method_names = resolve_method_names(registry, (ALL_METHODS,) if names is None else names)
        return {name: registry.get(name) for name in method_names}

    def read_original_and_release(self, files: Mapping[str, object]) -> tuple[object, Release]:
        """The original and the release."""
        layout = self.file_layout(files)
        source = layout.read(self.original)
        return source, layout.read_release(source, self.release, self.secret)


@dataclass(frozen=True, kw_only=True)
class AttackCommand(_ReleaseCommand):
    """How much each attack finds."""

    about: ClassVar = Message("Attack a release and say how often each attack is right.")
    registry: ClassVar[str] = "attackers"

    method: tuple[str, ...] = option(
        "all, or names: a,b", default=(ALL_METHODS,), aliases=("methods",)
    )
    seed: int | None = seed_option()

    def answer(self) -> CommandResult:
        """Read, attack, score."""
        names = resolve_method_names(self.of.attackers, self.method)
        files, method_options = self.split_params()
        params = split_params_by_method(self.of.attackers, names, method_options)
        original_and_release = self.read_original_and_release(files)
        rates = self.of.flow.attack(
            *original_and_release, methods=names, params=params, seed=self.seed
        )
        rows = []
        for name, rate in rates.items():
            title = f"{name}  {self.of.attackers.get(name).title.show()}"
            interval = f"{rate.low:.4f}–{rate.high:.4f}"
            rows.append([title, f"{rate.rate:.4f}", interval, f"{rate.baseline:.5f}"])
        header = ("", Message("rate"), "95 %", Message("blind guess"))
        listing = TextTable(Message("Re-identification"), header, rows)
        return CommandResult({name: rate.as_json() for name, rate in rates.items()}, [listing])


@dataclass(frozen=True, kw_only=True)
class MeasureCommand(_ReleaseCommand):
    """Measures the utility of a release."""

    about: ClassVar = Message("Measure what a release is still good for.")
    registry: ClassVar[str] = "measures"

    method: tuple[str, ...] = option(
        "all, or names: a,b", default=(ALL_METHODS,), aliases=("measures",)
    )

    def answer(self) -> CommandResult:
        """Read and measure."""
        names = resolve_method_names(self.of.measures, self.method)
        files, method_options = self.split_params()
        params = split_params_by_method(self.of.measures, names, method_options)
        scores = self.of.flow.measure(
            *self.read_original_and_release(files), methods=names, params=params
        )
        rows = [
            [f"{name}  {self.of.measures.get(name).title.show()}", f"{score.value:,.6g}"]
            for name, score in scores.items()
        ]
        listing = TextTable(Message("Measures"), ["", Message("value")], rows)
        return CommandResult({name: score.value for name, score in scores.items()}, [listing])


@dataclass(frozen=True, kw_only=True)
class CheckCommand(_ReleaseCommand):
    """Whether a release keeps the claims of its manifest."""

    about: ClassVar = Message("Recompute what a release claims. Exit code 1 if it does not hold.")

    def answer(self) -> CommandResult:
        """Read the release and recompute its claims."""
        return violations_result(self.of.flow.faults(self.read_original_and_release(self.set)[1]))
