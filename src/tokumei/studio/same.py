"""The drawer: the command, the Python lines and the YAML that do what a page does.

    same = same_as_candidate(state, look, candidate)
    same.command, same.python, same.yaml

Names with spaces or signs are quoted as a shell and Python need it.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokumei.studio.recipes import data_part, fates_of, history_part, recipe_of, yaml_text
from tokumei.studio.store.state import ProjectState

Look = Mapping[str, Any] | None
_WIDE = 88


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
    if state.kind == "histories":
        return yaml_text({"history": history_part(state, state.source)})
    return yaml_text({"data": data_part(state, look, state.source)})


def same_as_purpose(state: ProjectState, look: Look) -> Same:
    """The purpose, as advice takes it."""
    asked = state.purpose
    options: list[str] = ["--recipient", asked.recipient]
    options += _list("--known", asked.known or [])
    options += _list("--keep", asked.keep)
    options += ["--predict", asked.predict] if asked.predict else []
    options += ["--k", str(asked.k)] if asked.k else []
    source = [state.source] if state.kind == "tables" else [state.source, *_format(state)]
    command = _shell(["tokumei", "advise", *source, *options])
    given = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in asked.model_dump(exclude_defaults=True).items()
    }
    words = ", ".join(f"{name}={value!r}" for name, value in given.items())
    source_py, more = repr(state.source), ""
    if state.kind == "histories":
        source_py = f"tk.read_history({state.source!r}, columns={dict(state.columns)!r})"
    else:
        more = f",\n    fates={fates_of(state)!r}"
        more += f",\n    person={state.person!r}" if state.person else ""
    python = (
        "import tokumei as tk\n\n"
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
    noun = "history" if state.kind == "histories" else "table"
    command = ["tokumei", "anonymize", noun, "--data", state.source]
    if noun == "history":
        command += _format(state)
    else:
        fates = request["columns"]
        for option, fate in (("--qi", "generalize"), ("--sa", "protect"), ("--pass", "pass")):
            command += _list(option, [name for name, one in fates.items() if one == fate])
        command += _list("--id", [n for n, one in fates.items() if one == "drop"])
    command += ["--method", ",".join(str(step["method"]) for step in steps)]
    for step in steps:
        prefix = f"{step['method']}." if len(steps) > 1 else ""
        for name, value in step.items():
            if name != "method":
                command += ["--set", f"{prefix}{name}={_flow(value)}"]
    command += ["--out", "public.csv", "--secret", "link.csv"]
    return _shell(command)


def _python(state: ProjectState, request: Mapping[str, Any]) -> str:
    steps = [dict(step) for step in request["steps"]]
    lines = ["import tokumei as tk", ""]
    if state.kind == "histories":
        lines += [f"history = tk.read_history({state.source!r}, columns={dict(state.columns)!r})"]
        (step,) = steps
        name = step.pop("method")
        given = "".join(f", {key}={value!r}" for key, value in step.items())
        lines += [f"release = tk.anonymize(history, {name!r}{given})"]
    else:
        fates = request["columns"]
        chosen = {
            role: [name for name, one in fates.items() if one == fate]
            for role, fate in (("qi", "generalize"), ("sa", "protect"), ("ids", "drop"))
        }
        roles = "".join(f",\n    {role}={names!r}" for role, names in chosen.items() if names)
        lines += [f"table = tk.read_table({state.source!r}{roles},\n)"]
        lines += [f"release = tk.anonymize(table, {steps!r})"]
    return "\n".join([*lines, 'tk.save(release, "public.csv", secret="link.csv")'])


def _format(state: ProjectState) -> list[str]:
    if state.contest is not None:
        return ["--format", "pws2018"]
    columns = ",".join(f"{part}={name}" for part, name in state.columns.items())
    return ["--format", "table", "--columns", columns]


def _list(option: str, names: Sequence[str]) -> list[str]:
    return [option, ",".join(names)] if names else []


def _flow(value: Any) -> str:
    """A parameter as YAML in one line."""
    import json

    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


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
