"""Writes a project's decisions as a recipe, a command line and Python code.

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

from tokumei.apps.studio.adapters.base import RELEASE_NAME, adapter_for
from tokumei.apps.studio.store.project_state import ProjectState
from tokumei.apps.studio.store.records import PlainData, ProfileRecord, RequestRecord
from tokumei.core.advice.purpose import Purpose
from tokumei.core.option_parsing import join_names

_LINE_WIDTH = 88


def to_purpose(state: ProjectState) -> Purpose:
    """The purpose; what nobody answered is left to its defaults."""
    return Purpose.from_json(state.purpose.model_dump())


def build_recipe(
    state: ProjectState,
    look: ProfileRecord,
    request: RequestRecord,
    file: str,
    place: Callable[[str], str] = str,
) -> PlainData:
    """The recipe of a request; with a ledger, its release is recorded. `place`: paths in it."""
    kind_recipe = adapter_for(state).recipe(state, look, request, file)
    return kind_recipe | recipe_ledger(state, place)


def recipe_ledger(
    state: ProjectState, place: Callable[[str], str] = str
) -> dict[str, dict[str, str]]:
    """The recipe's key `ledger`; nothing without one."""
    ledger = state.ledger
    if ledger is None:
        return {}
    part = {
        "folder": place(ledger.folder),
        "key_file": place(ledger.key_file) if ledger.key_file else None,
        "recipient": ledger.recipient,
        "release": RELEASE_NAME,
        "id": ledger.id,
    }
    return {"ledger": {key: value for key, value in part.items() if value is not None}}


def format_yaml(part: Mapping[str, object]) -> str:
    """Plain data as YAML."""
    text: str = yaml.safe_dump(dict(part), allow_unicode=True, sort_keys=False, width=100)
    return text


@dataclass(frozen=True)
class Equivalents:
    """Three ways to do the same without the studio."""

    command: str
    python: str
    yaml: str


def profile_equivalents(state: ProjectState, look: ProfileRecord | None) -> Equivalents:
    """The file, understood."""
    command = [
        "tokumei",
        "look",
        state.source,
        *_list_option("--no-normalize", state.off),
        *_reading_options(state),
        "--save",
    ]
    off_argument = f", no_normalize={state.off!r}" if state.off else ""
    said = "".join(f", {name}={value!r}" for name, value in state.reading.options().items())
    call = f"tk.look({state.source!r}{off_argument}{said})"
    python = f"import tokumei as tk\n\nprofile = {call}\nprint(profile.columns)"
    return Equivalents(_format_shell(command), python, _source_yaml(state, look))


def _reading_options(state: ProjectState) -> list[str]:
    """What somebody said of the file, as options."""
    pairs = state.reading.options().items()
    return [text for name, value in pairs for text in (f"--{name.replace('_', '-')}", str(value))]


def _source_yaml(state: ProjectState, look: ProfileRecord | None) -> str:
    if look is None:
        return ""
    return format_yaml(adapter_for(state).recipe_source(state, look, state.source))


def purpose_equivalents(state: ProjectState, look: ProfileRecord | None) -> Equivalents:
    """The purpose, as advice takes it."""
    purpose = state.purpose
    options: list[str] = ["--recipient", purpose.recipient]
    options += _list_option("--known", purpose.known or [])
    options += _list_option("--keep", purpose.keep)
    options += ["--predict", purpose.predict] if purpose.predict else []
    options += ["--k", str(purpose.k)] if purpose.k else []
    for table in purpose.tables:
        options += ["--count", ",".join(table)]
    kind = adapter_for(state)
    command = _format_shell(kind.advise_command(state, options))
    purpose_arguments = ", ".join(
        f"{name}={_freeze_lists(value)!r}"
        for name, value in purpose.model_dump(exclude_defaults=True).items()
    )
    source_py, further_arguments = kind.advise_python(state)
    imports = "\n".join(["import tokumei as tk", *kind.python_imports()])
    python = (
        f"{imports}\n\n"
        f"purpose = tk.advice.Purpose({purpose_arguments})\n"
        f"advice = tk.advise(\n    {source_py},\n    purpose{further_arguments},\n)\n"
        "for one in advice.front:\n    print(one.title, one.reason)"
    )
    return Equivalents(command, python, _source_yaml(state, look))


def candidate_equivalents(
    state: ProjectState, look: ProfileRecord | None, request: RequestRecord | None
) -> Equivalents:
    """The release of a candidate."""
    if request is None or look is None:
        return purpose_equivalents(state, look)
    return Equivalents(
        _anonymize_command(state, request),
        _anonymize_script(state, request),
        format_yaml(build_recipe(state, look, request, state.source)),
    )


