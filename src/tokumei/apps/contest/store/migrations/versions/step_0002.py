"""Uploads, their scores and jobs, and what was done by whom."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_SQLITE = """
CREATE TRIGGER audit_{what} BEFORE {what} ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END
"""
_POSTGRESQL = (
    """
    CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$
    """,
    """
    CREATE TRIGGER audit_refuse BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse()
    """,
)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("account_id", sa.Integer, sa.ForeignKey("account.id"), nullable=True),
        sa.Column("contest_id", sa.Integer, sa.ForeignKey("contest.id"), nullable=True),
        sa.Column("action", sa.String(40), nullable=False),
        sa.Column("subject", sa.String(80), nullable=False),
        sa.Column("details", sa.JSON, nullable=False),
    )
    op.create_table(
        "entry",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("contest_id", sa.Integer, sa.ForeignKey("contest.id"), nullable=False),
        sa.Column("team_id", sa.Integer, sa.ForeignKey("team.id"), nullable=False),
        sa.Column("account_id", sa.Integer, sa.ForeignKey("account.id"), nullable=False),
        sa.Column("target_id", sa.String(20), sa.ForeignKey("entry.id"), nullable=True, index=True),
        sa.Column("file_name", sa.String(100), nullable=False),
        sa.Column("label", sa.String(100), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("received_at", sa.DateTime, nullable=False),
        sa.Column("state", sa.String(16), nullable=False, index=True),
        sa.Column("reason", sa.JSON, nullable=True),
        sa.Column("faults", sa.JSON, nullable=True),
        sa.Column("fault_total", sa.Integer, nullable=False),
        sa.Column("public_sha256", sa.String(64), nullable=True),
        sa.Column("public_commitment", sa.String(64), nullable=True),
        sa.Column("truth_commitment", sa.String(64), nullable=True),
        sa.Column("published_at", sa.DateTime, nullable=True),
    )
    op.create_index("entry_of_team", "entry", ["contest_id", "team_id"])
    op.create_table(
        "job",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("entry_id", sa.String(20), sa.ForeignKey("entry.id"), nullable=False),
        sa.Column("run", sa.String(64), nullable=False),
        sa.Column("dry", sa.Boolean, nullable=False),
        sa.Column("state", sa.String(16), nullable=False, index=True),
        sa.Column("owner", sa.String(64), nullable=True),
        sa.Column("lease_until", sa.DateTime, nullable=True),
        sa.Column("token", sa.Integer, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("progress", sa.Double, nullable=False),
        sa.Column("queued_at", sa.DateTime, nullable=False),
        sa.Column("started_at", sa.DateTime, nullable=True),
        sa.Column("finished_at", sa.DateTime, nullable=True),
        sa.Column("error", sa.String, nullable=True),
        sa.Column("result", sa.JSON, nullable=True),
        sa.UniqueConstraint("kind", "entry_id", "run"),
    )
    op.create_table(
        "score",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("entry_id", sa.String(20), sa.ForeignKey("entry.id"), nullable=False, index=True),
        sa.Column("judge_version", sa.String(64), nullable=False),
        sa.Column("utility", sa.Double, nullable=True),
        sa.Column("safety", sa.Double, nullable=True),
        sa.Column("total", sa.Double, nullable=True),
        sa.Column("unsafe", sa.Boolean, nullable=False),
        sa.Column("figures", sa.JSON, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("current", sa.Boolean, nullable=False),
        sa.UniqueConstraint("entry_id", "judge_version"),
    )
    op.create_index(
        "one_current_score",
        "score",
        ["entry_id"],
        unique=True,
        sqlite_where=sa.text("current"),
        postgresql_where=sa.text("current"),
    )
    op.create_table(
        "step",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("entry_id", sa.String(20), sa.ForeignKey("entry.id"), nullable=False, index=True),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("reason", sa.JSON, nullable=True),
    )
    _guard_audit()


def _guard_audit() -> None:
    """Let the database itself refuse changes of the audit log."""
    if op.get_bind().dialect.name == "sqlite":
        statements = tuple(_SQLITE.format(what=what) for what in ("UPDATE", "DELETE"))
    else:
        statements = _POSTGRESQL
    for statement in statements:
        op.execute(statement)
