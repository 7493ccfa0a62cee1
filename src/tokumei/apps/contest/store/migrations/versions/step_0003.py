"""Drafts and archives, organisers of one contest, announcements and questions, addresses."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add columns and tables."""
    stage = sa.Column("stage", sa.String(16), nullable=False, server_default="open")
    op.add_column("contest", stage)
    op.add_column("entry", sa.Column("address", sa.String(16), nullable=True))
    op.create_table(
        "organiser",
        sa.Column("contest_id", sa.Integer, sa.ForeignKey("contest.id"), primary_key=True),
        sa.Column("account_id", sa.Integer, sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("at", sa.DateTime, nullable=False),
    )
    op.create_table(
        "notice",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column(
            "contest_id", sa.Integer, sa.ForeignKey("contest.id"), nullable=False, index=True
        ),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("by_id", sa.Integer, sa.ForeignKey("account.id"), nullable=False),
        sa.Column("team_id", sa.Integer, sa.ForeignKey("team.id"), nullable=True),
        sa.Column("words", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("answer", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("answered_by_id", sa.Integer, sa.ForeignKey("account.id"), nullable=True),
        sa.Column("answered_at", sa.DateTime, nullable=True),
        sa.Column("public", sa.Boolean, nullable=False),
    )
