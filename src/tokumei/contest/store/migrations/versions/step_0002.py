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
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("contest_id", sa.Integer(), nullable=True),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("subject", sa.String(length=80), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="audit_account_id_exists"),
        sa.ForeignKeyConstraint(["contest_id"], ["contest.id"], name="audit_contest_id_exists"),
        sa.PrimaryKeyConstraint("id", name="audit_identity"),
    )
    op.create_table(
        "entry",
        sa.Column("id", sa.String(length=20), nullable=False),
        sa.Column("contest_id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("target_id", sa.String(length=20), nullable=True),
        sa.Column("file_name", sa.String(length=100), nullable=False),
        sa.Column("label", sa.String(length=100), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("received_at", sa.DateTime(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.JSON(), nullable=True),
        sa.Column("faults", sa.JSON(), nullable=True),
        sa.Column("fault_total", sa.Integer(), nullable=False),
        sa.Column("public_sha256", sa.String(length=64), nullable=True),
        sa.Column("public_commitment", sa.String(length=64), nullable=True),
        sa.Column("truth_commitment", sa.String(length=64), nullable=True),
        sa.Column("published_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="entry_account_id_exists"),
        sa.ForeignKeyConstraint(["contest_id"], ["contest.id"], name="entry_contest_id_exists"),
        sa.ForeignKeyConstraint(["target_id"], ["entry.id"], name="entry_target_id_exists"),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"], name="entry_team_id_exists"),
        sa.PrimaryKeyConstraint("id", name="entry_identity"),
    )
    op.create_index("entry_by_state", "entry", ["state"], unique=False)
    op.create_index("entry_by_target_id", "entry", ["target_id"], unique=False)
    op.create_index("entry_of_team", "entry", ["contest_id", "team_id"], unique=False)
    op.create_table(
        "job",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("entry_id", sa.String(length=20), nullable=False),
        sa.Column("run", sa.String(length=64), nullable=False),
        sa.Column("dry", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("owner", sa.String(length=64), nullable=True),
        sa.Column("lease_until", sa.DateTime(), nullable=True),
        sa.Column("token", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("progress", sa.Double(), nullable=False),
        sa.Column("queued_at", sa.DateTime(), nullable=False),
        sa.Column("started_at", sa.DateTime(), nullable=True),
        sa.Column("finished_at", sa.DateTime(), nullable=True),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.ForeignKeyConstraint(["entry_id"], ["entry.id"], name="job_entry_id_exists"),
        sa.PrimaryKeyConstraint("id", name="job_identity"),
        sa.UniqueConstraint("kind", "entry_id", "run", name="job_kind_entry_id_run_once"),
    )
    op.create_index("job_by_state", "job", ["state"], unique=False)
    op.create_table(
        "score",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.String(length=20), nullable=False),
        sa.Column("judge_version", sa.String(length=64), nullable=False),
        sa.Column("utility", sa.Double(), nullable=True),
        sa.Column("safety", sa.Double(), nullable=True),
        sa.Column("total", sa.Double(), nullable=True),
        sa.Column("unsafe", sa.Boolean(), nullable=False),
        sa.Column("figures", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("current", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["entry_id"], ["entry.id"], name="score_entry_id_exists"),
        sa.PrimaryKeyConstraint("id", name="score_identity"),
        sa.UniqueConstraint("entry_id", "judge_version", name="score_entry_id_judge_version_once"),
    )
    op.create_index(
        "one_current_score",
        "score",
        ["entry_id"],
        unique=True,
        sqlite_where=sa.text("current"),
        postgresql_where=sa.text("current"),
    )
    op.create_index("score_by_entry_id", "score", ["entry_id"], unique=False)
    op.create_table(
        "step",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.String(length=20), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("reason", sa.JSON(), nullable=True),
        sa.ForeignKeyConstraint(["entry_id"], ["entry.id"], name="step_entry_id_exists"),
        sa.PrimaryKeyConstraint("id", name="step_identity"),
    )
    op.create_index("step_by_entry_id", "step", ["entry_id"], unique=False)
    _guard_audit()


def _guard_audit() -> None:
    """Let the database itself refuse changes of the audit log."""
    if op.get_bind().dialect.name == "sqlite":
        statements = tuple(_SQLITE.format(what=what) for what in ("UPDATE", "DELETE"))
    else:
        statements = _POSTGRESQL
    for statement in statements:
        op.execute(statement)
