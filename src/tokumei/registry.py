"""Methods found by name: built-in ones, and those other packages offer through entry points.

    anonymizers.build("noise", {"scale": 0.1})
    anonymizers.names()

A third party adds its own in its pyproject.toml:

    [project.entry-points."tokumei.anonymizers"]
    my-method = "my_package:MyMethod"

Nothing is imported before it is asked for, so that the command line starts fast.
"""

from __future__ import annotations

import dataclasses
import reprlib
from collections.abc import Mapping
from functools import cached_property
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Generic, TypeVar, cast

from tokumei.errors import UnknownNameError, UsageError
from tokumei.text import Text

T = TypeVar("T")


class Registry(Generic[T]):
    """Names of one kind of object, each leading to a frozen dataclass of parameters."""

    def __init__(self, group: str, what: Text, builtin: Mapping[str, str]) -> None:
        self.group = group
        self.what = what
        self._targets = dict(builtin)
        self._added: dict[str, type[T]] = {}

    def names(self) -> list[str]:
        """All known names, built-in ones first."""
        return list(dict.fromkeys([*self._targets, *self._added, *self._foreign]))

    def add(self, name: str, kind: type[T]) -> None:
        """Register `kind` under `name` for this process."""
        if name in self._targets:
            raise UsageError(
                Text(
                    f"the built-in {self.what.en} '{name}' cannot be replaced",
                    f"組み込みの{self.what.ja} '{name}' は置き換えられません",
                )
            )
        self._added[name] = kind

    def get(self, name: str) -> type[T]:
        """The class behind `name`."""
        if name in self._added:
            return self._added[name]
        if name in self._targets:
            module, _, attribute = self._targets[name].partition(":")
            return cast("type[T]", getattr(import_module(module), attribute))
        if name in self._foreign:
            return cast("type[T]", self._foreign[name].load())
        raise UnknownNameError(self.what, name, self.names())

    def build(self, name: str, params: Mapping[str, Any] | None = None, *, where: str = "") -> T:
        """An object of the class behind `name`, its parameters checked by type."""
        return build_params(self.get(name), dict(params or {}), where=where or name)

    @cached_property
    def _foreign(self) -> dict[str, Any]:
        return {point.name: point for point in entry_points(group=self.group)}


def build_params(kind: type[T], params: dict[str, Any], *, where: str) -> T:
    """Make a frozen parameter object from untyped values (YAML, command line)."""
    from pydantic import TypeAdapter, ValidationError

    fields = [f.name for f in dataclasses.fields(cast(Any, kind)) if f.init]
    for key in params:
        if key not in fields:
            raise UnknownNameError(Text("parameter", "パラメータ"), key, fields, where=where)
    lacking = [name for name in required_params(kind) if name not in params]
    if lacking:
        raise UsageError(
            Text(
                f"{where}: parameter '{lacking[0]}' is needed",
                f"{where}: パラメータ '{lacking[0]}' が必要です",
            )
        )
    try:
        return TypeAdapter(kind).validate_python(params)
    except ValidationError as err:
        first = err.errors()[0]
        at = ".".join(str(part) for part in first["loc"])
        shown, wrong = reprlib.repr(first.get("input")), first["msg"]
        raise UsageError(
            Text(
                f"{where}: parameter '{at}' is {shown}: {wrong}",
                f"{where}: パラメータ '{at}' の値 {shown} が不正です: {wrong}",
            )
        ) from None


def required_params(kind: type[Any]) -> list[str]:
    """The parameters of a class without which it cannot be built."""
    missing = dataclasses.MISSING
    return [
        field.name
        for field in dataclasses.fields(kind)
        if field.init and field.default is missing and field.default_factory is missing
    ]


anonymizers: Registry[Any] = Registry(
    "tokumei.anonymizers",
    Text("method", "匿名加工手法"),
    {
        "mondrian": "tokumei.anonymizers.mondrian:Mondrian",
        "mondrian-hierarchical": "tokumei.anonymizers.mondrian_hierarchical:HierarchicalMondrian",
        "local": "tokumei.anonymizers.local_recoding:LocalRecodingMethod",
        "flash": "tokumei.anonymizers.full_domain:Flash",
        "datafly": "tokumei.anonymizers.full_domain:Datafly",
        "k-member": "tokumei.anonymizers.local_recoding:KMember",
        "one-pass": "tokumei.anonymizers.local_recoding:OnePass",
        "local-suppression": "tokumei.anonymizers.local_recoding:CellSuppression",
        "auto": "tokumei.anonymizers.auto:Auto",
        "noise": "tokumei.anonymizers.noise:Noise",
        "yamaoka": "tokumei.anonymizers.yamaoka:Yamaoka",
        "unify": "tokumei.anonymizers.unify:Unify",
        "microaggregate": "tokumei.anonymizers.microaggregate:Microaggregate",
        "swap": "tokumei.anonymizers.swap:Swap",
        "delete": "tokumei.anonymizers.delete:Delete",
    },
)

history_anonymizers: Registry[Any] = Registry(
    "tokumei.history_anonymizers",
    Text("method for histories", "履歴の匿名加工手法"),
    {
        "rank-match": "tokumei.anonymizers.history.rank_match:RankMatch",
        "aligned": "tokumei.anonymizers.history.aligned:Aligned",
    },
)

