"""The hand-over report of one release as an HTML page, in every language.

    Path("report.html").write_text(render_assessment_page(assessment), encoding="utf-8")

The verdict comes first, then the evidence, formulas last. The page computes nothing: every figure
is in the assessment. It shows shares of the original, so it is for whoever hands the release over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from tokumei._version import __version__
from tokumei.assessment.assessment import Assessment
from tokumei.assessment.attacker_figures import AttackerFigures
from tokumei.assessment.text_view import CLAIM_WORDS, TREATMENT_WORDS
from tokumei.assessment.verdict import UNIT_WORDS
from tokumei.assessment.verdict_view import view_verdict
from tokumei.core.language import Language
from tokumei.core.messages import Message, as_sentence
from tokumei.pages.html import render_page, template_environment
from tokumei.pages.verdict_view import VERDICT_WORDS

HOME = "tokumei.assessment"
DEFAULT_TITLE = Message("Assessment of a release")
SCENARIO_RECIPIENTS = {
    "public": Message("the public: anybody may get it, now and later"),
    "partner": Message("a partner under contract"),
    "inside": Message("somebody inside the organization"),
}


@dataclass(frozen=True)
class AttackerBar:
    """One attacker of the chart and the table."""

    name: Message
    code: str
    figures: AttackerFigures
    is_bound: bool = False

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share guessed right."""
        return self.figures.interval(self.figures.guessed_right)


def render_assessment_page(
    assessment: Assessment,
    *,
    title: Message | None = None,
    release: str = "",
    decision: Message | None = None,
    lang: Language = "en",
) -> str:
    """The whole page, opening in `lang`; `release` is the name of the released file.

    `decision` is what somebody decided in spite of the verdict, and why.
    """
    return render_page(
        "assessment/page.html",
        home=HOME,
        lang=lang,
        title=title or DEFAULT_TITLE,
        data={},
        styles=["verdict.css", "assessment.css"],
        charts=False,
        view=view_verdict(assessment),
        release=release,
        decision=decision,
        version=__version__,
        **_evidence(assessment),
    )


def render_sections(assessment: Assessment) -> Markup:
    """The evidence as a part of a page that shows the verdict itself."""
    environment = template_environment(HOME)
    template = environment.get_template("assessment/sections.html")
    return Markup(template.render(_evidence(assessment)))


def _evidence(assessment: Assessment) -> dict[str, Any]:
    """The variables of the sections."""
    return {
        "found": assessment,
        "unit": UNIT_WORDS[assessment.unit],
        "bars": list_attackers(assessment),
        "recipient": SCENARIO_RECIPIENTS[assessment.scenario.recipient],
        "treatments": TREATMENT_WORDS,
        "verdicts": VERDICT_WORDS,
        "claim_words": CLAIM_WORDS,
        "sentence": as_sentence,
    }


def list_attackers(assessment: Assessment) -> Sequence[AttackerBar]:
    """The attackers of the scenario, and somebody who holds the whole original."""
    bars = [
        AttackerBar(attacker.name, attacker.code, attacker) for attacker in assessment.attackers
    ]
    if assessment.bound is not None:
        name = Message("holds the whole original")
        bars.append(AttackerBar(name, assessment.bound.code, assessment.bound, is_bound=True))
    return bars
