"""How a server is run: `HOME/server.yaml`, the environment and the command line.

    settings_of(home, port=9000).database          # sqlite:////…/database/store.sqlite

A later one wins: defaults, the file, TOKUMEI_DATABASE_URL, what is given here (not None).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from tokumei.core.errors import Fault, InputError
from tokumei.core.text import Text

FILE_NAME = "server.yaml"
DATABASE_VARIABLE = "TOKUMEI_DATABASE_URL"


class Settings(BaseModel):
    """All that can be set."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    database: str = ""
    """An SQLAlchemy URL; empty: database/store.sqlite in the home."""
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    public_url: str | None = Field(default=None, pattern=r"^https?://[^/\s]+$")
    """Where people reach it, if a proxy stands before it; https (the default): Secure cookies."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses of proxies whose X-Forwarded-For is believed."""
    workers: int = Field(default=1, ge=0, le=64)
    checkers: int = Field(default=1, ge=1, le=16)
    """Processes that check uploads while their sender waits."""
    check_seconds: float = Field(default=20, gt=0)
    """How long a sender waits for the check; then the worker does it."""
    lease_seconds: int = Field(default=30, ge=3)

    @field_validator("public_url", mode="before")
    @classmethod
    def _with_scheme(cls, given: object) -> object:
        return f"https://{given}" if isinstance(given, str) and "://" not in given else given


def settings_of(home: Path, **given: Any) -> Settings:
    """The settings of a home; what is given and not None wins."""
    found = _from_file(home / FILE_NAME)
    if os.environ.get(DATABASE_VARIABLE):
        found["database"] = os.environ[DATABASE_VARIABLE]
    found |= {name: value for name, value in given.items() if value is not None}
    try:
        settings = Settings.model_validate(found)
    except ValidationError as error:
        raise _unusable(home / FILE_NAME, error) from None
    if settings.database:
        return settings
    # In a folder of its own: a process that gave up the vault may still make files beside it.
    path = home.resolve() / "database" / "store.sqlite"
    return settings.model_copy(update={"database": f"sqlite:///{path}"})


def _from_file(path: Path) -> dict[str, Any]:
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(
            f"{path} cannot be read: {reason}", f"{path} を読めません: {reason}"
        ) from None
    if not isinstance(found, dict | None):
        raise InputError(
            f"{path} must be lines of name: value", f"{path} は「名前: 値」の行で書きます"
        )
    return found or {}


def _unusable(path: Path, error: ValidationError) -> InputError:
    faults = [
        Fault(
            rule="server-settings",
            column=(name := ".".join(map(str, fault["loc"]))),
            message=Text(f"{name}: {fault['msg']}", f"{name}: {fault['msg']}"),
        )
        for fault in error.errors()
    ]
    return InputError(
        f"{path}: settings cannot be used", f"{path}: 設定に誤りがあります", faults=faults
    )
