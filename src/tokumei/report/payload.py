"""What a page's script needs: chart specifications once, their data sets, as inert JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import altair as alt

from tokumei.core.text import Language
from tokumei.report.palette import chart_config

LANGUAGES: tuple[Language, Language] = ("en", "ja")
Build = Callable[[alt.NamedData, Language], alt.LayerChart]
"""How a chart is made of named rows, in a language."""


def chart_payload(builds: Mapping[str, Build], data: Mapping[str, Any]) -> dict[str, Any]:
    """Configuration, specifications by name and language, and data sets by name."""
    rows = alt.NamedData(name="rows")
    specs = {
        name: {lang: _spec(build(rows, lang)) for lang in LANGUAGES}
        for name, build in builds.items()
    }
    return {"config": chart_config(), "specs": specs, "data": dict(data)}


def inert_json(value: Any) -> str:
    """JSON that cannot end the script element it stands in, nor start another."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _spec(chart: alt.LayerChart) -> dict[str, Any]:
    """A chart without its outer wrapping; the script adds configuration and data.

    Altair checked the parts when they were made; checking the whole again takes half a second.
    """
    spec: dict[str, Any] = chart.to_dict(validate=False)
    return {key: part for key, part in spec.items() if key not in ("$schema", "config", "data")}
