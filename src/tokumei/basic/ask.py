"""Commands for any kind of data whose layouts read sources and releases, and write sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tokumei.core.ask import Answer, Ask, Listing, fault_answer, option
from tokumei.core.claims import verified_words
from tokumei.core.flow import make_release
from tokumei.core.kind import Kind
from tokumei.core.options import key_option, seed_option, set_option, spare_sources
from tokumei.core.registry import ALL, chosen_names, layout_of, params_of, parted_params
from tokumei.core.text import Text


@dataclass(frozen=True, kw_only=True)
class Sample(Ask):
    """Look-alike data."""

    about: ClassVar = Text("Write look-alike data.", "本物に似たデータを書き出します。")

    of: Kind
    format: str
    out: str = option("file to write", "出力ファイル")
    rows: int = option("how many rows", "行数", default=1000, least=1)
    seed: int | None = seed_option()

    def answer(self) -> Answer:
        """Make it and write it."""
        from tokumei.files.atomic import write_all

        made = self.of.flow.sample(self.rows, seed=self.seed)
        write_all([self.of.formats.build(self.format).output(made, self.out)])
        told = Text(f"{self.out}: {self.rows:,} rows", f"{self.out}: {self.rows:,} 行")
        return Answer({"out": self.out, "rows": self.rows}, notes=[told])


@dataclass(frozen=True, kw_only=True)
class _InLayout(Ask):
    """What is asked of files of a layout; its fields are options, and those of the methods."""

    of: Kind
    format: str
    set: dict[str, Any] = set_option()

    @classmethod
    def methods(cls, given: Mapping[str, Any]) -> Mapping[str, type[Any]]:
        """The layout and the chosen methods, whose fields are options."""
        kind, format = given["of"], given.get("format")
        layout = {} if format is None else {format: kind.formats.get(format)}
        return {**layout, **cls.chosen(kind, given)}

    @classmethod
    def chosen(cls, kind: Kind, given: Mapping[str, Any]) -> Mapping[str, type[Any]]:
        """The methods that were named, or all."""
        return {}

    def parted(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What is set of the layout, and what is set of methods."""
        return parted_params(self.of.formats.get(self.format), self.set)

    def layout(self, files: Mapping[str, Any]) -> Any:
        """How the files are read."""
        return layout_of(self.of.formats, self.format, files, dashes="--")


@dataclass(frozen=True, kw_only=True)
class Anonymize(_InLayout):
    """A verified release of a file."""

    about: ClassVar = Text(
        "Anonymize a file. Nothing is written unless the release proves its claims.",
        "ファイルを匿名加工します。主張を検証できなければ何も書き出しません。",
    )

    data: str = option("the file to anonymize", "元のファイル")
    method: str = option("the method", "手法の名前")
    out: str = option("the public file to write", "公開ファイルの出力先")
    secret: str | None = option("write who is who here", "対応表の出力先", default=None)
    seed: int | None = seed_option()
    key: str | None = key_option()

    @classmethod
    def chosen(cls, kind: Kind, given: Mapping[str, Any]) -> Mapping[str, type[Any]]:
        """The method, or all."""
        names = [given["method"]] if "method" in given else kind.anonymizers.names()
        return {name: kind.anonymizers.get(name) for name in names}

    def answer(self) -> Answer:
        """Read, anonymize, verify, write."""
        from tokumei.files.containers import sha256
        from tokumei.files.keys import chance
        from tokumei.files.releases import save_release

        spare_sources((self.data,), (self.out, self.secret))
        files, rest = self.parted()
        params = params_of(self.of.anonymizers, [self.method], rest)[self.method]
        source = self.layout(files).read(self.data)
        digest = sha256(self.data)
        seed = chance(self.seed, self.key)
        release = make_release(self.of, source, self.method, seed=seed, sha256=digest, **params)
        save_release(self.of, release, self.out, secret=self.secret)
        claims = verified_words(self.of.rules, release.claims)
        told = Text(f"{self.out}: {claims.en}", f"{self.out}: {claims.ja}")
        data = {"out": self.out, "secret": self.secret, **release.manifest()}
        return Answer(data, notes=[*release.provenance.notes, told])


