"""Tests of tokumei.core.compiled_catalog against gettext, the slow reader of all sentences."""

from __future__ import annotations

import gettext
import struct
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from catalogs.po_files import list_catalogs, read_catalog

from tokumei.core.compiled_catalog import CompiledCatalog


def compile_sentences(language: str) -> bytes:
    catalog = Catalog(locale=language, charset="utf-8", fuzzy=False)
    catalog.add("no rows", "ř")
    catalog.add("open", "ö", context="a phase")
    catalog.add(("{n} row", "{n} rows"), [f"form {i}" for i in range(catalog.num_plurals)])
    catalog.add(("day", "days"), [f"d{i}" for i in range(catalog.num_plurals)], context="a unit")
    catalog.add("not translated", "")
    file = BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


@pytest.mark.parametrize("language", ["ja", "de", "fr", "pl", "ar", "cs"])
def test_every_plural_form_is_the_one_of_gettext(language: str) -> None:
    data = compile_sentences(language)
    ours, reference = CompiledCatalog(data), gettext.GNUTranslations(BytesIO(data))
    for number in range(131):
        found = ours.find("{n} row", plural="{n} rows", number=number)
        assert found == reference.ngettext("{n} row", "{n} rows", number)
        found = ours.find("day", context="a unit", plural="days", number=number)
        assert found == reference.npgettext("a unit", "day", "days", number)


def test_a_context_is_part_of_the_key() -> None:
    catalog = CompiledCatalog(compile_sentences("de"))
    assert catalog.find("no rows") == "ř"
    assert catalog.find("open", context="a phase") == "ö"
    assert catalog.find("open") is None
    assert catalog.find("no rows", context="a phase") is None
    assert catalog.find("{n} row") is None
    assert catalog.find("not translated") is None


def test_the_catalogs_of_the_project_are_read_as_gettext_reads_them(tmp_path: Path) -> None:
    for path in list_catalogs():
        file = BytesIO()
        write_mo(file, read_catalog(path))
        (tmp_path / "x.mo").write_bytes(file.getvalue())
        ours = CompiledCatalog.read(tmp_path / "x.mo")
        reference = gettext.GNUTranslations(BytesIO(file.getvalue()))
        entries = [entry for entry in read_catalog(path) if entry.id]
        assert len(entries) > 5000
        for entry in entries:
            context = entry.context
            if isinstance(entry.id, str):
                asked = (entry.id,) if context is None else (context, entry.id)
                told = reference.gettext(*asked) if context is None else reference.pgettext(*asked)
                assert ours.find(entry.id, context=context) == told
            else:
                one, many = entry.id
                expected = (
                    reference.ngettext(one, many, 2)
                    if context is None
                    else reference.npgettext(context, one, many, 2)
                )
                assert ours.find(one, context=context, plural=many, number=2) == expected


def test_a_file_of_the_other_byte_order(tmp_path: Path) -> None:
    ids, texts = (
        [b"", b"no rows"],
        [b"Plural-Forms: nplurals=1; plural=0;\n", "行".encode()],
    )
    start = 28 + 16 * len(ids)
    places, body = [], b""
    for text in [*ids, *texts]:
        places.append((len(text), start + len(body)))
        body += text + b"\0"
    table = b"".join(struct.pack(">2I", *place) for place in places)
    head = struct.pack(">7I", 0x950412DE, 0, len(ids), 28, 28 + 8 * len(ids), 0, 0)
    assert CompiledCatalog(head + table + body).find("no rows") == "行"


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 no catalog", b"\xde\x12\x04\x95\0\0"])
def test_another_file_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.mo").write_bytes(data)
    with pytest.raises(OSError, match="not a compiled message catalog"):
        CompiledCatalog.read(tmp_path / "x.mo")
