"""Attachments of a contest's texts, sketches of guesses."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add a column and a table."""
    op.add_column("entry", sa.Column("sketch", sa.JSON(none_as_null=True), nullable=True))
    op.create_table(
        "attachment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("contest_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("by_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("removed_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(["by_id"], ["account.id"], name="attachment_by_id_exists"),
        sa.ForeignKeyConstraint(
            ["contest_id"], ["contest.id"], name="attachment_contest_id_exists"
        ),
        sa.PrimaryKeyConstraint("id", name="attachment_identity"),
    )
    op.create_index("attachment_by_contest_id", "attachment", ["contest_id"], unique=False)
