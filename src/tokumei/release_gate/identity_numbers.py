"""Recognizes numbers of people, accounts and devices by their check digits (python-stdnum).

    identity_schemes("361-95-5875")       # {"us.ssn"}

A number without separators passes a check digit by chance; how many cells of a column do so tells
(`column_scan.py`). A number in its country's notation does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Any

_PERSONAL = [
    "al.nipt",
    "ar.cbu",
    "ar.cuit",
    "ar.dni",
    "at.vnr",
    "au.tfn",
    "be.bis",
    "be.nn",
    "bg.egn",
    "bg.pnf",
    "br.cpf",
    "by.unp",
    "ca.bc_phn",
    "ca.sin",
    "ch.ssn",
    "cl.rut",
    "cn.ric",
    "co.nit",
    "cr.cpf",
    "cr.cr",
    "cu.ni",
    "cz.rc",
    "de.idnr",
    "de.stnr",
    "dk.cpr",
    "do.cedula",
    "dz.nif",
    "ec.ci",
    "ee.ik",
    "eg.tn",
    "es.ccc",
    "es.dni",
    "es.nie",
    "fi.hetu",
    "fr.nif",
    "fr.nir",
    "gb.nhs",
    "gb.upn",
    "gb.utr",
    "gr.amka",
    "gt.nit",
    "hr.oib",
    "id.nik",
    "id.npwp",
    "ie.pps",
    "il.idnr",
    "in_.aadhaar",
    "in_.epic",
    "in_.pan",
    "in_.vid",
    "is_.kennitala",
    "it.codicefiscale",
    "jp.in_",
    "ke.pin",
    "kr.rrn",
    "lt.asmens",
    "lv.pvn",
    "md.idno",
    "mk.edb",
    "mu.nid",
    "mx.curp",
    "mx.rfc",
    "my.nric",
    "nl.bsn",
    "nl.identiteitskaartnummer",
    "nl.onderwijsnummer",
    "no.fodselsnummer",
    "no.kontonr",
    "nz.bankaccount",
    "nz.ird",
    "pe.cui",
    "pk.cnic",
    "pl.nip",
    "pl.pesel",
    "pt.cc",
    "pt.nif",
    "py.ruc",
    "ro.cnp",
    "rs.pib",
    "ru.inn",
    "se.personnummer",
    "si.emso",
    "sk.rc",
    "sv.nit",
    "th.pin",
    "tr.tckimlik",
    "ua.rntrc",
    "us.atin",
    "us.itin",
    "us.ptin",
    "us.ssn",
    "uy.rut",
    "ve.rif",
    "vn.mst",
    "za.idnr",
    "za.tin",
]
_DEVICES = ("imei", "meid")
_ACCOUNTS = ("iban", "bitcoin")
_SPAN = re.compile(r"(?<![\w.])[A-Z0-9](?:[A-Z0-9]|[-. /+](?=[A-Z0-9])){5,40}(?!\w)", re.IGNORECASE)
_CARD = re.compile(r"(?<![\d.,])(?:3[0468-9]|[2456])\d{2}(?:[ -]?\d){9,15}(?![\d.])")
_MRZ = re.compile(r"[PIACV][A-Z<][A-Z]{3}[A-Z0-9<]{20,}|[A-Z0-9<]{9}\d[A-Z]{3}\d{7}[MFX<]\d{7}")
_VIN = re.compile(r"(?<!\w)(?=[A-Z0-9]*\d{3})(?=\d*[A-Z])[A-HJ-NPR-Z0-9]{17}(?!\w)")
_ICCID = re.compile(r"(?<!\d)89\d{17,18}(?!\d)")
_PASSPORT = re.compile(r"(?<![\w-])(?:[A-Z]{2}\s?\d{7}|[A-Z]\s?\d{8})(?![\w-])")
_NATIONAL_INSURANCE = re.compile(
    r"(?<!\w)[A-CEGHJ-PR-TW-Z]{2}\s?\d{2}\s?\d{2}\s?\d{2}\s?[A-D](?!\w)"
)
_MEDICARE_ID = re.compile(
    r"(?<!\w)\d[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d-?[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d-?[AC-"
    r"HJKMNP-RT-Y]{2}\d{2}(?!\w)"
)
_NRIC = re.compile(
    r"(?<!\w)[STFGM]\d{7}[A-Z](?!\w)|(?<!\w)[A-Z]{1,2}\d{6}\([0-9A]\)|(?<!\w)[A-Z][12]\d{8}(?!\w)"
)
_CHECKSUM_FREE = {"ar.dni", "id.npwp", "us.itin", "us.atin", "mu.nid", "de.stnr"}


def identity_forms(text: str) -> Iterator[str]:
    """The forms of this group that occur in a text in a notation of their own."""
    upper = text.upper()
    if _MRZ.search(upper):
        yield "identity-number"
    if not any(char.isdigit() for char in text):
        return
    if any(_is_card(match) for match in _CARD.findall(text)):
        yield "card"
    if (
        _NATIONAL_INSURANCE.search(upper)
        or _PASSPORT.search(text)
        or _NRIC.search(upper)
        or _MEDICARE_ID.search(upper)
    ):
        yield "identity-number"
    if _ICCID.search(text) or any(_is_vin(match) for match in _VIN.findall(upper)):
        yield "device"
    for span in _SPAN.findall(text):
        for candidate in dict.fromkeys((span, *re.split(r"[ ]", span))):
            yield from _span_forms(candidate)


def _span_forms(span: str) -> Iterator[str]:
    digits = sum(char.isdigit() for char in span)
    if digits < 6 or span.isdigit():
        return
    for name in identity_schemes(span):
        yield (
            "account" if name in _ACCOUNTS else "device" if name in _DEVICES else "identity-number"
        )


def identity_schemes(text: str) -> set[str]:
    """The schemes whose notation and check digits a number fits."""
    compact = re.sub(r"[-. /+]", "", text)
    if not 6 <= len(compact) <= 40:
        return set()
    has_letters = not compact.isdigit()
    return {
        name
        for name, (validate, formatting) in _validators().items()
        if _fits(name, validate, formatting, text, compact, has_letters)
    }


def _fits(
    name: str,
    validate: Callable[[str], Any],
    formatting: Callable[[str], str] | None,
    text: str,
    compact: str,
    has_letters: bool,
) -> bool:
    try:
        number = str(validate(text))
    except Exception:  # noqa: BLE001  (a validator of the library may fail in any way on odd input)
        return False
    if has_letters or text.isdigit():
        return True
    # Separators must stand where this number has them.
    if formatting is None:
        return False
    try:
        notation = formatting(number)
    except Exception:  # noqa: BLE001
        return False
    return _grouping(notation) == _grouping(text)


def _grouping(text: str) -> list[int]:
    """The lengths of the parts between separators."""
    return [len(part) for part in re.split(r"[^0-9A-Za-z]+", text) if part]


@cache
def _validators() -> dict[str, tuple[Callable[[str], Any], Callable[[str], str] | None]]:
    loaded = {}
    for name in (*_PERSONAL, *_DEVICES, *_ACCOUNTS):
        module = import_module(f"stdnum.{name}")
        loaded[name] = (module.validate, getattr(module, "format", None))
    return loaded


def plain_number_schemes(digits: str) -> set[str]:
    """The schemes that digits without separators fit, except those without check digits."""
    if not 8 <= len(digits) <= 20:
        return set()
    schemes = identity_schemes(digits) - _CHECKSUM_FREE
    if _ICCID.fullmatch(digits):
        schemes.add("iccid")
    return schemes | ({"card"} if _CARD.fullmatch(digits) and _is_card(digits) else set())


def _is_card(text: str) -> bool:
    digits = [int(char) for char in text if char.isdigit()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) < 2:
        return False
    doubled = [digit * 2 - 9 * (digit > 4) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


_VIN_VALUES = dict(
    zip(
        "0123456789ABCDEFGHJKLMNPRSTUVWXYZ",
        (*range(10), *range(1, 9), *range(1, 6), 7, 9, *range(2, 10)),
        strict=True,
    )
)
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def _is_vin(text: str) -> bool:
    total = sum(_VIN_VALUES[char] * weight for char, weight in zip(text, _VIN_WEIGHTS, strict=True))
    return "0123456789X"[total % 11] == text[8] or text[:3].isalpha()
