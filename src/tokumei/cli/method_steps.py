"""The method of a command line: its steps with their parameters, and itself, ready to start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokumei.cli.options import split
from tokumei.core.errors import UsageError
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.tables.anonymizers.protocol import TableMethod


def steps_of(method: str, given: dict[str, Any], more: dict[str, Any]) -> list[dict[str, Any]]:
    """Steps from `--method a,b`, the named options and `--set [method.]key=value`."""
    names = split(method) or []
    if len(names) == 1:
        prefix = f"{names[0]}."
        rest = {key.removeprefix(prefix): value for key, value in more.items()}
        return [{"method": names[0], **given, **rest}]
    if given:
        raise UsageError(
            Text(
                f"with several methods write --set METHOD.{next(iter(given))}=… instead",
                f"複数の手法では --set 手法.{next(iter(given))}=… と書いてください",
            )
        )
    steps: list[dict[str, Any]] = [{"method": name} for name in names]
    for key, value in more.items():
        name, _, parameter = key.partition(".")
        if name not in names or not parameter:
            raise UsageError(
                Text(
                    f"--set {key}: write METHOD.key=value",
                    f"--set {key}: 手法.key=value と書きます",
                )
            )
        steps[names.index(name)][parameter] = value
    return steps


def prepared(steps: list[dict[str, Any]]) -> TableMethod:
    """The method, ready to start."""
    from tokumei.tables.releasing.local import build_method

    method = build_method(steps, {})
    method.prepare()
    return method
