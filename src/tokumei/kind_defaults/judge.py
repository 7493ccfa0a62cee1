"""Default contest judge of a kind of data.

An upload is what `tokumei anonymize --out public.csv --secret secret.csv` writes, as a zip of
`public.csv`, `public.csv.manifest.json` and `secret.csv`. What the manifest claims is checked. S is
the public file, the truth the secret one; a guess is a file like the secret one, and its value the
share of the secret lines that stand in it. U and S are what the kind's flow measures and attacks.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import ConfigDict

from tokumei.core.data_kind import Release
from tokumei.core.described import Described
from tokumei.core.errors import InputError, TokumeiError, Violation
from tokumei.core.format_judge import (
    FULL_KNOWLEDGE,
    AcceptedRelease,
    AttackOutcome,
    ContestTerms,
    FileSizeLimit,
    FormatJudge,
    FormatOptions,
    SampleData,
)
from tokumei.core.measure import Goal
from tokumei.core.messages import Message

PUBLIC_FILE, SECRET_FILE, GUESS_FILE = "public.csv", "secret.csv", "guess.csv"
MANIFEST_FILE = f"{PUBLIC_FILE}.manifest.json"
_EXTRA_LINES = 1000


class LayoutOptions(FormatOptions):
    """The reading options of the layout, which checks them itself."""

    model_config = ConfigDict(extra="allow", frozen=True)


class DefaultJudge(FormatJudge[Release, list[bytes]]):
    """Judges releases in two files, by the layout and the flow of their kind."""

    options = LayoutOptions
    takes_own_methods = False
    upload_files = (PUBLIC_FILE, MANIFEST_FILE, SECRET_FILE)

    def __init__(self, terms: ContestTerms) -> None:
        super().__init__(terms)
        self.layout = terms.kind.formats.build(terms.format, terms.options.model_extra)
        self.original = self.layout.read(terms.data["original"])
        names = terms.kind.measures.names()
        lower = [n for n in names if terms.kind.measures.get(n).goal is Goal.MINIMIZE]
        self.default_utility = lower[:1]
        self.default_attacks = terms.kind.attackers.names()
        self._original_line_count = terms.data["original"].read_bytes().count(b"\n")

    @classmethod
    def sample(
        cls, terms: ContestTerms, *, rows: int | None, customers: int | None, seed: int
    ) -> SampleData:
        """Sample data from the kind's services."""
        sample_data = terms.kind.flow.sample(rows or 1_000, seed=seed)
        layout = terms.kind.formats.build(terms.format)
        return SampleData({"original": layout.output(sample_data, "original.csv")})

    @property
    def source(self) -> object:
        """The original as its layout reads it."""
        return self.original

    @property
    def size(self) -> FileSizeLimit:
        """As many lines as the original has, and some more."""
        return FileSizeLimit(self._original_line_count + _EXTRA_LINES)

    def read(
        self, texts: Mapping[str, bytes]
    ) -> tuple[AcceptedRelease[Release] | None, list[Violation]]:
        """The release, unless it does not keep what it claims."""
        release = self._read_release(texts)
        faults = self.terms.kind.flow.faults(release)
        public_part = getattr(release, "public", release)
        return AcceptedRelease(
            texts, release, lambda: public_part, lambda: texts[SECRET_FILE]
        ), faults

    def _read_release(self, texts: Mapping[str, bytes]) -> Release:
        with TemporaryDirectory() as folder:
            paths = {name: Path(folder) / name for name in self.upload_files}
            for name, path in paths.items():
                path.write_bytes(texts[name])
            try:
                return self.layout.read_release(
                    self.original, paths[PUBLIC_FILE], paths[SECRET_FILE]
                )
            except TokumeiError:
                raise
            except Exception as err:
                error_name = type(err).__name__
                raise InputError(
                    "the files are no release of this format ({error})", error=error_name
                ) from err

    def outputs(self, sound: AcceptedRelease[Release]) -> tuple[bytes, bytes]:
        """Both files as they came."""
        return sound.aligned[PUBLIC_FILE], sound.aligned[SECRET_FILE]

    def utility(
        self, sound: AcceptedRelease[Release], measures: Mapping[str, Described]
    ) -> dict[str, float]:
        """The kind's measures."""
        scores = self.terms.kind.flow.measure(
            self.original, sound.made, methods=list(measures), params=_method_params(measures)
        )
        return {name: float(scores[name].value) for name in measures}

    def attacked(
        self, sound: AcceptedRelease[Release], attackers: Mapping[str, Described]
    ) -> dict[str, dict[str, AttackOutcome]]:
        """The rates of the kind's attacks, which know all of the original."""
        rates = self.terms.kind.flow.attack(
            self.original,
            sound.made,
            methods=list(attackers),
            params=_method_params(attackers),
            seed=self.terms.seed,
        )
        return {
            name: {FULL_KNOWLEDGE: AttackOutcome(float(rates[name].rate))} for name in attackers
        }

    def guess_files(self) -> Sequence[str]:
        """One file like the secret one."""
        return [GUESS_FILE]

    def guess_size(self, public: bytes) -> FileSizeLimit:
        """As a release."""
        return self.size

    def read_guess(
        self, public: bytes, texts: Mapping[str, bytes]
    ) -> tuple[list[bytes], list[Violation]]:
        """The lines; each begins with what it is an answer to, which only one may."""
        lines = self._answer_lines(texts[GUESS_FILE])
        keys: dict[bytes, int] = {}
        faults = []
        for line_number, line in enumerate(lines, 1 + self._has_header):
            first = keys.setdefault(line.partition(b",")[0], line_number)
            if first != line_number:
                message = Message(
                    "line {line}: was answered before, on line {first}",
                    line=line_number,
                    first=first,
                )
                faults.append(Violation(rule="repeated", line=line_number, message=message))
        return lines, faults

    def score(self, public: bytes, truth: bytes, answer: list[bytes]) -> AttackOutcome:
        """The share of the secret's lines that were found."""
        true = set(self._answer_lines(truth))
        hits = len(true.intersection(answer))
        figures = {"rate": hits / len(true), "hits": hits, "answered": len(answer)}
        return AttackOutcome(hits / len(true), figures=figures)

    @property
    def _has_header(self) -> bool:
        return bool(getattr(self.layout, "header", True))

    def _answer_lines(self, text: bytes) -> list[bytes]:
        return [line.strip() for line in text.splitlines()[self._has_header :] if line.strip()]


def _method_params(methods: Mapping[str, Described]) -> dict[str, dict[str, object]]:
    return {
        name: {
            parameter.name: getattr(method, parameter.name)
            for parameter in dataclasses.fields(method)
        }
        for name, method in methods.items()
    }
