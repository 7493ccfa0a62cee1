"""What all tables of the store share: names of constraints, and columns of JSON."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, MetaData
from sqlalchemy.orm import DeclarativeBase


class Base(DeclarativeBase):
    """Base of all tables."""

    metadata = MetaData(
        naming_convention={
            "ix": "%(table_name)s_by_%(column_0_N_name)s",
            "uq": "%(table_name)s_%(column_0_N_name)s_once",
            "fk": "%(table_name)s_%(column_0_N_name)s_exists",
            "pk": "%(table_name)s_identity",
        }
    )
    type_annotation_map = {  # noqa: RUF012
        dict[str, Any]: JSON(none_as_null=True),
        list[Any]: JSON(none_as_null=True),
    }
