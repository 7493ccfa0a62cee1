"""The method of a command line: its steps with their parameters, and itself, ready to start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tokumei.tables.anonymizers.protocol import TableMethod


def steps_of(names: Sequence[str], given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Steps from `--method a,b` and parameters, `METHOD.key` for one of them, `key` for any."""
    if len(names) == 1:
        prefix = f"{names[0]}."
        return [
            {"method": names[0], **{key.removeprefix(prefix): given[key] for key in given}},
        ]
    from tokumei.core.registry import params_of
    from tokumei.tables.registry import anonymizers

    params = params_of(anonymizers, names, given)
    return [{"method": name, **params[name]} for name in names]


def prepared(steps: Sequence[Mapping[str, Any]]) -> TableMethod:
    """The method, ready to start."""
    from tokumei.tables.releasing.local import build_method

    method = build_method(steps, {})
    method.prepare()
    return method