def assessment_equivalents(
    state: ProjectState, look: ProfileRecord | None, request: RequestRecord | None
) -> Equivalents:
    """The release of a candidate, and its assessment under the project's scenario."""
    from tokumei.apps.studio.scenario import to_scenario

    same = candidate_equivalents(state, look, request)
    if request is None or look is None or adapter_for(state).parts:
        return same
    scenario = to_scenario(state).to_dict()
    given = {key: value for key, value in scenario.items() if value not in (None, [], {})}
    return Equivalents(
        f"{same.command}\n{_format_shell(_assess_command(state, given))}",
        f"{same.python}\nprint(tk.assess(table, release, scenario={given!r}))",
        same.yaml,
    )


def _assess_command(state: ProjectState, scenario: Mapping[str, Any]) -> list[str]:
    """`tokumei assess` of the files that the command before wrote."""
    command = ["tokumei", "assess", "--original", state.source, "--release", "public.csv"]
    command += ["--truth", "link.csv", "--for", scenario["recipient"]]
    if "knows" in scenario:
        command += ["--knows", join_names(scenario["knows"])]
    for key in ("person", "at_once", "population"):
        if key in scenario:
            command += [f"--{key.replace('_', '-')}", str(scenario[key])]
    for option, key in (("--limit", "limits"), ("--keep", "keep")):
        for name, value in scenario.get(key, {}).items():
            command += [option, f"{name}={value:g}"]
    return command


def release_equivalents(
    state: ProjectState, look: ProfileRecord | None, request: RequestRecord | None, folder: str
) -> Equivalents:
    """The release again, from the recipe and key that lie with it."""
    equivalents = candidate_equivalents(state, look, request)
    quoted_folder = shlex.quote(folder)
    command = (
        f"cd {quoted_folder}\n"
        "tokumei run recipe.yaml --key secret/release.key --out again\n"
        "cmp releases/01-release.csv again/releases/01-release.csv"
    )
    python = (
        "from pathlib import Path\n\nimport tokumei as tk\n\n"
        'key = int(Path("secret/release.key").read_text(), 16)\n'
        'recipe = tk.load_recipe("recipe.yaml")\n'
        'tk.save_experiment(tk.run_recipe(recipe, seed=key), "again")'
    )
    return Equivalents(command, python, equivalents.yaml)


def _anonymize_command(state: ProjectState, request: RequestRecord) -> str:
    steps = request["steps"]
    command = adapter_for(state).anonymize_command(state, request)
    command += ["--method", ",".join(str(step["method"]) for step in steps)]
    for step in steps:
        prefix = f"{step['method']}." if len(steps) > 1 else ""
        for name, value in step.items():
            if name != "method":
                command += ["--set", f"{prefix}{name}={_format_inline(value)}"]
    command += ["--out", "public.csv", "--secret", "link.csv"]
    if state.ledger is not None:
        command += ["--ledger", state.ledger.folder, "--recipient", state.ledger.recipient]
        command += ["--ledger-key", state.ledger.key_file] if state.ledger.key_file else []
    return _format_shell(command)


def _anonymize_script(state: ProjectState, request: RequestRecord) -> str:
    kind = adapter_for(state)
    lines = ["import tokumei as tk", *kind.python_imports(), ""]
    lines += kind.anonymize_python(state, request)
    save_arguments = ""
    if state.ledger is not None:
        ledger_arguments = [
            state.ledger.folder,
            *([state.ledger.key_file] if state.ledger.key_file else []),
        ]
        lines.append(f"book = tk.ledger.Ledger({', '.join(map(repr, ledger_arguments))})")
        save_arguments = f", ledger=book, recipient={state.ledger.recipient!r}"
        save_arguments += kind.record_python(state)
    return "\n".join([*lines, f'tk.save(release, "public.csv", secret="link.csv"{save_arguments})'])


def _freeze_lists(value: object) -> object:
    return tuple(map(_freeze_lists, value)) if isinstance(value, list) else value


def _list_option(option: str, names: Sequence[str]) -> list[str]:
    return [option, ",".join(names)] if names else []


def _format_inline(value: object) -> str:
    """A parameter as YAML in one line."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _format_shell(parts: Sequence[str]) -> str:
    """A command in lines that fit a page; a new one begins with an option."""
    lines, line = list[str](), ""
    for part in map(shlex.quote, parts):
        if part.startswith("--") and len(line) > _LINE_WIDTH / 2:
            lines.append(line)
            line = f"  {part}"
        else:
            line = f"{line} {part}" if line else part
    return " \\\n".join([*lines, line])
