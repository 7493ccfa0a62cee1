"""Rules that clean the UCI Online Retail file, and named sets of them."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from tokumei.core.messages import Message

_PRODUCT_CODE = r"^[0-9]{5}"


@dataclass(frozen=True)
class CleaningRule:
    """Which rows to remove, and whether to do so unasked."""

    name: str
    title: Message
    wrong: pl.Expr
    default: bool = True


CLEANING_RULES = (
    CleaningRule(
        "duplicates", Message("the same row a second time"), pl.col("repeated"), default=False
    ),
    CleaningRule(
        "cancelled",
        Message("cancelled: the invoice starts with C"),
        pl.col("basket").str.starts_with("C"),
    ),
    CleaningRule("no-customer", Message("no customer number"), pl.col("customer").is_null()),
    CleaningRule(
        "not-positive-quantity",
        Message("the quantity is missing or not positive"),
        ~(pl.col("quantity").fill_null(0) > 0),
    ),
    CleaningRule(
        "not-positive-price",
        Message("the price is missing or not positive"),
        ~(pl.col("price").fill_null(0) > 0),
    ),
    CleaningRule(
        "non-product",
        Message(
            "not a product: the code does not start with five digits (postage, fees, vouchers)"
        ),
        ~pl.col("item").fill_null("").str.contains(_PRODUCT_CODE),
    ),
    CleaningRule(
        "unspecified-country",
        Message("the country is Unspecified"),
        pl.col("country") == "Unspecified",
        default=False,
    ),
    CleaningRule(
        "bank-charges-and-pads",
        Message("the code is BANK CHARGES or PADS"),
        pl.col("item").is_in(["BANK CHARGES", "PADS"]),
        default=False,
    ),
)
"""All rules, in the order in which they apply."""


@dataclass(frozen=True)
class CleaningSet:
    """Rules that belong together, and whether codes are put into capitals."""

    rules: tuple[str, ...]
    capitals: bool = True


CLEANING_SETS = {
    "default": CleaningSet(tuple(rule.name for rule in CLEANING_RULES if rule.default)),
    "pwscup": CleaningSet(
        (
            "cancelled",
            "no-customer",
            "not-positive-quantity",
            "not-positive-price",
            "unspecified-country",
            "bank-charges-and-pads",
        ),
        capitals=False,
    ),
}
"""The sets of rules, by name."""
