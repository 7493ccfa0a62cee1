"""Options that commands of several kinds share.

encoding: str = encoding_option()
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TypeVar

from tokumei.core.command import CommandResult, option
from tokumei.core.data_kind import DataKind
from tokumei.core.errors import UsageError
from tokumei.core.fields import field_name
from tokumei.core.messages import OR, Message, join_messages
from tokumei.core.registry import is_given, split_params_by_method

SWEEP_RESULT_FILES = ("sweep.csv", "sweep.json", "sweep.svg", "report.html")
T = TypeVar("T")


def refuse_unused_options(beside: Message | str, **options: object) -> None:
    """Fail if an option is given that goes unused beside another: it would look heeded."""
    for name, value in options.items():
        if is_given(value) and value is not False:
            unused = field_name(name)
            raise UsageError(
                "{option} does not use {unused}", field=name, option=beside, unused=unused
            )


def merge_set_params(options: Mapping[str, object], set: Mapping[str, object]) -> dict[str, object]:
    """Parameters from options and from `--set`; fails if one is given in both ways."""
    for name in set:
        if name in options:
            option = f"--{name.replace('_', '-')}"
            raise UsageError(
                "{option} and --set {name} give the same parameter; leave one of them out",
                option=option,
                name=name,
            )
    return {**options, **set}


def require_option(value: T | None, option: str, why: str) -> T:
    """The value of an option that is needed beside another."""
    if value is None:
        raise UsageError("{why} needs {option}", why=why, option=option)
    return value


def refuse_overwriting_inputs(
    sources: Iterable[str | PathLike[str] | None], targets: Iterable[str | PathLike[str] | None]
) -> None:
    """Fail if a file to write is a file that was read."""
    read = {Path(source).resolve() for source in sources if source is not None}
    for target in targets:
        if target is not None and Path(target).resolve() in read:
            raise UsageError(
                "{target} would replace the original; choose another file", target=target
            )


def require_suffix(out: str | None, *endings: str) -> None:
    """Fail unless a file to write is called so."""
    if out is not None and Path(out).suffix.lower() not in endings:
        raise UsageError(
            "{out}: the name must end in {endings}", out=out, endings=join_messages(endings, OR)
        )


def require_share(value: float | None, field: str) -> None:
    """Fail unless a share, if one is given, is above 0 and at most 1."""
    if value is not None and not 0 < value <= 1:
        option = field_name(field)
        raise UsageError(
            "{option} is a share above 0, up to 1 (0.1 for 10 %), not {given:g}",
            field=field,
            value=value,
            option=option,
            given=value,
        )


seed_option = partial(
    option,
    "repeat the same draws (default: random, from the operating system)",
    default=None,
    least=0,
)
key_option = partial(
    option, "repeat the same draws, for publication: a file made by `tokumei key`", default=None
)
encoding_option = partial(option, "text encoding, e.g. cp932 (default: detected)", default="auto")
sep_option = partial(option, "separator (default: detected)", default=None)
set_option = partial(option, "any parameter of the method: key=value", default={})
"""Parameters of methods that no option of their own sets."""
cluster_option = partial(
    option,
    "spark: the cluster, e.g. spark://host:7077, yarn, local[*]",
    default=None,
    aliases=("master",),
)
"""The Spark cluster; `--master` is what Spark calls it."""
engine_option = partial(
    option,
    "where the rows are: local; stream: on disk (automatic if memory is too small); spark: on a "
    "cluster (see --cluster)",
    default="local",
)
out_folder_option = partial(option, "folder for the results", default=None)


def refuse_engine_options(engine: str, **options: object) -> None:
    """Fail if an option was given that an engine does not use."""
    refuse_unused_options(f"--engine {engine}", **options)


def require_spark_engine(engine: str, **options: object) -> None:
    """Fail if an option was given that only a cluster uses."""
    for name, value in options.items():
        if value is not None and engine != "spark":
            if name == "cluster":
                raise UsageError("--cluster needs --engine spark (older name: --master)")
            raise UsageError("{option} needs --engine spark", option=f"--{name}")


def publish_result(public: str, secret: str, figures: Mapping[str, object]) -> CommandResult:
    """The result of `publish` in any format: paths and counts of the files."""
    rows, people = figures["rows"], figures["people"]
    written_note = Message(
        "{public}: {rows:,} rows of {people:,} people", public=public, rows=rows, people=people
    )
    return CommandResult({"public": public, "secret": secret, **figures}, notes=[written_note])


original_option = partial(option, "the original table X (or history T)")
release_option = partial(option, "the release Y (or A)")
"""The release; of a history, row by row as the original."""
public_option = partial(option, "histories: the public file", default=None)
guess_option = partial(option, "lines pid,cid; pseudonyms over time: lines cid,p1,…,pL")
data_option = partial(option, "the history")
"""A history, for commands that read nothing else."""
swept_methods_option = partial(option, "the method, or several: a,b", aliases=("methods",))
k_option = partial(option, "2-20 or 2,3,6", default=tuple(range(2, 21)))
swept_set_option = partial(
    option, "a parameter of the methods, or of one: key=value, METHOD.key=value", default={}
)
measures_option = partial(option, "more measures: rfm,…", default=())
attacks_option = partial(option, "attacks: best,…", default=())


def sweep_params_by_method(
    kind: DataKind, names: Sequence[str], params: Mapping[str, object]
) -> dict[str, dict[str, object]]:
    """The parameters of every method named."""
    if not names:
        raise UsageError("--method: name at least one")
    return split_params_by_method(kind.anonymizers, names, params)


def refuse_overwriting_with_results(sources: tuple[str | None, ...], out: str | None) -> None:
    """Fail if a result would replace what was read."""
    if out is not None:
        refuse_overwriting_inputs(sources, tuple(f"{out}/{name}" for name in SWEEP_RESULT_FILES))
