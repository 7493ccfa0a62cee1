"""Drafts and archives, organisers of one contest, announcements and questions, addresses."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add columns and tables."""
    stage = sa.Column("stage", sa.String(length=16), nullable=False, server_default="open")
    op.add_column("contest", stage)
    op.add_column("entry", sa.Column("address", sa.String(length=16), nullable=True))
    op.create_table(
        "organiser",
        sa.Column("contest_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="organiser_account_id_exists"),
        sa.ForeignKeyConstraint(["contest_id"], ["contest.id"], name="organiser_contest_id_exists"),
        sa.PrimaryKeyConstraint("contest_id", "account_id", name="organiser_identity"),
    )
    op.create_table(
        "notice",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("contest_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("by_id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=True),
        sa.Column("words", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("answer", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("answered_by_id", sa.Integer(), nullable=True),
        sa.Column("answered_at", sa.DateTime(), nullable=True),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["answered_by_id"], ["account.id"], name="notice_answered_by_id_exists"
        ),
        sa.ForeignKeyConstraint(["by_id"], ["account.id"], name="notice_by_id_exists"),
        sa.ForeignKeyConstraint(["contest_id"], ["contest.id"], name="notice_contest_id_exists"),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"], name="notice_team_id_exists"),
        sa.PrimaryKeyConstraint("id", name="notice_identity"),
    )
    op.create_index("notice_by_contest_id", "notice", ["contest_id"], unique=False)
