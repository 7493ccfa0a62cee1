"""Shared options of commands on one history file, and `tokumei unicity`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tokumei.core import shared_options
from tokumei.core.command import Command, option
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.registry import split_layout_params
from tokumei.histories.services.requests import CategoryRequest, HistorySource
from tokumei.report.unicity_command import UnicityCommand

if TYPE_CHECKING:
    import polars as pl

    from tokumei.histories.formats.layout import HistoryLayout
    from tokumei.histories.services.read import ReadHistory


def columns_option() -> Any:
    """The names of the columns in a file with a header."""
    return option(
        "columns of a history: customer=ID,day=Date,item=Code,price=Price,quantity=Qty; "
        "others as value1=Tax,value2=Store",
        "履歴の列: customer=ID,day=Date,item=Code,price=Price,quantity=Qty、"
        "ほかの列は value1=Tax,value2=Store",
        default={},
    )


def categories_option() -> Any:
    """Categories to stand for items."""
    return option(
        "replace items first: mapping file, keywords, prefix:N or co-purchase:N",
        "先に商品を置換: 対応ファイル、keywords、prefix:N、co-purchase:N",
        default=None,
    )


def mapping_option() -> Any:
    """The mapping file of the categories that stand for items in a release."""
    return option(
        "pws2018: mapping item,category that replaced the items before",
        "pws2018: 先に商品を置き換えた対応表 item,category",
        default=None,
    )


def items_option() -> Any:
    """The file of the items' descriptions."""
    return option("descriptions of the items", "商品名のファイル", default=None)


def read_history_manifest(path: str | None) -> dict[str, Any]:
    """What `anonymize history` wrote beside a public file; nothing if it did not make it."""
    from tokumei.files.release_files import read_manifest

    manifest = {} if path is None else read_manifest(path)
    return manifest if manifest.get("kind") == "histories" else {}


def refuse_table_release(path: str | None) -> None:
    """Fail if what stands beside a file tells that it is a released table."""
    from tokumei.files.release_files import read_manifest

    if path is not None and "account" in read_manifest(path) and not read_history_manifest(path):
        raise UsageError(
            f"{path} was made of a table, as its manifest tells: give the tables by --original and "
            "--release",
            f"{path} は表から作成されています (マニフェストによる)。表は --original と --release で"
            "指定してください",
        )


@dataclass(frozen=True, kw_only=True)
class LayoutCommand(Command):
    """A command on files of a layout: every field of the layout is an option."""

    set: dict[str, Any] = option(
        "any option of the format: key=value",
        "形式のオプション: key=value",
        default={},
        hidden=True,
    )
    format: str = "table"

    @classmethod
    def methods(cls, given: Mapping[str, Any]) -> Mapping[str, type[Any]]:
        """The layout of the files, if it is known by now."""
        from tokumei.histories.registry import formats

        return {name: formats.get(name) for name in (given.get("format"),) if name is not None}

    def split_params(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What is set of the layout, and what is set of methods."""
        from tokumei.histories.registry import formats

        return split_layout_params(formats.get(self.format), self.set)


@dataclass(frozen=True, kw_only=True)
class ReleasedHistoryCommand(LayoutCommand):
    """A command on what was made of a history, in the layout of its source.

    What stands beside the public file tells layout and columns; options say otherwise.
    """

    distinguishing_options: ClassVar = ("public", "columns")

    columns: dict[str, str] = columns_option()
    date_order: str | None = option(
        "table: how days of the original are written where no cell decides it: dmy, mdy or ymd",
        "table: 元データの日付の数の順序 (セルから決まらない場合): dmy、mdy、ymd",
        default=None,
    )
    sep: str | None = shared_options.sep_option()
    encoding: str = shared_options.encoding_option()
    format: str = "pws2018"

    @classmethod
    def recognizes(cls, format: str | None, given: Mapping[str, Any]) -> str:
        """The layout that is written beside the release; columns are of files with a header."""
        paths = (given.get(name) for name in ("public", "release", "with"))
        manifest = read_history_manifest(next(filter(None, paths), None))
        return str(manifest.get("format", "table" if "columns" in given else ""))

    def layout(
        self, public: str | None = None, files: Mapping[str, Any] | None = None
    ) -> HistoryLayout:
        """How files are read; `public` has a manifest, `files`: what is set of the layout."""
        from tokumei.histories.formats.layout import history_layout

        refuse_table_release(public)
        manifest = read_history_manifest(public)
        layout_options = {
            name: getattr(self, name) for name in ("columns", "date_order", "sep", "encoding")
        }
        if not self.columns and manifest.get("format") == self.format:
            layout_options["columns"] = manifest.get("columns", {})
        layout_options |= self.set if files is None else files
        return history_layout(self.format, dashes="--", **layout_options)

    def original_source(
        self, path: str, *, categories: str | None = None, **how: Any
    ) -> HistorySource:
        """The original; `categories` is the mapping file that replaced its items before."""
        from tokumei.histories.categories.mapping import read_categories

        mapping = None if categories is None else read_categories(categories).of
        return HistorySource(data=path, layout=self.layout(**how), categories=mapping)


@dataclass(frozen=True, kw_only=True)
class HistoryFileCommand(LayoutCommand):
    """A command on one history in a file of any layout."""

    data: str = shared_options.data_option()
    columns: dict[str, str] = columns_option()
    keep: tuple[str, ...] = option(
        "online-retail: cleaning rules not to apply, e.g. non-product",
        "online-retail: 適用しない規則 (例 non-product)",
        default=(),
    )
    cleaning: str | None = option(
        "online-retail: rules of cleaning, default or pwscup (that of the contests)",
        "online-retail: クリーニングの組、default か pwscup (コンテストのもの)",
        default=None,
    )
    sep: str | None = shared_options.sep_option()
    encoding: str = shared_options.encoding_option()

    def history_source(self, files: Mapping[str, Any] | None = None) -> HistorySource:
        """The file and its layout; an option that the format does not use is refused.

        `files`: what is set of the layout.
        """
        from tokumei.histories.formats.layout import history_layout

        names = ("columns", "keep", "cleaning", "sep", "encoding")
        given = {name: getattr(self, name) for name in names}
        given |= self.set if files is None else files
        return HistorySource(
            data=self.data, layout=history_layout(self.format, dashes="--", **given)
        )

    def read(self) -> ReadHistory:
        """The history, and what to know of it."""
        from tokumei.histories.services.read import read_history

        return read_history(self.history_source())

    def category_request(
        self, by: str, items: str | None, seed: int | None, rules: str | None = None
    ) -> CategoryRequest:
        """How items get categories; descriptions are written in the encoding of the history."""
        return CategoryRequest(by=by, items=items, rules=rules, encoding=self.encoding, seed=seed)


@dataclass(frozen=True, kw_only=True)
class MeasureHistoryUnicity(UnicityCommand, HistoryFileCommand):
    """Measure the unicity of a history."""

    examples: ClassVar = (
        "tokumei unicity --data T.csv --format pws2018 --points 1-4 --by item,day "
        "--by item:2,month",
    )

    def purchases(self) -> tuple[pl.DataFrame, list[Message]]:
        """The history's rows."""
        from tokumei.histories.flow import points

        self.spare(self.data)
        read = self.read()
        return points(read.history), read.notes
