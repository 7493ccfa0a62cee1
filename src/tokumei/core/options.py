"""Options that commands of several kinds share, said once.

encoding: str = encoding_option()
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tokumei.core.answer import Answer
from tokumei.core.ask import option
from tokumei.core.errors import UsageError
from tokumei.core.text import Text

MOST_VALUES = 1000


def split(names: str) -> tuple[str, ...]:
    """`a,b,c` as names, each once."""
    return tuple(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))


def pairs(given: list[str] | tuple[str, ...], where: str = "") -> dict[str, str]:
    """`key=value` texts as a mapping."""
    found: dict[str, str] = {}
    at = f"{where} " if where else ""
    for pair in given:
        key, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(
                Text(
                    f"{at}needs key=value, not '{pair}'",
                    f"{at}は key=value と書いてください ('{pair}')",
                )
            )
        found[key.strip()] = value.strip()
    return found


def numbers(given: str, where: str) -> tuple[int, ...]:
    """`2-20`, `2,3,6` or a mixture as whole numbers, each once, in the order given."""
    found: dict[int, None] = {}
    for part in split(given):
        low, dash, high = part.partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()):
            raise UsageError(
                Text(
                    f"{where} {given}: write 2-20 or 2,3,6",
                    f"{where} {given}: 2-20 や 2,3,6 と書いてください",
                )
            )
        if int(high or low) - int(low) >= MOST_VALUES:
            raise UsageError(
                Text(
                    f"{where} {given}: at most {MOST_VALUES:,} values",
                    f"{where} {given}: {MOST_VALUES:,} 個までです",
                )
            )
        found |= dict.fromkeys(range(int(low), int(high or low) + 1))
    if not found:
        raise UsageError(
            Text(f"{where} {given}: name at least one value", f"{where} {given}: 値がありません")
        )
    return tuple(found)


def spare_sources(sources: Iterable[str | None], targets: Iterable[str | None]) -> None:
    """Fail if a file to write is a file that was read."""
    read = {Path(source).resolve() for source in sources if source is not None}
    for target in targets:
        if target is not None and Path(target).resolve() in read:
            raise UsageError(
                Text(
                    f"{target} would replace the original; choose another file",
                    f"{target} は元のデータを上書きします。別のファイルにしてください",
                )
            )


def seed_option() -> Any:
    """The seed of whatever is drawn."""
    return option(
        "make it reproducible (default: the operating system's randomness)",
        "再現可能にする (既定は OS の乱数)",
        default=None,
        least=0,
    )


def encoding_option() -> Any:
    """The encoding of text files."""
    return option(
        "text encoding, e.g. cp932 (default: detected)",
        "文字コード (例 cp932。既定は自動判別)",
        default="auto",
    )


def sep_option() -> Any:
    """The separator of a CSV file."""
    return option("separator (default: detected)", "区切り文字 (既定は自動判別)", default=None)


def set_option() -> Any:
    """Parameters of methods that no option of their own sets."""
    return option(
        "any parameter of the method: key=value", "手法のパラメータ: key=value", default={}
    )


def cluster_option() -> Any:
    """The Spark cluster; `--master` is what Spark calls it."""
    return option(
        "spark: the cluster, e.g. spark://host:7077, yarn, local[*]",
        "spark: クラスター (例 spark://host:7077、yarn、local[*])",
        default=None,
        aliases=("master",),
    )


def refuse_with(engine: str, **options: Any) -> None:
    """Fail if an option was given that an engine does not use."""
    for name, value in options.items():
        if value not in (None, (), {}, []):
            raise UsageError(
                Text(
                    f"--engine {engine} does not use --{name}",
                    f"--engine {engine} では --{name} を使いません",
                )
            )


def require_engine(needed: str, engine: str, **options: Any) -> None:
    """Fail if an option was given that only another engine uses."""
    for name, value in options.items():
        if value is not None and engine != needed:
            raise UsageError(
                Text(
                    f"--{name} needs --engine {needed}",
                    f"--{name} には --engine {needed} が必要です",
                )
            )


def published(public: str, secret: str, made: Mapping[str, Any]) -> Answer:
    """What `publish` says of the files it wrote, whatever their format."""
    rows, people = made["rows"], made["people"]
    told = Text(
        f"{public}: {rows:,} rows of {people:,} people", f"{public}: {people:,} 人の {rows:,} 行"
    )
    return Answer({"public": public, "secret": secret, **made}, notes=[told])
