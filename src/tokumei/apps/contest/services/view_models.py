"""View models for pages and API, each built for one viewer.

    get_entry_view(context, viewer, "cup", "0f3a…").as_json()

Times are UTC with a zone; a `Message` is a sentence by language; a lower score is better.
Further views: `entry_views.py`, `admin_views.py`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self, dataclass_transform

from pydantic import InstanceOf, PlainSerializer, TypeAdapter, WithJsonSchema

from tokumei.apps.contest.store.database import to_aware_utc
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message

MESSAGE_SCHEMA = {
    "type": "object",
    "properties": {"en": {"type": "string"}, "ja": {"type": "string"}},
    "required": ["en", "ja"],
    "additionalProperties": {"type": "string"},
}
MessageField = Annotated[
    Message,
    InstanceOf(),
    PlainSerializer(Message.texts),
    WithJsonSchema(MESSAGE_SCHEMA, mode="serialization"),
]


@cache
def _type_adapter(kind: type[View]) -> TypeAdapter[View]:
    return TypeAdapter(kind)


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class View:
    """Base of all views: each is a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)

    @classmethod
    def of(cls, row: object, **values: object) -> Self:
        """A view of a row: what is not given are the row's columns of the same name."""
        names = [field.name for field in fields(cls) if field.name not in values]
        row_values = {name: getattr(row, name) for name in names if hasattr(row, name)}
        times = {
            name: to_aware_utc(timestamp)
            for name, timestamp in row_values.items()
            if isinstance(timestamp, datetime)
        }
        return cls(**{**row_values, **times, **values})

    def as_json(self) -> JsonObject:
        """The view as plain data; figures that are no numbers become null."""
        kind: Any = type(self)
        plain: JsonObject = json.loads(_type_adapter(kind).dump_json(self))
        return plain


class PhaseView(View):
    """A phase with the times in force."""

    place: int
    kind: Literal["anonymize", "attack"]
    starts: datetime
    ends: datetime
    state: Literal["over", "now", "coming"]
    changed: bool = False
    reason: str = ""
    """Why its times were changed."""


class DataFileView(View):
    """A data file that members may download."""

    key: str
    name: str
    size: int


class ContestView(View):
    """A contest: its rules and where it stands."""

    slug: str
    title: MessageField
    about: MessageField
    format: str
    offset_minutes: int
    """The contest's own zone: minutes east of UTC."""
    now: datetime
    stage: Literal["draft", "open", "archived"]
    state: Literal["coming", "anonymize", "attack", "between", "over"]
    phases: tuple[PhaseView, ...]
    current: PhaseView | None
    next: PhaseView | None
    quotas: dict[str, int]
    scoring: dict[str, object]
    knowledge: tuple[float, ...]
    feedback: Literal["exact", "banded", "delayed"]
    bands: tuple[float, ...]
    leaderboard: Literal["always", "after-phase", "after-contest"]
    registration: Literal["open", "invite"]
    data: tuple[DataFileView, ...]
    secret_data: tuple[str, ...]
    """Keys of data that nobody gets."""
    guess_files: tuple[str, ...]
    judge_version: str
    teams: int
    submissions: int
    attacks: int


class AttachmentView(View):
    """A file beside the contest's texts."""

    id: int
    name: str
    size: int
    sha256: str
    at: datetime


class NoticeView(View):
    """An announcement, or a question; texts are Markdown."""

    id: int
    kind: Literal["announcement", "question"]
    words: MessageField
    at: datetime
    answer: MessageField | None
    answered_at: datetime | None
    public: bool
    """Whether everybody sees it."""
    mine: bool
    team: str | None
    """Who asked, for organisers."""


class MemberView(View):
    """A member of a team."""

    account_id: int
    name: str
    captain: bool


class QuotaView(View):
    """What a team may still do. A day is the last 24 hours, an hour the last 60 minutes."""

    submissions_left: int
    submissions_left_today: int
    uploads_left_this_hour: int
    rejected_left_this_hour: int
    published_left: int
    next_upload_at: datetime | None = None
    """When the next upload is possible, if it is not now."""


class TeamView(View):
    """A team as its members and organisers see it."""

    id: int
    name: str
    members: tuple[MemberView, ...]
    created_at: datetime
    hidden: bool
    banned: bool
    reason: str
    quota: QuotaView
    i_am_captain: bool = False
    i_may_leave: bool = False


class TokenView(View):
    """A program's key, without its secret."""

    id: int
    label: str
    created_at: datetime
    last_used_at: datetime | None


class NewTokenView(View):
    """A new key; `token` is shown this once."""

    id: int
    label: str
    token: str


class NewInviteView(View):
    """A new code; `code` is shown this once."""

    id: int
    kind: Literal["register", "team", "organiser"]
    code: str
    uses: int
    expires_at: datetime | None


class CurrentAccountView(View):
    """Who one is."""

    name: str
    organiser: bool
    teams: dict[str, str] = field(default_factory=dict)
    """contest → team"""


@dataclass(frozen=True)
class Download:
    """A file to send: its path and the name it is given."""

    path: Path
    name: str
