"""What cells look like that identify nobody: numbers, quantities, days, times."""

from __future__ import annotations

import re

PLAIN_NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")
_AMOUNT = r"\s?\d[\d.,' ]*\s?[%kKmMB°+℃]?[A-Za-z円]{0,4}"
QUANTITY = re.compile(
    rf"[<>=≤≥~≈$€£¥￥+-]*{_AMOUNT}(?:\s?(?:[-–~〜;:/x×]|to|and)\s?[<>=$€£¥-]*{_AMOUNT})*"
)
CALENDAR = re.compile(
    r"(?:1[5-9]|20)\d\d(?:[-/.](?:\d\d?|Q[1-4]|W\d\d?))?"
    r"|\d{4}[-/.]\d\d?[-/.]\d\d?[T ]?[\d:.]*(?:Z|[+-]\d\d:?\d\d)?"
    r"|\d\d?:\d\d(?::\d\d(?:\.\d+)?)?"
)
