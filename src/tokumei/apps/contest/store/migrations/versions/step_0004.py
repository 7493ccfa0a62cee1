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
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column(
            "contest_id", sa.Integer, sa.ForeignKey("contest.id"), nullable=False, index=True
        ),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("by_id", sa.Integer, sa.ForeignKey("account.id"), nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("removed_at", sa.DateTime, nullable=True),
    )
