"""The report: one HTML file that works offline, in English and Japanese.

    Path("report.html").write_text(render_report(evaluations, original), encoding="utf-8")

Nothing secret enters it: no link, no seed, no hash of the source. The same input gives the same
bytes. A content security policy in the page forbids every request and every foreign script.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tokumei.data.table import Table
from tokumei.errors import UsageError
from tokumei.report.figures import percent, percent_range, plain
from tokumei.report.page import page_context
from tokumei.report.payload import LANGUAGES, all_changes, inert_json, payload
from tokumei.search.evaluate import Evaluation
from tokumei.text import Language, Text

DEFAULT_TITLE = Text("Anonymization report", "匿名加工レポート")
SEED = re.compile(
    r"(^seed\s*:\s*|--seed[ =]|[\"']seed[\"']\s*:\s*|_seed\s*[:=]\s*)[-+]?\d\w*",
    re.IGNORECASE | re.MULTILINE,
)
"""Seeds of a run. That of generated data stands indented in a recipe, and is no secret."""


def render_report(
    evaluations: Sequence[Evaluation],
    original: Table,
    *,
    title: Text | None = None,
    recipe: str | None = None,
    lang: Language = "en",
) -> str:
    """The whole report on releases of `original`, opening in `lang`."""
    _require(evaluations, lang)
    found = all_changes(evaluations, original)
    return render_page(
        "report.html",
        lang=lang,
        title=title or DEFAULT_TITLE,
        data=payload(evaluations, original, found),
        recipe=SEED.sub(r"\1…", recipe) if recipe else None,
        **page_context(evaluations, original, found),
    )


def render_page(
    template: str,
    *,
    lang: Language,
    title: Text,
    data: dict[str, Any],
    styles: Sequence[str] = (),
    charts: bool = True,
    **shown: Any,
) -> str:
    """Any page in the frame that all share, opening in `lang`.

    `data`: what its scripts read; `styles`: its style sheets beside the common one; `charts`:
    whether it draws any; `shown`: the variables of its template.
    """
    require_language(lang)
    scripts = [*([chart_library()] if charts else []), template_source("report.js")]
    sheets = "".join(template_source(name) for name in ("report.css", *styles))
    return (
        environment()
        .get_template(template)
        .render(
            lang=lang,
            title=title,
            styles=Markup(sheets),
            scripts=[Markup(script) for script in scripts],
            policy=content_policy(scripts),
            payload=Markup(inert_json(data)),
            **shown,
        )
    )


@cache
def chart_library() -> str:
    """Vega, Vega-Lite and vega-embed as one script, from the installed package."""
    import vl_convert

    return str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")).replace("\r", "")


def content_policy(scripts: Sequence[str]) -> str:
    """Only these very scripts may run, and nothing may be loaded from anywhere."""
    sums = (hashlib.sha256(script.encode()).digest() for script in scripts)
    allowed = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in sums)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


@cache
def environment() -> Environment:
    """Where the templates are found, and how they write figures."""
    made = Environment(
        loader=PackageLoader("tokumei.report", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters.update(
        percent=percent, plain=plain, unbroken=lambda text: text.replace(" %", "\u00a0%")
    )
    made.globals.update(percent_range=percent_range)
    return made


@cache
def template_source(name: str) -> str:
    """A style sheet or script of the template folder, as it is."""
    loader: Any = environment().loader
    source: str = loader.get_source(environment(), name)[0]
    return source.replace("\r", "")


def _require(evaluations: Sequence[Evaluation], lang: str) -> None:
    if not evaluations:
        raise UsageError(
            Text(
                "a report needs at least one evaluated release",
                "レポートには評価済みの匿名加工データが一つ以上必要です",
            )
        )
    require_language(lang)


def require_language(lang: str) -> None:
    """Fail unless a page can open in `lang`."""
    if lang not in LANGUAGES:
        raise UsageError(
            Text(
                f"language must be 'en' or 'ja', not {lang!r}",
                f"言語は 'en' か 'ja' にしてください（{lang!r} は使えません）",
            )
        )
