"""The OpenAPI document as groups of routes, for a page."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI


@dataclass(frozen=True)
class Field:
    """A parameter, or a field of a body."""

    name: str
    where: str
    kind: str
    required: bool
    about: str


@dataclass(frozen=True)
class Described:
    """A route."""

    method: str
    path: str
    summary: str
    about: str
    fields: tuple[Field, ...]
    answers: tuple[str, ...]

    @property
    def anchor(self) -> str:
        """Where it stands on the page."""
        letters = (one if one.isalnum() else "-" for one in f"{self.method} {self.path}".lower())
        return "".join(letters).strip("-")


def described(api: FastAPI) -> dict[str, list[Described]]:
    """Routes by their tag."""
    document = api.openapi()
    models = document["components"]["schemas"]
    groups: dict[str, list[Described]] = defaultdict(list)
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            groups[told.get("tags", ["other"])[0]].append(_route(method, path, told, models))
    return dict(groups)


def _route(method: str, path: str, told: dict[str, Any], models: dict[str, Any]) -> Described:
    given = [
        Field(
            one["name"],
            one["in"],
            _kind(one["schema"]),
            one.get("required", False),
            one.get("description", ""),
        )
        for one in told.get("parameters", ())
    ]
    for content in told.get("requestBody", {}).get("content", {}).values():
        given += _body(content["schema"], models)
    answers = tuple(status for status in told["responses"] if status.startswith("2"))
    about = told.get("description", "")
    return Described(method.upper(), path, told["summary"], about, tuple(given), answers)


def _body(schema: dict[str, Any], models: dict[str, Any]) -> list[Field]:
    held = models[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    needed = held.get("required", ())
    return [
        Field(name, "body", _kind(one), name in needed, one.get("description", ""))
        for name, one in held.get("properties", {}).items()
    ]


def _kind(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return " | ".join(_kind(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if schema.get("type") == "array":
        return f"[{_kind(schema.get('items', {}))}]"
    return str(schema.get("format") or schema.get("type") or schema.get("const", ""))
