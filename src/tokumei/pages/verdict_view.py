"""What pages show of a verdict: the sentence, the figures against their limits, what to do.

The assessment makes a `VerdictView` (`tokumei.assessment.verdict_view`); a page shows it with the
macros of `verdict.html` and has no verdict of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from markupsafe import Markup

from tokumei.core.language import Language
from tokumei.core.messages import Message

VERDICT_SYMBOLS = {"fits": "●", "does-not-fit": "■", "unknown": "▲"}
VERDICT_WORDS = {
    "fits": Message("fits"),
    "does-not-fit": Message("does not fit"),
    "unknown": Message("cannot be told"),
}
VERDICT_SHADES = {"fits": "good", "does-not-fit": "bad", "unknown": "mid"}


@dataclass(frozen=True)
class VerdictFigure:
    """A figure that a verdict rests on, with what it is; `within`: whether it keeps its limit."""

    name: str
    value: Message
    caption: Message
    within: bool | None = None

    @property
    def shade(self) -> str:
        """The colour's name in the style sheet."""
        return {True: "good", False: "bad", None: ""}[self.within]

    @property
    def symbol(self) -> str:
        """A shape of its own, so that nothing rests on colour alone."""
        return {True: "●", False: "■", None: ""}[self.within]

    @property
    def standing(self) -> Message:
        """Where it stands, in words."""
        return {
            True: Message("within the limit"),
            False: Message("beyond the limit"),
            None: Message.verbatim(""),
        }[self.within]


class Answers(Protocol):
    """A question about a release and its answers."""

    @property
    def code(self) -> str:
        """The stable name of the question."""

    @property
    def question(self) -> Message:
        """The question."""

    @property
    def answers(self) -> Sequence[Message]:
        """Its answers, a sentence each."""


@dataclass(frozen=True, kw_only=True)
class VerdictView:
    """A verdict in sentences and figures; `release` is the name where a page has several."""

    word: str
    recipient: Message
    heading: Message
    reason: Message
    figures: Sequence[VerdictFigure] = ()
    answers: Sequence[Answers] = ()
    assumptions: Sequence[Message] = ()
    release: str = ""
    kept: float | None = None
    """Share of the information kept, by which fitting releases are compared."""

    @property
    def words(self) -> Message:
        """The verdict in a table of several."""
        return VERDICT_WORDS[self.word]

    @property
    def symbol(self) -> str:
        """A shape of its own per verdict."""
        return VERDICT_SYMBOLS[self.word]

    @property
    def shade(self) -> str:
        """The colour's name in the style sheet."""
        return VERDICT_SHADES[self.word]


@dataclass(frozen=True, kw_only=True)
class AssessedRelease:
    """A release with its assessment, as pages and files take it.

    `document` is the assessment as plain data, `sections` its evidence as a part of a page, `page`
    makes the whole page in a language.
    """

    view: VerdictView
    document: Mapping[str, object]
    sections: Markup
    page: Callable[[Language], str]
    line: Message
    """The verdict in one line."""
