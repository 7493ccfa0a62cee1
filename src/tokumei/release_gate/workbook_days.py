"""Which cells of a workbook are days: they are stored as numbers, and only their style tells.

days = read_day_styles(archive)
days.text("45000", style="3")     # "2023-03-15", if style 3 writes days
"""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass
from datetime import datetime, timedelta
from xml.etree import ElementTree

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_BUILT_IN_DAY_FORMATS = frozenset((*range(14, 18), 22, *range(27, 37), *range(50, 59)))
"""The numbers of formats with a day that every spreadsheet program knows (ECMA-376, 18.8.30)."""
_NOT_SYMBOLS = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|General', re.IGNORECASE)
_EPOCH_1900, _EPOCH_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)
_LAST_SERIAL = 2_958_465
"""The last day of the year 9999."""


@dataclass(frozen=True)
class DayStyles:
    """The styles that write numbers as days, and the day that 0 stands for."""

    styles: frozenset[str]
    epoch: datetime

    def text(self, value: str, style: str) -> str:
        """A stored number as the day that a reader sees; anything else as it is."""
        if style not in self.styles:
            return value
        try:
            serial = float(value)
        except ValueError:
            return value
        if not 0 <= serial <= _LAST_SERIAL:
            return value
        moment = self.epoch + timedelta(days=serial)
        is_midnight = serial == int(serial)
        return moment.date().isoformat() if is_midnight else moment.isoformat(" ", "seconds")


def read_day_styles(archive: zipfile.ZipFile) -> DayStyles:
    """The styles of an opened workbook that write days."""
    names = archive.namelist()
    styles: frozenset[str] = frozenset()
    if "xl/styles.xml" in names:
        with archive.open("xl/styles.xml") as stream:
            styles = _day_styles(ElementTree.parse(stream).getroot())
    epoch = _EPOCH_1900
    if "xl/workbook.xml" in names:
        with archive.open("xl/workbook.xml") as stream:
            properties = ElementTree.parse(stream).getroot().find(f"{_MAIN}workbookPr")
        if properties is not None and properties.get("date1904") in ("1", "true"):
            epoch = _EPOCH_1904
    return DayStyles(styles, epoch)


def _day_styles(root: ElementTree.Element) -> frozenset[str]:
    own_formats = {
        element.get("numFmtId", ""): _writes_days(element.get("formatCode", ""))
        for element in root.iter(f"{_MAIN}numFmt")
    }
    cell_styles = root.find(f"{_MAIN}cellXfs")
    found = set[str]()
    for place, style in enumerate(() if cell_styles is None else cell_styles.iter(f"{_MAIN}xf")):
        number = style.get("numFmtId", "0")
        is_built_in = number.isdigit() and int(number) in _BUILT_IN_DAY_FORMATS
        if own_formats.get(number, is_built_in):
            found.add(str(place))
    return frozenset(found)


def _writes_days(code: str) -> bool:
    """Whether a format shows years or days of a month."""
    return bool(re.search("[yde]", _NOT_SYMBOLS.sub("", code), re.IGNORECASE)) and "0" not in code
