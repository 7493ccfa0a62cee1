"""What a client may ask, checked field by field; unknown fields and wrong types are refused."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from tokumei.core.errors import UsageError
from tokumei.price.question import Question
from tokumei.price.service.desk import Limits

Name = Annotated[str, Field(min_length=1, max_length=200)]
EXAMPLE: dict[str, Any] = {
    "session": "people",
    "prices": "3f9a0c51d2ab",
    "k": 5,
    "stay": ["occupation"],
    "suppression": 0.01,
}


class OptimumQuestion(BaseModel):
    """A question: at least k people in every group, and what else must hold."""

    model_config = ConfigDict(
        extra="forbid", strict=True, allow_inf_nan=False, json_schema_extra={"example": EXAMPLE}
    )

    session: Name = Field(description="name of the data, see /v1/sessions")
    prices: Name = Field(description="id of the price list, see /v1/prices")
    k: int = Field(2, ge=1, le=10**12, description="people in every group, at least")
    columns: list[Name] | None = Field(
        None,
        min_length=1,
        max_length=100,
        description="columns that are released; none: all with prices",
    )
    stay: list[Name] = Field([], max_length=100, description="columns that may not be deleted")
    go: list[Name] = Field([], max_length=100, description="columns that must be deleted")
    least: dict[Name, Annotated[float, Field(ge=0, le=1e15)]] = Field(
        {}, max_length=100, description="value that a column must keep, in the prices' currency"
    )
    suppression: float = Field(0.0, ge=0, le=1, description="share of people that may be left out")
    cut_off: float = Field(0.0, ge=0, le=1e15, description="leave out patterns worth less")
    best: int = Field(1, ge=1, description="how many answers, best first")
    seconds: float | None = Field(
        None, gt=0, description="after so long the best so far is given, with a bound"
    )
    sample: int = Field(5, ge=0, le=50, description="how many sample rows")

    def as_question(self, limits: Limits) -> Question:
        """The question within the limits of the service."""
        _at_most("best", self.best, limits.best)
        _at_most("seconds", self.seconds or 0, limits.seconds)
        if self.k < limits.least_k:
            raise UsageError(
                f"this service asks for k of {limits.least_k} or more, not {self.k}",
                f"このサービスの k は {limits.least_k} 以上です ({self.k})",
            )
        return Question(
            k=self.k,
            columns=None if self.columns is None else tuple(self.columns),
            suppression=self.suppression,
            least=self.least,
            stay=tuple(self.stay),
            go=tuple(self.go),
            best=self.best,
            seconds=self.seconds or limits.seconds,
            cut_off=self.cut_off,
        )


def _at_most(name: str, given: float, most: float) -> None:
    if given > most:
        raise UsageError(
            f"{name} may be {most:g} at most in this service, not {given:g}",
            f"このサービスの {name} は {most:g} までです ({given:g})",
        )
