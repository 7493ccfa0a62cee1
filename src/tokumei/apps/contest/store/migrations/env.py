"""How Alembic reaches the database: through the connection that `migrate` hands over."""

from __future__ import annotations

from alembic import context

from tokumei.apps.contest.store.tables import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
with context.begin_transaction():
    context.run_migrations()
