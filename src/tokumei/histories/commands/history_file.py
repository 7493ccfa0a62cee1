"""Shared options of commands on one history file, and `tokumei unicity`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from tokumei.core import shared_options
from tokumei.core.command import Command, option
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.registry import split_layout_params
from tokumei.histories.services.requests import CategoryRequest, HistorySource
from tokumei.pages.unicity_command import UnicityCommand

if TYPE_CHECKING:
    import polars as pl

    from tokumei.histories.formats.layout import HistoryLayout
    from tokumei.histories.services.read import ReadHistory


columns_option = partial(
    option,
    "columns of a history: customer=ID,day=Date,item=Code,price=Price,quantity=Qty; others as "
    "value1=Tax,value2=Store",
    default={},
)
"""The names of the columns in a file with a header."""
categories_option = partial(
    option, "replace items first: mapping file, keywords, prefix:N or co-purchase:N", default=None
)
"""Categories to stand for items."""
mapping_option = partial(
    option, "pws2018: mapping item,category that replaced the items before", default=None
)
"""The mapping file of the categories that stand for items in a release."""
items_option = partial(option, "descriptions of the items", default=None)
"""The file of the items' descriptions."""


def read_history_manifest(path: str | None) -> Mapping[str, object]:
    """What `anonymize history` wrote beside a public file; nothing if it did not make it."""
    from tokumei.files.release_files import read_manifest

    manifest: Mapping[str, object] = {} if path is None else read_manifest(path)
    return manifest if manifest.get("kind") == "histories" else {}


def refuse_table_release(path: str | None) -> None:
    """Fail if what stands beside a file tells that it is a released table."""
    from tokumei.files.release_files import read_manifest

    if path is not None and "account" in read_manifest(path) and not read_history_manifest(path):
        raise UsageError(
            "{path} was made from a table (see its manifest): give the tables by --original and "
            "--release",
            path=path,
        )


@dataclass(frozen=True, kw_only=True)
class LayoutCommand(Command):
    """A command on files of a layout: every field of the layout is an option."""

    set: dict[str, object] = option("any option of the format: key=value", default={}, hidden=True)
    format: str = "table"

    @classmethod
    def methods(cls, given: Mapping[str, object]) -> Mapping[str, type[object]]:
        """The layout of the files, if it is known by now."""
        from tokumei.histories.registry import formats

        format = given.get("format")
        return {format: formats.get(format)} if isinstance(format, str) else {}

    def split_params(self) -> tuple[dict[str, object], dict[str, object]]:
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
        default=None,
    )
    sep: str | None = shared_options.sep_option()
    encoding: str = shared_options.encoding_option()
    format: str = "pws2018"

    @classmethod
    def recognizes(cls, format: str | None, given: Mapping[str, object]) -> str:
        """The layout that is written beside the release; columns are of files with a header."""
        paths = [str(given[name]) for name in ("public", "release", "with") if given.get(name)]
        manifest = read_history_manifest(paths[0] if paths else None)
        return str(manifest.get("format", "table" if "columns" in given else ""))

    def layout(
        self, public: str | None = None, files: Mapping[str, object] | None = None
    ) -> HistoryLayout:
        """How files are read; `public` has a manifest, `files`: what is set of the layout."""
        from tokumei.histories.formats.layout import history_layout

        refuse_table_release(public)
        manifest = read_history_manifest(public)
        names = ("columns", "date_order", "sep", "encoding")
        layout_options: dict[str, object] = {name: getattr(self, name) for name in names}
        if not self.columns and manifest.get("format") == self.format:
            layout_options["columns"] = manifest.get("columns", {})
        layout_options |= self.set if files is None else files
        return history_layout(self.format, layout_options, dashes="--")

    def original_source(
        self,
        path: str,
        *,
        categories: str | None = None,
        public: str | None = None,
        files: Mapping[str, object] | None = None,
    ) -> HistorySource:
        """The original; `categories` is the mapping file that replaced its items before."""
        from tokumei.histories.categories.mapping import read_categories

        mapping = None if categories is None else read_categories(categories).of
        return HistorySource(data=path, layout=self.layout(public, files), categories=mapping)


@dataclass(frozen=True, kw_only=True)
class HistoryFileCommand(LayoutCommand):
    """A command on one history in a file of any layout."""

    data: str = shared_options.data_option()
    columns: dict[str, str] = columns_option()
    keep: tuple[str, ...] = option(
        "online-retail: cleaning rules not to apply, e.g. non-product", default=()
    )
    cleaning: str | None = option(
        "online-retail: rules of cleaning, default or pwscup (that of the contests)", default=None
    )
    sep: str | None = shared_options.sep_option()
    encoding: str = shared_options.encoding_option()

    def history_source(self, files: Mapping[str, object] | None = None) -> HistorySource:
        """The file and its layout; an option that the format does not use is refused.

        `files`: what is set of the layout.
        """
        from tokumei.histories.formats.layout import history_layout

        names = ("columns", "keep", "cleaning", "sep", "encoding")
        layout_options = {name: getattr(self, name) for name in names}
        layout_options |= self.set if files is None else files
        layout = history_layout(self.format, layout_options, dashes="--")
        return HistorySource(data=self.data, layout=layout)

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
