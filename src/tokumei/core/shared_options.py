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
from tokumei.core.messages import Message
from tokumei.core.registry import is_given, split_params_by_method

SWEEP_RESULT_FILES = ("sweep.csv", "sweep.json", "sweep.svg", "report.html")
T = TypeVar("T")


def refuse_unused_options(beside: str, **options: object) -> None:
    """Fail if an option is given that goes unused beside another: it would look heeded."""
    for name, value in options.items():
        if is_given(value) and value is not False:
            unused = field_name(name)
            raise UsageError(
                f"{beside} does not use {unused}",
                f"{beside} では {unused} を使いません",
                field=name,
            )


def merge_set_params(options: Mapping[str, object], set: Mapping[str, object]) -> dict[str, object]:
    """Parameters from options and from `--set`; fails if one is given in both ways."""
    for name in set:
        if name in options:
            option = f"--{name.replace('_', '-')}"
            raise UsageError(
                f"{option} and --set {name} give the same parameter; leave one of them out",
                f"{option} と --set {name} は同じパラメータです。どちらか一方にしてください",
            )
    return {**options, **set}


def require_option(value: T | None, option: str, why: str) -> T:
    """The value of an option that is needed beside another."""
    if value is None:
        raise UsageError(f"{why} needs {option}", f"{why} には {option} が必要です")
    return value


def refuse_overwriting_inputs(
    sources: Iterable[str | PathLike[str] | None], targets: Iterable[str | PathLike[str] | None]
) -> None:
    """Fail if a file to write is a file that was read."""
    read = {Path(source).resolve() for source in sources if source is not None}
    for target in targets:
        if target is not None and Path(target).resolve() in read:
            raise UsageError(
                f"{target} would replace the original; choose another file",
                f"{target} は元のデータを上書きします。別のファイルにしてください",
            )


def require_suffix(out: str | None, *endings: str) -> None:
    """Fail unless a file to write is called so."""
    if out is not None and Path(out).suffix.lower() not in endings:
        raise UsageError(
            f"{out}: the name must end in {' or '.join(endings)}",
            f"{out}: 名前は {' か '.join(endings)} で終わらなければなりません",
        )


def require_share(value: float | None, field: str) -> None:
    """Fail unless a share, if one is given, is above 0 and at most 1."""
    if value is not None and not 0 < value <= 1:
        option = field_name(field)
        raise UsageError(
            f"{option} is a share above 0, up to 1 (0.1 for 10 %), not {value:g}",
            f"{option} は 0 より大きく 1 以下の割合です (10 % なら 0.1)。{value:g} は使えません",
            field=field,
            value=value,
        )


seed_option = partial(
    option,
    "repeat the same draws (default: random, from the operating system)",
    "再現可能にする (既定は OS の乱数)",
    default=None,
    least=0,
)
key_option = partial(
    option,
    "repeat the same draws, for publication: a file made by `tokumei key`",
    "同じ乱数を再現する (公開用): `tokumei key` で作った鍵ファイル",
    default=None,
)
encoding_option = partial(
    option,
    "text encoding, e.g. cp932 (default: detected)",
    "文字コード (例 cp932。既定は自動判別)",
    default="auto",
)
sep_option = partial(
    option, "separator (default: detected)", "区切り文字 (既定は自動判別)", default=None
)
set_option = partial(
    option, "any parameter of the method: key=value", "手法のパラメータ: key=value", default={}
)
"""Parameters of methods that no option of their own sets."""
cluster_option = partial(
    option,
    "spark: the cluster, e.g. spark://host:7077, yarn, local[*]",
    "spark: クラスター (例 spark://host:7077、yarn、local[*])",
    default=None,
    aliases=("master",),
)
"""The Spark cluster; `--master` is what Spark calls it."""
engine_option = partial(
    option,
    "where the rows are: local; stream: on disk (automatic if memory is too small); spark: on "
    "a cluster (see --cluster)",
    "行の置き場所: local、stream (ディスク。メモリが足りなければ自動)、"
    "spark (クラスター。--cluster 参照)",
    default="local",
)
out_folder_option = partial(option, "folder for the results", "結果のフォルダ", default=None)


def refuse_engine_options(engine: str, **options: object) -> None:
    """Fail if an option was given that an engine does not use."""
    refuse_unused_options(f"--engine {engine}", **options)


def require_spark_engine(engine: str, **options: object) -> None:
    """Fail if an option was given that only a cluster uses."""
    for name, value in options.items():
        if value is not None and engine != "spark":
            is_cluster = name == "cluster"
            raise UsageError(
                f"--{name} needs --engine spark" + " (older name: --master)" * is_cluster,
                f"--{name} には --engine spark が必要です" + " (旧名 --master)" * is_cluster,
            )


def publish_result(public: str, secret: str, figures: Mapping[str, object]) -> CommandResult:
    """The result of `publish` in any format: paths and counts of the files."""
    rows, people = figures["rows"], figures["people"]
    written_note = Message(
        f"{public}: {rows:,} rows of {people:,} people", f"{public}: {people:,} 人の {rows:,} 行"
    )
    return CommandResult({"public": public, "secret": secret, **figures}, notes=[written_note])


original_option = partial(option, "the original table X (or history T)", "元の表 X (履歴 T)")
release_option = partial(option, "the release Y (or A)", "匿名加工データ Y (A)")
"""The release; of a history, row by row as the original."""
public_option = partial(option, "histories: the public file", "履歴: 公開ファイル", default=None)
guess_option = partial(
    option,
    "lines pid,cid; pseudonyms over time: lines cid,p1,…,pL",
    "pid,cid の行。期間ごとの仮名では cid,p1,…,pL の行",
)
data_option = partial(option, "the history", "履歴")
"""A history, for commands that read nothing else."""
swept_methods_option = partial(
    option, "the method, or several: a,b", "手法 (複数可: a,b)", aliases=("methods",)
)
k_option = partial(option, "2-20 or 2,3,6", "2-20 や 2,3,6", default=tuple(range(2, 21)))
swept_set_option = partial(
    option,
    "a parameter of the methods, or of one: key=value, METHOD.key=value",
    "手法のパラメータ: key=value、手法.key=value",
    default={},
)
measures_option = partial(option, "more measures: rfm,…", "ほかの指標: rfm,…", default=())
attacks_option = partial(option, "attacks: best,…", "攻撃: best,…", default=())


def sweep_params_by_method(
    kind: DataKind, names: Sequence[str], params: Mapping[str, object]
) -> dict[str, dict[str, object]]:
    """The parameters of every method named."""
    if not names:
        raise UsageError("--method: name at least one", "--method: 手法を指定してください")
    return split_params_by_method(kind.anonymizers, names, params)


def refuse_overwriting_with_results(sources: tuple[str | None, ...], out: str | None) -> None:
    """Fail if a result would replace what was read."""
    if out is not None:
        refuse_overwriting_inputs(sources, tuple(f"{out}/{name}" for name in SWEEP_RESULT_FILES))
