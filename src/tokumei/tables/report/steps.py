"""What was done to the data, and what is promised of it, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokumei.core.claims import CheckedClaim
from tokumei.core.release import Claim
from tokumei.core.text import Text
from tokumei.report.figures import percent, plain
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.registry import anonymizers

FAULTS_LISTED = 3


@dataclass(frozen=True)
class Promise:
    """A claim in words, and the violations that recomputing it found."""

    text: Text
    faults: tuple[Text, ...]
    more: int

    @property
    def holds(self) -> bool:
        """Whether the claim was verified."""
        return not self.faults


def method_title(method: str) -> Text:
    """A method's short name for people; its registered name when there is none."""
    if method not in anonymizers.names():
        return Text(method, method)
    title: Text = getattr(anonymizers.get(method), "title", Text(method, method))
    return title


def step_words(step: Mapping[str, Any]) -> Text:
    """One step with its parameters, as a sentence."""
    method = str(step.get("method", "?"))
    params = {key: value for key, value in step.items() if key != "method"}
    try:
        return _SENTENCES[method](params)
    except (KeyError, TypeError, ValueError):
        return _listed(method, params)


def promises(evaluation: Evaluation) -> list[Promise]:
    """Every claim of the release with what verification found."""
    return [_promise(checked) for checked in evaluation.checks]


def claim_words(claim: Claim) -> Text:
    """A claim as a sentence."""
    params = claim.params
    columns = _columns(params.get("columns", ()))
    if claim.rule == "k-anonymity":
        k = params["k"]
        return Text(
            f"every combination of {columns.en} occurs at least {k} times",
            f"{columns.ja}の組み合わせは、どれも {k} 行以上ある",
        )
    if claim.rule == "l-diversity":
        return Text(
            f"every class shows at least {params['l']} different sensitive values",
            f"どのクラスにも機密属性の値が {params['l']} 種以上ある",
        )
    if claim.rule == "constant":
        return Text(f"{columns.en}: one value only", f"{columns.ja}の値は 1 種だけ")
    if claim.rule == "no-identifiers":
        return Text("no identifier is left", "識別子が残っていない")
    return _listed(claim.rule, params)


def _promise(checked: CheckedClaim) -> Promise:
    shown = tuple(fault.message for fault in checked.faults[:FAULTS_LISTED])
    return Promise(claim_words(checked.claim), shown, len(checked.faults) - len(shown))


def _mondrian(params: Mapping[str, Any]) -> Text:
    k = params["k"]
    return Text(
        f"Generalize the quasi-identifiers until every combination occurs at least {k} times "
        "(Mondrian)",
        f"準識別子のどの組み合わせも {k} 行以上になるまで一般化（Mondrian）",
    )


def _noise(params: Mapping[str, Any]) -> Text:
    kind = {
        "laplace": Text("Laplace", "ラプラス"),
        "normal": Text("normal", "正規"),
        "uniform": Text("uniform", "一様"),
    }[params["distribution"]]
    scale = float(params["scale"])
    size = Text(plain(scale), plain(scale))
    if params["unit"] == "sd":
        size = Text(f"{percent(scale)} of a standard deviation", f"標準偏差の {percent(scale)}")
    where = _columns(params["columns"], Text("every sensitive column", "すべての機密属性"))
    return Text(
        f"Add {kind.en} noise of {size.en} to {where.en}",
        f"{where.ja}に{kind.ja}ノイズ（大きさは{size.ja}）を加える",
    )


def _yamaoka(params: Mapping[str, Any]) -> Text:
    share = percent(float(params["share"]))
    return Text(
        f"Permute who is who for {share} of the rows; the values stay as they are",
        f"{share} の行について「誰の行か」だけを入れ替える（値はそのまま）",
    )


def _unify(params: Mapping[str, Any]) -> Text:
    where = _columns(
        params["columns"],
        Text("every quasi-identifier after the sixth", "7 番目以降のすべての準識別子"),
    )
    to = Text("the most frequent value", "最も多い値")
    if params["value"] is not None:
        to = Text(f"“{params['value']}”", f"「{params['value']}」")
    return Text(f"Set {where.en} to {to.en}", f"{where.ja}を{to.ja}にそろえる")


def _microaggregate(params: Mapping[str, Any]) -> Text:
    if params["groups"] == "mdav":
        k = params["k"]
        return Text(
            f"Replace sensitive values by the mean of {k} or more similar rows (MDAV)",
            f"機密属性を、似た {k} 行以上の平均値に置き換える（MDAV）",
        )
    return Text(
        "Replace sensitive values by the mean of the rows with the same quasi-identifiers",
        "機密属性を、準識別子が同じ行の平均値に置き換える",
    )


def _swap(params: Mapping[str, Any]) -> Text:
    return Text(
        "Shuffle each sensitive column among the rows with the same quasi-identifiers",
        "準識別子が同じ行の中で、機密属性を列ごとに入れ替える",
    )


def _delete(params: Mapping[str, Any]) -> Text:
    share = percent(float(params["share"]))
    if params["choose"] == "exposed":
        return Text(
            f"Delete the most exposed {share} of the rows", f"目立つ行から順に {share} を削除"
        )
    return Text(f"Delete {share} of the rows at random", f"無作為に選んだ {share} の行を削除")


def _columns(names: Sequence[str], otherwise: Text | None = None) -> Text:
    """Names joined, or counted when there are many."""
    if not names and otherwise:
        return otherwise
    if len(names) > 4:
        return Text(f"{len(names)} columns", f"{len(names)} 列")
    return Text(", ".join(names), "".join(f"「{name}」" for name in names))


def _listed(name: str, params: Mapping[str, Any]) -> Text:
    shown = ", ".join(f"{key} = {value}" for key, value in params.items())
    return Text(f"{name} ({shown})", f"{name}({shown})") if shown else Text(name, name)


_SENTENCES: Mapping[str, Callable[[Mapping[str, Any]], Text]] = {
    "mondrian": _mondrian,
    "noise": _noise,
    "yamaoka": _yamaoka,
    "unify": _unify,
    "microaggregate": _microaggregate,
    "swap": _swap,
    "delete": _delete,
}
