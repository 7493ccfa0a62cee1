"""Strict models of YAML files: unknown keys are refused, errors name their place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar, get_args

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from tokumei.core.error_translation import translate_system_error, translate_value_error
from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.core.messages import Message

Model = TypeVar("Model", bound=BaseModel)


class StrictModel(BaseModel):
    """A part of a file: no unknown key, never changed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def read_yaml_text(path: str | Path) -> str:
    """The text of a YAML file."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as err:
        reason = translate_system_error(err)
        raise InputError("{path}: cannot be read: {reason}", path=path, reason=reason) from None


class _DuplicateKey(Exception):
    """A key that stands twice in one mapping, and the line of the second."""

    def __init__(self, key: str, line: int) -> None:
        super().__init__(key)
        self.key, self.line = key, line


class _UniqueKeyLoader(yaml.SafeLoader):
    """YAML in which no mapping has a key twice: the later one would win without a word."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """A mapping; fails at a key that was there before."""
        seen_keys: set[object] = set()
        for key_node, _ in node.value:
            key = (key_node.tag, getattr(key_node, "value", None))
            if isinstance(key[1], str) and key in seen_keys:
                raise _DuplicateKey(key[1], key_node.start_mark.line + 1)
            seen_keys |= {key} if isinstance(key[1], str) else set()
        return super().construct_mapping(node, deep)


def load_yaml(text: str, *, where: str) -> Any:
    """Plain data from YAML; whatever is wrong with it names the place."""
    try:
        return yaml.load(text, _UniqueKeyLoader)
    except _DuplicateKey as err:
        raise InputError(
            "{where}, line {line}: the key '{key}' appears twice",
            where=where,
            line=err.line,
            key=err.key,
        ) from None
    except (yaml.YAMLError, ValueError, RecursionError) as err:
        place = Message.verbatim(where)
        if mark := getattr(err, "problem_mark", None):
            place = Message("{where}, line {line}", where=where, line=mark.line + 1)
        problem = getattr(err, "problem", None) or "not YAML"
        raise InputError(
            "{place}: not valid YAML: {problem}", place=place, problem=problem
        ) from None


def validate_model(model: type[Model], data: Mapping[str, object], where: str) -> Model:
    """Plain data as a model; whatever is wrong with it names the place."""
    require_known_keys(data, model, where)
    try:
        return model.model_validate(data)
    except ValidationError as err:
        first = err.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        reason = translate_value_error(first["msg"])
        raise UsageError("{where}: {key}: {reason}", where=where, key=key, reason=reason) from None


def require_known_keys(data: Mapping[str, object], model: type[BaseModel], where: str) -> None:
    """Fail on a key that the model does not have, naming the nearest one; nested models too."""
    for key, value in data.items():
        if key not in model.model_fields:
            raise UnknownNameError(Message("key"), str(key), model.model_fields, where=where)
        inner = _find_nested_model(model, key)
        items = value if isinstance(value, list) else [value]
        for number, item in enumerate(items):
            if inner is not None and isinstance(item, dict):
                at = f"{where}: {key}" + (f"[{number}]" if isinstance(value, list) else "")
                require_known_keys(item, inner, at)


def _find_nested_model(model: type[BaseModel], key: str) -> type[BaseModel] | None:
    """The model of a key's value, or of the entries of its list, if it forbids unknown keys."""
    pending = [model.model_fields[key].annotation]
    while pending:
        annotation = pending.pop()
        pending += get_args(annotation)
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            return annotation if annotation.model_config.get("extra") == "forbid" else None
    return None
