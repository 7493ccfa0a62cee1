"""Tests of tokumei.files.column_types."""

from __future__ import annotations

import ast
from pathlib import Path

import tokumei.tables.verification


def test_the_checker_imports_nothing_of_the_makers() -> None:
    allowed = (
        "tokumei.tables.data.table",
        "tokumei.tables.data.weighted_rows",
        "tokumei.tables.data.class_sizes",
        "tokumei.tables.data.column_kinds",
        "tokumei.tables.data.schema",
        "tokumei.tables.engines.stream_files",
        "tokumei.tables.registry",
        "tokumei.tables.verification",
        "tokumei.core",
        "tokumei.files.column_types",
        "tokumei.files.spark.table_files",
    )
    home = Path(tokumei.tables.verification.__file__).parent
    files = list(home.rglob("*.py"))
    assert len(files) > 5
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            for name in names:
                assert not name.startswith("tokumei") or name.startswith(allowed), (file, name)
