"""Brings a database's tables up to date: `migrate(connection)` inside a transaction.

The steps are Alembic's, in `migrations/versions`. All of them happen in the caller's transaction,
so a killed start leaves the old tables, and of several processes that start at once one migrates.
"""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from tokumei.errors import InputError
from tokumei.text import Text


def migrate(connection: Connection) -> None:
    """Make the tables, or change those of an older version; refuse those of a newer one."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    script = ScriptDirectory.from_config(config)
    current = MigrationContext.configure(connection).get_current_revision()
    if current == script.get_current_head():
        return
    if current is not None and current not in {step.revision for step in script.walk_revisions()}:
        raise InputError(
            Text(
                f"the database was made by a newer version of Tokumei (step {current}); "
                "install that version or a newer one",
                f"データベースは新しい版の Tokumei で作られています (段階 {current})。"
                "その版以降をインストールしてください",
            )
        )
    command.upgrade(config, "head")


def revision_of(connection: Connection) -> str:
    """The step that a database's tables are at."""
    return MigrationContext.configure(connection).get_current_revision() or ""
