"""What a project decided, as the parts of a recipe: one text for the drawer, jobs and `run`.

The drawer holds the command, the Python lines and the YAML that do what a page does; names with
spaces or signs are quoted as a shell and Python need it.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from tokumei.core.advice.purpose import Purpose
from tokumei.studio.kinds.kind import NAME, kind_of
from tokumei.studio.store.state import ProjectState

Look = Mapping[str, Any] | None
_WIDE = 88


def purpose_of(state: ProjectState) -> Purpose:
    """The purpose; what nobody answered is left to its defaults."""
    return Purpose.from_json(state.purpose.model_dump())


def recipe_of(
    state: ProjectState,
    look: Mapping[str, Any],
    request: Mapping[str, Any],
    file: str,
    place: Callable[[str], str] = str,
) -> dict[str, Any]:
    """The recipe of a request; with a ledger, its release is recorded. `place`: paths in it."""
    made = kind_of(state).recipe(state, look, request, file)
    return made | ledger_part(state, place)


def ledger_part(state: ProjectState, place: Callable[[str], str] = str) -> dict[str, Any]:
    """The recipe's key `ledger`; nothing without one."""
    asked = state.ledger
    if asked is None:
        return {}
    part = {
        "folder": place(asked.folder),
        "key_file": place(asked.key_file) if asked.key_file else None,
        "recipient": asked.recipient,
        "release": NAME,
        "id": asked.id,
    }
    return {"ledger": {key: value for key, value in part.items() if value is not None}}


def yaml_text(part: Mapping[str, Any]) -> str:
    """Plain data as YAML."""
    text: str = yaml.safe_dump(dict(part), allow_unicode=True, sort_keys=False, width=100)
    return text


@dataclass(frozen=True)
class Same:
    """Three ways to do the same without the studio."""

    command: str
    python: str
    yaml: str


def same_as_look(state: ProjectState, look: Look) -> Same:
    """The file, understood."""
    command = ["tokumei", "look", state.source, *_list("--no-normalize", state.off), "--save"]
    off = f", no_normalize={state.off!r}" if state.off else ""
    python = f"import tokumei as tk\n\nfound = tk.look({state.source!r}{off})\nprint(found.columns)"
    return Same(_shell(command), python, _data_yaml(state, look))


def _data_yaml(state: ProjectState, look: Look) -> str:
    if look is None:
        return ""
    return yaml_text(kind_of(state).source(state, look, state.source))


def same_as_purpose(state: ProjectState, look: Look) -> Same:
    """The purpose, as advice takes it."""
    asked = state.purpose
    options: list[str] = ["--recipient", asked.recipient]
    options += _list("--known", asked.known or [])
    options += _list("--keep", asked.keep)
    options += ["--predict", asked.predict] if asked.predict else []
    options += ["--k", str(asked.k)] if asked.k else []
    for table in asked.tables:
        options += ["--count", ",".join(table)]
    kind = kind_of(state)
    command = _shell(kind.advise_command(state, options))
    words = ", ".join(
        f"{name}={_frozen(value)!r}"
        for name, value in asked.model_dump(exclude_defaults=True).items()
    )
    source_py, more = kind.advise_python(state)
    imports = "\n".join(["import tokumei as tk", *kind.imports()])
    python = (
        f"{imports}\n\n"
        f"purpose = tk.advice.Purpose({words})\n"
        f"advice = tk.advise(\n    {source_py},\n    purpose{more},\n)\n"
        "for one in advice.front:\n    print(one.title, one.reason)"
    )
    return Same(command, python, _data_yaml(state, look))


def same_as_candidate(state: ProjectState, look: Look, request: Mapping[str, Any] | None) -> Same:
    """The release of a candidate."""
    if request is None or look is None:
        return same_as_purpose(state, look)
    return Same(
        _anonymize(state, request),
        _python(state, request),
        yaml_text(recipe_of(state, look, request, state.source)),
    )


def same_as_release(
    state: ProjectState, look: Look, request: Mapping[str, Any] | None, folder: str
) -> Same:
    """The release again, from the recipe and key that lie with it."""
    found = same_as_candidate(state, look, request)
    where = shlex.quote(folder)
    command = (
        f"cd {where}\n"
        "tokumei run recipe.yaml --key secret/release.key --out again\n"
        "cmp releases/01-release.csv again/releases/01-release.csv"
    )
    python = (
        "from pathlib import Path\n\nimport tokumei as tk\n\n"
        'key = int(Path("secret/release.key").read_text(), 16)\n'
        'recipe = tk.load_recipe("recipe.yaml")\n'
        'tk.save_experiment(tk.run_recipe(recipe, seed=key), "again")'
    )
    return Same(command, python, found.yaml)


def _anonymize(state: ProjectState, request: Mapping[str, Any]) -> str:
    steps: Sequence[Mapping[str, Any]] = request["steps"]
    command = kind_of(state).anonymize_command(state, request)
    command += ["--method", ",".join(str(step["method"]) for step in steps)]
    for step in steps:
        prefix = f"{step['method']}." if len(steps) > 1 else ""
        for name, value in step.items():
            if name != "method":
                command += ["--set", f"{prefix}{name}={_flow(value)}"]
    command += ["--out", "public.csv", "--secret", "link.csv"]
    if state.ledger is not None:
        command += ["--ledger", state.ledger.folder, "--recipient", state.ledger.recipient]
        command += ["--ledger-key", state.ledger.key_file] if state.ledger.key_file else []
    return _shell(command)


def _python(state: ProjectState, request: Mapping[str, Any]) -> str:
    kind = kind_of(state)
    lines = ["import tokumei as tk", *kind.imports(), ""]
    lines += kind.anonymize_python(state, request)
    more = ""
    if state.ledger is not None:
        given = [state.ledger.folder, *([state.ledger.key_file] if state.ledger.key_file else [])]
        lines.append(f"book = tk.ledger.Ledger({', '.join(map(repr, given))})")
        more = f", ledger=book, recipient={state.ledger.recipient!r}"
        more += kind.record_python(state)
    return "\n".join([*lines, f'tk.save(release, "public.csv", secret="link.csv"{more})'])


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _list(option: str, names: Sequence[str]) -> list[str]:
    return [option, ",".join(names)] if names else []


def _flow(value: Any) -> str:
    """A parameter as YAML in one line."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _shell(parts: Sequence[str]) -> str:
    """A command in lines that fit a page; a new one begins with an option."""
    lines, line = list[str](), ""
    for part in map(shlex.quote, parts):
        if part.startswith("--") and len(line) > _WIDE / 2:
            lines.append(line)
            line = f"  {part}"
        else:
            line = f"{line} {part}" if line else part
    return " \\\n".join([*lines, line])