attackers: Registry[Any] = Registry(
    "tokumei.attackers",
    Text("attack", "攻撃手法"),
    {
        "E1": "tokumei.attackers.rand:Rand",
        "E2": "tokumei.attackers.sa_near:SaNear",
        "E3": "tokumei.attackers.sort:Sort",
        "E4": "tokumei.attackers.sa_only:SaOnly",
        "EUC1": "tokumei.attackers.euclid:Euc1",
        "EUC2": "tokumei.attackers.euclid:Euc2",
        "linkage": "tokumei.attackers.linkage:Linkage",
    },
)

history_attackers: Registry[Any] = Registry(
    "tokumei.history_attackers",
    Text("attack on histories", "履歴への攻撃手法"),
    {
        "first": "tokumei.attackers.history.first:First",
        "unique-rows": "tokumei.attackers.history.unique_rows:UniqueRows",
        "item-sets": "tokumei.attackers.history.item_sets:ItemSetOverlap",
        "consistent": "tokumei.attackers.history.consistent:Consistent",
        "best": "tokumei.attackers.history.best:Best",
    },
)

measures: Registry[Any] = Registry(
    "tokumei.measures",
    Text("measure", "指標"),
    {
        "U1": "tokumei.measures.mean_error:MeanError",
        "U2": "tokumei.measures.cross_mean:CrossMean",
        "U3": "tokumei.measures.cross_count:CrossCount",
        "U4": "tokumei.measures.correlation:Correlation",
        "U5": "tokumei.measures.information_loss:InformationLoss",
        "U6": "tokumei.measures.rows_lost:RowsLost",
        "S1": "tokumei.measures.class_size:SmallestClass",
        "S2": "tokumei.measures.class_size:MeanClass",
        "dm": "tokumei.measures.discernibility:Discernibility",
        "c_avg": "tokumei.measures.discernibility:AverageClass",
        "gcp_sets": "tokumei.measures.gcp_sets:GcpSets",
        "rows_kept": "tokumei.measures.rows_lost:RowsKept",
        "ncp": "tokumei.measures.ncp:Ncp",
        "prec": "tokumei.measures.prec:Prec",
        "entropy_loss": "tokumei.measures.entropy_loss:EntropyLoss",
        "kl_divergence": "tokumei.measures.kl_divergence:KlDivergence",
        "query_error": "tokumei.measures.query_error:QueryError",
        "classification": "tokumei.measures.classification:ClassificationAccuracy",
        "highest_risk": "tokumei.measures.record_risk:HighestRisk",
        "records_at_risk": "tokumei.measures.record_risk:RecordsAtRisk",
        "marketer_risk": "tokumei.measures.record_risk:MarketerRisk",
        "sample_uniques": "tokumei.measures.uniqueness:SampleUniques",
        "distinction": "tokumei.measures.uniqueness:Distinction",
        "separation": "tokumei.measures.uniqueness:Separation",
        "suda": "tokumei.measures.suda:SpecialRecords",
        "population_uniques": "tokumei.measures.population_uniques:PopulationUniques",
    },
)

history_measures: Registry[Any] = Registry(
    "tokumei.history_measures",
    Text("measure of histories", "履歴の指標"),
    {
        "customers_kept": "tokumei.measures.history.activity:CustomersKept",
        "rfm": "tokumei.measures.history.rfm:Rfm",
        "rfm_recency": "tokumei.measures.history.rfm:RfmRecency",
        "rfm_frequency": "tokumei.measures.history.rfm:RfmFrequency",
        "rfm_monetary": "tokumei.measures.history.rfm:RfmMonetary",
        "top_items": "tokumei.measures.history.top_items:TopItems",
        "monthly_sales": "tokumei.measures.history.monthly_sales:MonthlySales",
        "monthly_shape": "tokumei.measures.history.monthly_sales:MonthlyShape",
    },
)

period_anonymizers: Registry[Any] = Registry(
    "tokumei.period_anonymizers",
    Text("method for pseudonyms over time", "期間ごとの仮名化手法"),
    {},
)

period_attackers: Registry[Any] = Registry(
    "tokumei.period_attackers",
    Text("attack on pseudonyms over time", "期間ごとの仮名への攻撃手法"),
    {},
)

period_measures: Registry[Any] = Registry(
    "tokumei.period_measures",
    Text("measure of pseudonyms over time", "期間ごとの仮名の指標"),
    {},
)

rules: Registry[Any] = Registry(
    "tokumei.rules",
    Text("rule", "規則"),
    {
        "k-anonymity": "tokumei.verify.k_anonymity:KAnonymity",
        "l-diversity": "tokumei.verify.l_diversity:LDiversity",
        "entropy-l-diversity": "tokumei.verify.entropy_l:EntropyLDiversity",
        "recursive-l-diversity": "tokumei.verify.recursive_l:RecursiveLDiversity",
        "alpha-k": "tokumei.verify.alpha_k:AlphaK",
        "t-closeness": "tokumei.verify.t_closeness:TCloseness",
        "beta-likeness": "tokumei.verify.beta_likeness:BetaLikeness",
        "delta-disclosure": "tokumei.verify.delta_disclosure:DeltaDisclosure",
        "k-per-person": "tokumei.verify.k_per_person:KPerPerson",
        "constant": "tokumei.verify.constant:Constant",
        "no-identifiers": "tokumei.verify.no_identifiers:NoIdentifiers",
        "identical-histories": "tokumei.verify.history.identical_histories:IdenticalHistories",
    },
)

engines: Registry[Any] = Registry(
    "tokumei.engines",
    Text("engine", "エンジン"),
    {"local": "tokumei.engine.local:LocalEngine"},
)
