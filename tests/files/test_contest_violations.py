"""Tests of tokumei.files.contest_violations."""

from __future__ import annotations

import ast
from pathlib import Path

import tokumei.histories.verification


def test_it_shares_no_code_with_the_makers():
    allowed = (
        "tokumei.core.errors",
        "tokumei.core.messages",
        "tokumei.histories.verification",
        "tokumei.histories.data.history",
        "tokumei.files.contest_files",
        "tokumei.files.contest_violations",
        "tokumei.core.claims",
        "tokumei.core.described",
    )
    for file in Path(tokumei.histories.verification.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tokumei"):
                assert node.module in allowed or node.module.startswith(allowed[2]), node.module
