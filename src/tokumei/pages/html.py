"""Renders HTML pages that work offline, in every language there is a catalog for.

Nothing secret enters it: no link, no seed, no hash of the source. The same input gives the same
bytes. A content security policy in the page forbids every request and every foreign script.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import altair as alt
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tokumei.core.catalogs import available_languages
from tokumei.core.errors import UsageError
from tokumei.core.formatting import format_number, format_percent, format_percent_range
from tokumei.core.language import Language
from tokumei.core.messages import Message, join_messages
from tokumei.pages.palette import chart_config
from tokumei.pages.translation import language_styles, use_all_languages

TEMPLATE_PACKAGE = "tokumei.pages"
BuildNamedChart = Callable[[alt.NamedData, Language], alt.LayerChart]
"""How a chart is made of named rows, in a language."""


def render_page(
    template: str,
    *,
    home: str = TEMPLATE_PACKAGE,
    lang: Language,
    title: Message,
    data: Mapping[str, object],
    styles: Sequence[str] = (),
    charts: bool = True,
    **shown: object,
) -> str:
    """A page in the frame that all pages share, opening in `lang`.

    `home`: the package whose folder `templates` has the page; `data`: what its scripts read;
    `styles`: its style sheets beside the common one; `charts`: whether it draws any; `shown`: the
    variables of its template.
    """
    require_page_language(lang)
    scripts = [*([chart_library()] if charts else []), template_source("report.js")]
    sheets = language_styles()
    sheets += "".join(template_source(name, home) for name in ("report.css", *styles))
    return (
        template_environment(home)
        .get_template(template)
        .render(
            lang=lang,
            title=title,
            styles=Markup(sheets),
            scripts=[Markup(script) for script in scripts],
            policy=content_security_policy(scripts),
            payload=Markup(script_safe_json({**data, "messages": script_messages()})),
            **shown,
        )
    )


def script_messages() -> dict[str, dict[str, str]]:
    """What the script of all pages says."""
    return {"copied": Message("Copied").texts(), "selected": Message("Selected").texts()}


@cache
def chart_library() -> str:
    """Vega, Vega-Lite and vega-embed as one script, from the installed package."""
    import vl_convert

    return str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")).replace("\r", "")


def content_security_policy(scripts: Sequence[str]) -> str:
    """Only these very scripts may run, and nothing may be loaded from anywhere."""
    sums = (hashlib.sha256(script.encode()).digest() for script in scripts)
    allowed = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in sums)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


@cache
def template_environment(home: str = TEMPLATE_PACKAGE) -> Environment:
    """Where the templates are found, and how they write figures."""
    jinja_environment = Environment(
        loader=ChoiceLoader(
            [PackageLoader(name) for name in dict.fromkeys((home, TEMPLATE_PACKAGE))]
        ),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    jinja_environment.filters.update(
        percent=format_percent,
        plain=format_number,
        unbroken=lambda text: text.replace(" %", "\u00a0%"),
    )
    jinja_environment.globals.update(percent_range=format_percent_range)
    use_all_languages(jinja_environment)
    return jinja_environment


@cache
def template_source(name: str, home: str = TEMPLATE_PACKAGE) -> str:
    """A style sheet or script of the template folder, as it is."""
    environment = template_environment(home)
    assert environment.loader is not None
    source, *_ = environment.loader.get_source(environment, name)
    return source.replace("\r", "")


def require_page_language(lang: str) -> None:
    """Fail unless a page can open in `lang`."""
    if lang not in available_languages():
        raise UsageError(
            "the language must be one of {languages}, not {lang!r}",
            languages=join_messages(available_languages()),
            lang=lang,
        )


def chart_payload(
    builds: Mapping[str, BuildNamedChart], data: Mapping[str, object]
) -> dict[str, object]:
    """Configuration, specifications by name and language, and data sets by name."""
    rows = alt.NamedData(name="rows")
    specs = {
        name: {lang: _bare_chart_spec(build(rows, lang)) for lang in available_languages()}
        for name, build in builds.items()
    }
    return {"config": chart_config(), "specs": specs, "data": dict(data)}


def script_safe_json(value: object) -> str:
    """JSON that cannot end the script element it stands in, nor start another."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _bare_chart_spec(chart: alt.LayerChart) -> dict[str, object]:
    """A chart without its outer wrapping; the script adds configuration and data.

    Altair checked the parts when they were made; checking the whole again takes half a second.
    """
    spec = chart.to_dict(validate=False)
    return {key: part for key, part in spec.items() if key not in ("$schema", "config", "data")}