@dataclass(frozen=True, kw_only=True)
class _OnRelease(_InLayout):
    """What is asked of an original and its release in files."""

    original: str = option("the original", "元のデータ")
    release: str = option("the public file", "公開ファイル")
    secret: str = option("who is who, from anonymize --secret", "anonymize --secret の対応表")

    registry: ClassVar[str] = ""
    """Which of the kind's registries has the methods that `method` names."""

    @classmethod
    def chosen(cls, kind: Kind, given: Mapping[str, Any]) -> Mapping[str, type[Any]]:
        """The methods, or all."""
        if not cls.registry:
            return {}
        registry = getattr(kind, cls.registry)
        names = chosen_names(registry, given.get("method", (ALL,)))
        return {name: registry.get(name) for name in names}

    def read(self, files: Mapping[str, Any]) -> tuple[Any, Any]:
        """The original and the release."""
        layout = self.layout(files)
        source = layout.read(self.original)
        return source, layout.read_release(source, self.release, self.secret)


@dataclass(frozen=True, kw_only=True)
class Attack(_OnRelease):
    """How much each attack finds."""

    about: ClassVar = Text(
        "Attack a release and say how often each attack is right.",
        "匿名加工データを攻撃し、攻撃ごとの再識別率を示します。",
    )
    registry: ClassVar[str] = "attackers"

    method: tuple[str, ...] = option(
        "all, or names: a,b", "all または名前: a,b", default=(ALL,), aliases=("methods",)
    )
    seed: int | None = seed_option()

    def answer(self) -> Answer:
        """Read, attack, score."""
        names = chosen_names(self.of.attackers, self.method)
        files, rest = self.parted()
        params = params_of(self.of.attackers, names, rest)
        read = self.read(files)
        rates = self.of.flow.attack(*read, methods=names, params=params, seed=self.seed)
        rows = []
        for name, rate in rates.items():
            title = f"{name}  {self.of.attackers.get(name).title.show()}"
            interval = f"{rate.low:.4f}–{rate.high:.4f}"
            rows.append([title, f"{rate.rate:.4f}", interval, f"{rate.baseline:.5f}"])
        header = ("", Text("rate", "再識別率"), "95 %", Text("blind guess", "当てずっぽう"))
        listing = Listing(Text("Re-identification", "再識別"), header, rows)
        return Answer({name: rate.as_json() for name, rate in rates.items()}, [listing])


@dataclass(frozen=True, kw_only=True)
class Measure(_OnRelease):
    """What a release is still good for."""

    about: ClassVar = Text(
        "Measure what a release is still good for.", "匿名加工データの有用性を測ります。"
    )
    registry: ClassVar[str] = "measures"

    method: tuple[str, ...] = option(
        "all, or names: a,b", "all または名前: a,b", default=(ALL,), aliases=("measures",)
    )

    def answer(self) -> Answer:
        """Read and measure."""
        names = chosen_names(self.of.measures, self.method)
        files, rest = self.parted()
        params = params_of(self.of.measures, names, rest)
        scores = self.of.flow.measure(*self.read(files), methods=names, params=params)
        rows = [
            [f"{name}  {self.of.measures.get(name).title.show()}", f"{score.value:,.6g}"]
            for name, score in scores.items()
        ]
        listing = Listing(Text("Measures", "指標"), ["", Text("value", "値")], rows)
        return Answer({name: score.value for name, score in scores.items()}, [listing])


@dataclass(frozen=True, kw_only=True)
class Check(_OnRelease):
    """Whether a release keeps the claims of its manifest."""

    about: ClassVar = Text(
        "Recompute what a release claims. Exit code 1 if it does not hold.",
        "匿名加工データの主張を再計算します。成り立たなければ終了コード 1。",
    )

    def answer(self) -> Answer:
        """Read the release and recompute its claims."""
        return fault_answer(self.of.flow.faults(self.read(self.set)[1]))
