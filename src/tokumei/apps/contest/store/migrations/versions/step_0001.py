"""Contests, people and teams."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "account",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("key", sa.String(64), nullable=False, unique=True),
        sa.Column("password", sa.String(255), nullable=False),
        sa.Column("organiser", sa.Boolean, nullable=False),
        sa.Column("disabled", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
    )
    op.create_table(
        "attempt",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("key", sa.String(128), nullable=False, index=True),
        sa.Column("at", sa.DateTime, nullable=False),
    )
    op.create_table(
        "contest",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("slug", sa.String(40), nullable=False, unique=True),
        sa.Column("spec", sa.JSON, nullable=False),
        sa.Column("folder", sa.String(80), nullable=False),
        sa.Column("judge_version", sa.String(64), nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False),
    )
    op.create_table(
        "login",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("account_id", sa.Integer, sa.ForeignKey("account.id"), nullable=False),
        sa.Column("csrf", sa.String(64), nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("expires_at", sa.DateTime, nullable=False),
    )
    op.create_table(
        "phase_change",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("contest_id", sa.Integer, sa.ForeignKey("contest.id"), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("starts", sa.DateTime, nullable=False),
        sa.Column("ends", sa.DateTime, nullable=False),
        sa.Column("reason", sa.String, nullable=False),
        sa.Column("by_id", sa.Integer, sa.ForeignKey("account.id"), nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
    )
    op.create_table(
        "team",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("contest_id", sa.Integer, sa.ForeignKey("contest.id"), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("hidden", sa.Boolean, nullable=False),
        sa.Column("banned", sa.Boolean, nullable=False),
        sa.Column("reason", sa.String, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.UniqueConstraint("contest_id", "key"),
    )
    op.create_table(
        "token",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("account_id", sa.Integer, sa.ForeignKey("account.id"), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False, unique=True),
        sa.Column("label", sa.String(64), nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("last_used_at", sa.DateTime, nullable=True),
        sa.Column("revoked_at", sa.DateTime, nullable=True),
    )
    op.create_table(
        "invite",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("hash", sa.String(64), nullable=False, unique=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("contest_id", sa.Integer, sa.ForeignKey("contest.id"), nullable=True),
        sa.Column("team_id", sa.Integer, sa.ForeignKey("team.id"), nullable=True),
        sa.Column("uses_left", sa.Integer, nullable=False),
        sa.Column("expires_at", sa.DateTime, nullable=True),
        sa.Column("created_at", sa.DateTime, nullable=False),
    )
    op.create_table(
        "member",
        sa.Column("team_id", sa.Integer, sa.ForeignKey("team.id"), primary_key=True),
        sa.Column("account_id", sa.Integer, sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("captain", sa.Boolean, nullable=False),
    )
    op.create_table(
        "invite_use",
        sa.Column("invite_id", sa.Integer, sa.ForeignKey("invite.id"), primary_key=True),
        sa.Column("account_id", sa.Integer, sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("at", sa.DateTime, nullable=False),
    )
