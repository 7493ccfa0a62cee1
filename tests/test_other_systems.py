"""Tokumei is imported and works where fcntl, resource, os.fchmod and the like are missing."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tokumei
from support import other_system
from support.public_modules import PUBLIC_MODULES

SOURCE = Path(tokumei.__file__).parent
PLACES = (
    "core/process_limits.py",
    "core/portable_system_calls.py",
    "apps/contest/store/sandbox.py",
)
SERVER_ONLY = (
    "apps/contest/jobs/judge_process_main.py",
    "apps/contest/jobs/judge_tasks.py",
    "apps/contest/jobs/worker.py",
)
"""Run by nobody but the contest's server, after `require_server_platform`."""
COLUMNS = ("--qi", "household_size,earners,region", "--sa", "food,utilities")
FILES = ("--k", "5", "--out", "y.csv", "--secret", "link.csv")
BOTH = ("--original", "x.csv", "--release", "y.csv", *COLUMNS, "--truth", "link.csv")


def run_elsewhere(*arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, other_system.__file__, *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False
    )


def test_only_their_places_name_what_some_systems_lack() -> None:
    found = {
        f"{path.relative_to(SOURCE).as_posix()}: {name}"
        for path in SOURCE.rglob("*.py")
        if path.relative_to(SOURCE).as_posix() not in (*PLACES, *SERVER_ONLY)
        for name in _system_names(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert not found


def _system_names(tree: ast.AST) -> set[str]:
    owned = {"os": other_system.OF_OS, "signal": other_system.SIGNALS}
    modules = (*other_system.MODULES, "ctypes", "msvcrt")
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names if one.name in modules}
        if isinstance(node, ast.ImportFrom) and node.module in modules:
            found.add(node.module)
        if isinstance(node, ast.Attribute) and node.attr in owned.get(ast.unparse(node.value), ()):
            found.add(ast.unparse(node))
    return found


def test_every_public_name_is_found() -> None:
    script = (
        "from importlib import import_module\n"
        f"for name in {PUBLIC_MODULES}:\n"
        "    module = import_module(name)\n"
        "    for one in module.__all__: getattr(module, one)\n"
    )
    ended = run_elsewhere("-c", script)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize(
    "module",
    [
        "tokumei.apps.contest.jobs.judge_process_main",
        "tokumei.apps.contest.jobs.worker",
        "tokumei.apps.contest.server.supervisor",
        "tokumei.apps.contest.store.sandbox",
        "tokumei.apps.studio.jobs.worker",
        "tokumei.apps.studio.server",
    ],
)
def test_servers_are_imported(module: str) -> None:
    pytest.importorskip("fastapi")
    ended = run_elsewhere("-c", f"import {module}")
    assert ended.returncode == 0, ended.stderr


def test_a_table_is_anonymized_attacked_measured_and_checked(tmp_path: Path) -> None:
    for command in (
        ("--help",),
        ("sample", "table", "--rows", "200", "--seed", "1", "--out", "x.csv"),
        ("anonymize", "table", "--data", "x.csv", *COLUMNS, "--method", "mondrian", *FILES),
        ("attack", *BOTH),
        ("measure", "utility", *BOTH),
        ("check", "--format", "table", "--release", "y.csv", *COLUMNS[:2], "--k", "5"),
        ("leftovers", "."),
    ):
        ended = run_elsewhere("tokumei", *command, folder=tmp_path)
        assert ended.returncode == 0, (command, ended.stderr)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_contest_server_refuses_in_one_sentence(tmp_path: Path) -> None:
    pytest.importorskip("fastapi")
    for command in (("serve", "home", "--port", "0"), ("worker", "home")):
        ended = run_elsewhere("tokumei", "contest", *command, folder=tmp_path)
        assert ended.returncode == 2
        assert "cannot run a contest server" in ended.stderr
        assert "Traceback" not in ended.stderr
        assert len(ended.stderr.split(". ")) == 1
    assert not (tmp_path / "home").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has locks")
def test_a_ledger_is_not_written_without_locks(tmp_path: Path) -> None:
    made = run_elsewhere("tokumei", "key", "k", folder=tmp_path)
    assert made.returncode == 0, made.stderr
    ended = run_elsewhere("tokumei", "ledger", "init", "book", "--key-file", "k", folder=tmp_path)
    assert ended.returncode == 2
    assert "no file locks" in ended.stderr
