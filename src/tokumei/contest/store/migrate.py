"""Brings a database's tables up to date: `migrate(connection)` inside a transaction.

The steps are Alembic's, in `migrations/versions`. All of them happen in the caller's transaction,
so a killed start leaves the old tables, and of several processes that start at once one migrates.
Alembic is loaded only where there is a step to take: every process of a server comes through here.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from tokumei.core.errors import InputError

NEWEST = "0002"
"""The last step in `migrations/versions`."""


def migrate(connection: Connection) -> None:
    """Make the tables, or change those of an older version; refuse those of a newer one."""
    current = revision_of(connection)
    if current != NEWEST:
        _upgrade(connection, current)


def revision_of(connection: Connection) -> str:
    """The step that a database's tables are at; empty before the first."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return connection.scalar(text("SELECT version_num FROM alembic_version")) or ""


def _upgrade(connection: Connection, current: str) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    steps = ScriptDirectory.from_config(config).walk_revisions()
    if current and current not in {step.revision for step in steps}:
        raise InputError(
            f"the database was made by a newer version of Tokumei (step {current}); "
            "install that version or a newer one",
            f"データベースは新しい版の Tokumei で作られています (段階 {current})。"
            "その版以降をインストールしてください",
        )
    command.upgrade(config, "head")
