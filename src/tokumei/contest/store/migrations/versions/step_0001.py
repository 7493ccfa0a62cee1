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
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("password", sa.String(length=255), nullable=False),
        sa.Column("organiser", sa.Boolean(), nullable=False),
        sa.Column("disabled", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="account_identity"),
        sa.UniqueConstraint("key", name="account_key_once"),
    )
    op.create_table(
        "attempt",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=128), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="attempt_identity"),
    )
    op.create_index("attempt_by_key", "attempt", ["key"], unique=False)
    op.create_table(
        "contest",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(length=40), nullable=False),
        sa.Column("spec", sa.JSON(), nullable=False),
        sa.Column("folder", sa.String(length=80), nullable=False),
        sa.Column("judge_version", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("closed", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="contest_identity"),
        sa.UniqueConstraint("slug", name="contest_slug_once"),
    )
    op.create_table(
        "login",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("csrf", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("expires_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="login_account_id_exists"),
        sa.PrimaryKeyConstraint("hash", name="login_identity"),
    )
    op.create_table(
        "phase_change",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("contest_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("starts", sa.DateTime(), nullable=False),
        sa.Column("ends", sa.DateTime(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("by_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["by_id"], ["account.id"], name="phase_change_by_id_exists"),
        sa.ForeignKeyConstraint(
            ["contest_id"], ["contest.id"], name="phase_change_contest_id_exists"
        ),
        sa.PrimaryKeyConstraint("id", name="phase_change_identity"),
    )
    op.create_table(
        "team",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("contest_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.Column("banned", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["contest_id"], ["contest.id"], name="team_contest_id_exists"),
        sa.PrimaryKeyConstraint("id", name="team_identity"),
        sa.UniqueConstraint("contest_id", "key", name="team_contest_id_key_once"),
    )
    op.create_table(
        "token",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("label", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("last_used_at", sa.DateTime(), nullable=True),
        sa.Column("revoked_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="token_account_id_exists"),
        sa.PrimaryKeyConstraint("id", name="token_identity"),
        sa.UniqueConstraint("hash", name="token_hash_once"),
    )
    op.create_table(
        "invite",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("contest_id", sa.Integer(), nullable=True),
        sa.Column("team_id", sa.Integer(), nullable=True),
        sa.Column("uses_left", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.DateTime(), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["contest_id"], ["contest.id"], name="invite_contest_id_exists"),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"], name="invite_team_id_exists"),
        sa.PrimaryKeyConstraint("id", name="invite_identity"),
        sa.UniqueConstraint("hash", name="invite_hash_once"),
    )
    op.create_table(
        "member",
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("captain", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="member_account_id_exists"),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"], name="member_team_id_exists"),
        sa.PrimaryKeyConstraint("team_id", "account_id", name="member_identity"),
    )
    op.create_table(
        "invite_use",
        sa.Column("invite_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name="invite_use_account_id_exists"
        ),
        sa.ForeignKeyConstraint(["invite_id"], ["invite.id"], name="invite_use_invite_id_exists"),
        sa.PrimaryKeyConstraint("invite_id", "account_id", name="invite_use_identity"),
    )
