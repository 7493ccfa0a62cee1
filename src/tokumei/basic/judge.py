"""The judge of contests for any kind of data that has none of its own.

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
from typing import Any

from pydantic import ConfigDict

from tokumei.core.errors import Fault, InputError, TokumeiError
from tokumei.core.judging import (
    EVERYTHING,
    FormatJudge,
    Found,
    Options,
    SampleData,
    Size,
    Sound,
    Terms,
)
from tokumei.core.measure import Goal
from tokumei.core.text import Text

PUBLIC, SECRET, GUESS = "public.csv", "secret.csv", "guess.csv"
MANIFEST = f"{PUBLIC}.manifest.json"
_FURTHER = 1000


class LayoutOptions(Options):
    """The reading options of the layout, which checks them itself."""

    model_config = ConfigDict(extra="allow", frozen=True)


class BasicJudge(FormatJudge[Any, list[bytes]]):
    """Judges releases in two files, by the layout and the flow of their kind."""

    options = LayoutOptions
    takes_own_methods = False
    upload_files = (PUBLIC, MANIFEST, SECRET)

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        self.layout = terms.kind.formats.build(terms.format, terms.options.model_extra)
        self.original = self.layout.read(terms.data["original"])
        names = terms.kind.measures.names()
        lower = [n for n in names if terms.kind.measures.get(n).goal is Goal.MINIMIZE]
        self.default_utility = lower[:1]
        self.default_attacks = terms.kind.attackers.names()
        self._lines = terms.data["original"].read_bytes().count(b"\n")

    @classmethod
    def sample(
        cls, terms: Terms, *, rows: int | None, customers: int | None, seed: int
    ) -> SampleData:
        """What the kind's flow makes up."""
        made = terms.kind.flow.sample(rows or 1_000, seed=seed)
        layout = terms.kind.formats.build(terms.format)
        return SampleData({"original": layout.output(made, "original.csv")})

    @property
    def source(self) -> Any:
        """The original as its layout reads it."""
        return self.original

    @property
    def size(self) -> Size:
        """As many lines as the original has, and some more."""
        return Size(self._lines + _FURTHER)

    def read(self, texts: Mapping[str, bytes]) -> tuple[Sound[Any] | None, list[Fault]]:
        """The release, unless it does not keep what it claims."""
        made = self._release(texts)
        faults = self.terms.kind.flow.faults(made)
        seen = getattr(made, "public", made)
        return Sound(texts, made, lambda: seen, lambda: texts[SECRET]), faults

    def _release(self, texts: Mapping[str, bytes]) -> Any:
        with TemporaryDirectory() as folder:
            paths = {name: Path(folder) / name for name in self.upload_files}
            for name, path in paths.items():
                path.write_bytes(texts[name])
            try:
                return self.layout.read_release(self.original, paths[PUBLIC], paths[SECRET])
            except TokumeiError:
                raise
            except Exception as err:
                told = type(err).__name__
                raise InputError(
                    f"the files are no release of this format ({told})",
                    f"この形式の匿名加工データとして読めません ({told})",
                ) from err

    def outputs(self, sound: Sound[Any]) -> tuple[bytes, bytes]:
        """Both files as they came."""
        return sound.aligned[PUBLIC], sound.aligned[SECRET]

    def utility(self, sound: Sound[Any], measures: Mapping[str, Any]) -> dict[str, float]:
        """The kind's measures."""
        scores = self.terms.kind.flow.measure(
            self.original, sound.made, methods=list(measures), params=_params(measures)
        )
        return {name: float(scores[name].value) for name in measures}

    def attacked(
        self, sound: Sound[Any], attackers: Mapping[str, Any]
    ) -> dict[str, dict[str, Found]]:
        """The rates of the kind's attacks, which know all of the original."""
        rates = self.terms.kind.flow.attack(
            self.original,
            sound.made,
            methods=list(attackers),
            params=_params(attackers),
            seed=self.terms.seed,
        )
        return {name: {EVERYTHING: Found(float(rates[name].rate))} for name in attackers}

    def guess_files(self) -> Sequence[str]:
        """One file like the secret one."""
        return [GUESS]

    def guess_size(self, public: bytes) -> Size:
        """As a release."""
        return self.size

    def read_guess(
        self, public: bytes, texts: Mapping[str, bytes]
    ) -> tuple[list[bytes], list[Fault]]:
        """The lines; each begins with what it is an answer to, which only one may."""
        lines = self._answers(texts[GUESS])
        keys: dict[bytes, int] = {}
        faults = []
        for place, line in enumerate(lines, 1 + self._header):
            first = keys.setdefault(line.partition(b",")[0], place)
            if first != place:
                message = Text(
                    f"line {place}: was answered before, on line {first}",
                    f"{place} 行目: {first} 行目ですでに答えています",
                )
                faults.append(Fault(rule="repeated", line=place, message=message))
        return lines, faults

    def score(self, public: bytes, truth: bytes, answer: list[bytes]) -> Found:
        """The share of the secret's lines that were found."""
        true = set(self._answers(truth))
        hits = len(true.intersection(answer))
        figures = {"rate": hits / len(true), "hits": hits, "answered": len(answer)}
        return Found(hits / len(true), figures=figures)

    @property
    def _header(self) -> bool:
        return bool(getattr(self.layout, "header", True))

    def _answers(self, text: bytes) -> list[bytes]:
        return [line.strip() for line in text.splitlines()[self._header :] if line.strip()]


def _params(methods: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        name: {one.name: getattr(method, one.name) for one in dataclasses.fields(method)}
        for name, method in methods.items()
    }
