"""`tokumei publish` and `check` of histories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from tokumei.core import shared_options
from tokumei.core.command import Command, CommandResult, option, violations_result
from tokumei.core.messages import Message
from tokumei.histories.commands.history_file import ReleasedHistoryCommand, mapping_option
from tokumei.histories.services.requests import CheckHistoryRequest, HistorySource

if TYPE_CHECKING:
    from tokumei.core.errors import Violation


@dataclass(frozen=True, kw_only=True)
class PublishHistory(Command):
    """Write the public rows of a checked release, and the truth."""

    about: ClassVar = Message(
        "Make the public file (deleted rows gone, sorted as text) and the secret one "
        "(pseudonym,customer). All rules are checked first; with --k also that k people share "
        "every history. Exit code 1, and nothing written, if one is broken."
    )
    examples: ClassVar = (
        "tokumei publish --format pws2018 --original T.csv --release A.csv --public A1.csv "
        "--secret F.csv",
    )

    original: str = option("the original T")
    release: str = option("row-aligned A")
    public: str = option("public file to write")
    secret: str = option("truth to write")
    k: int | None = option("verify k", default=None)
    encoding: str = shared_options.encoding_option()

    def answer(self) -> CommandResult:
        """Check, write, and say how much there is."""
        from tokumei.histories.formats.pws2018 import Pws2018
        from tokumei.histories.services.check import publish_release

        source = HistorySource(data=self.original, layout=Pws2018(encoding=self.encoding))
        request = CheckHistoryRequest(original=source, release=self.release, k=self.k)
        counts = publish_release(request, public=self.public, secret=self.secret)
        return shared_options.publish_result(self.public, self.secret, counts)


@dataclass(frozen=True, kw_only=True)
class CheckHistory(ReleasedHistoryCommand):
    """Check a release with its original, a public file, or guesses."""

    about: ClassVar = Message(
        "Histories: a release and its --original against all rules; a --public file, made by any "
        "tool, for --k; or each --guess against the rules of guesses."
    )
    examples: ClassVar = ("tokumei check --format pws2018 --original T.csv --release A.csv --k 6",)

    original: str | None = shared_options.original_option(default=None)
    release: str | None = shared_options.release_option(default=None)
    public: str | None = shared_options.public_option()
    guess: list[str] = option("histories: guess file(s)", default=[])
    k: int | None = option("k", default=None)
    categories: str | None = mapping_option()
    engine: Literal["local", "spark"] = shared_options.engine_option()
    cluster: str | None = shared_options.cluster_option()

    def answer(self) -> CommandResult:
        """All violations of what was given."""
        if self.engine == "spark":
            unused = {"original": self.original, "release": self.release, "guess": self.guess}
            unused |= {"categories": self.categories, "encoding": self.encoding}
            shared_options.refuse_engine_options(
                "spark", **unused, columns=self.columns, sep=self.sep
            )
            needs = "--engine spark"
            return self._check_public(
                shared_options.require_option(self.public, "--public", needs), needs
            )
        shared_options.require_spark_engine(self.engine, cluster=self.cluster)
        if self.guess:
            return violations_result(self._guess_violations())
        if self.public is not None and self.release is None:
            shared_options.refuse_unused_options(
                "--public", original=self.original, categories=self.categories
            )
            return self._check_public(self.public, "--public")
        return violations_result(self._release_violations())

    def _guess_violations(self) -> list[Violation]:
        from tokumei.histories.services.check import check_guesses

        shared_options.refuse_unused_options(
            "--guess", release=self.release, k=self.k, categories=self.categories
        )
        original = shared_options.require_option(self.original, "--original", "--guess")
        public = shared_options.require_option(self.public, "--public", "--guess")
        source = self.original_source(original, public=public)
        guesses = tuple(self.guess)
        return check_guesses(CheckHistoryRequest(original=source, public=public, guesses=guesses))

    def _check_public(self, public: str, needs: str) -> CommandResult:
        from tokumei.histories.services.check import check_public

        request = CheckHistoryRequest(
            original=self.original_source("", public=public),
            public=public,
            k=shared_options.require_option(self.k, "--k", needs),
            engine=self.engine,
            cluster=self.cluster,
        )
        checked = check_public(request)
        return violations_result(checked.faults, checked.total)

    def _release_violations(self) -> list[Violation]:
        from tokumei.histories.services.check import check_release

        shared_options.refuse_unused_options("--release", public=self.public)
        release = shared_options.require_option(
            self.release, "--release", f"--format {self.format}"
        )
        original = shared_options.require_option(
            self.original, "--original", f"--format {self.format}"
        )
        source = self.original_source(original, categories=self.categories)
        return check_release(CheckHistoryRequest(original=source, release=release, k=self.k))
