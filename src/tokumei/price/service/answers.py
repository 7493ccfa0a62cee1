"""What the service answers, as models: they are the OpenAPI description."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field


class SampleRow(BaseModel):
    """A row as it would be released; null where the column is deleted."""

    cells: list[str | None]
    people: int = Field(description="how many people have this very row")


class Sample(BaseModel):
    """The largest groups."""

    columns: list[str]
    rows: list[SampleRow]


class Choice(BaseModel):
    """A recoding and its value."""

    value: float = Field(description="value of the release in currency")
    original_value: float = Field(description="value of the data as they are")
    ratio: float | None = Field(description="value / original_value; null if nothing has a price")
    choice: dict[str, str] = Field(description="the pattern of every column; 'delete': left out")
    values: dict[str, float] = Field(description="value by column")
    k: int = Field(description="people in the smallest group")
    suppressed: int = Field(description="people left out")
    optimal: bool = Field(description="whether it is proven that nothing better exists")
    bound: float = Field(description="what no choice can exceed")
    gap: float | None = Field(description="bound / value - 1: how far from optimal it can be")
    currency: str


class PriceSource(BaseModel):
    """Where prices come from."""

    source: str
    sha256: str | None
    date: str | None
    currency: str


class Optimum(Choice):
    """The best recoding, what it was made from and what it looks like."""

    ok: Literal[True]
    asked_k: int = Field(description="the k of the question")
    original_values: dict[str, float] = Field(description="original value by column")
    words: dict[str, tuple[int, int]] = Field(
        description="words by column: as original, and as chosen (0: deleted)"
    )
    answers: list[Choice] = Field([], description="all answers, if more than one was asked for")
    sample: Sample
    session: str
    prices: list[PriceSource]
    prices_id: str
    seconds: float = Field(description="from the question to the answer, in the service")


class SessionItem(BaseModel):
    """Data that questions can be asked about."""

    name: str
    rows: int
    columns: list[str]


class SessionList(BaseModel):
    """All sessions."""

    ok: Literal[True]
    sessions: list[SessionItem]


class PriceItem(BaseModel):
    """A price list; `attributes` gives the patterns of every attribute."""

    id: str
    name: str
    date: str | None
    currency: str
    attributes: dict[str, list[str]]
    unpriced: int = Field(description="words without a price; they count as worth nothing")


class AddedPrices(PriceItem):
    """The price list that was uploaded."""

    ok: Literal[True]


class PriceLists(BaseModel):
    """All price lists."""

    ok: Literal[True]
    prices: list[PriceItem]


class Health(BaseModel):
    """The service is up."""

    ok: Literal[True]
    version: str
    searches: int = Field(description="searches that run or wait")
