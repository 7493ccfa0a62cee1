"""What the tests split from test_contest_file share."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
import yaml
from pydantic import BaseModel

from tokumei.apps.contest.spec.folder import parse_contest
from tokumei.core.errors import InputError

PAGE = Path(__file__).parents[4] / "docs" / "contest-file.md"


SOUND = {
    "preset": "pws2017",
    "slug": "spring",
    "title": {"en": "Spring", "ja": "春"},
    "data": {"original": "T.csv", "master": "M.csv"},
    "phases": [
        {
            "kind": "anonymize",
            "starts": "2026-04-01T09:00:00+09:00",
            "ends": "2026-04-15T09:00:00+09:00",
        }
    ],
}


def faults(**changed) -> dict[str, str]:
    """Place → English message of what is wrong with the changed contest."""
    plain = {key: value for key, value in {**SOUND, **changed}.items() if value is not None}
    with pytest.raises(InputError) as err:
        parse_contest(yaml.safe_dump(plain))
    assert all(fault.message.show("ja") for fault in err.value.faults)
    return {fault.column or "": fault.message.show("en") for fault in err.value.faults}


def fields_of(model: type[BaseModel], under: str = "") -> list[str]:
    """The places of all fields of a model that have no fields themselves."""
    found = []
    for name, field in model.model_fields.items():
        place = f"{under}{field.alias or name}"
        inner = [kind for kind in _parts(field.annotation) if issubclass(kind, BaseModel)]
        found += fields_of(inner[0], f"{place}.") if inner else [place]
    return found


def _parts(kind) -> list[type]:
    inner = [part for argument in get_args(kind) for part in _parts(argument)]
    return [kind, *inner] if isinstance(kind, type) and not get_args(kind) else inner
