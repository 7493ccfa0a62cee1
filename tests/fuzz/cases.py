"""A case by its number: an odd table, a method with its models, containers, an engine.

case = make_case(1234)
case.args(folder)           # the command line
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

from fuzz.odd_tables import OddTable, odd_table

RECODERS = ("mondrian", "mondrian-hierarchical", "local", "flash", "datafly", "k-member")
RECODERS += ("one-pass", "local-suppression", "auto")
QUICK = tuple(name for name in RECODERS if name != "auto")
"""All but the one that tries several, which takes ten times as long."""
CHANGERS = ("noise", "yamaoka", "unify", "microaggregate", "swap", "delete")
PIPELINES = ("unify,mondrian", "mondrian,microaggregate", "delete,mondrian", "mondrian,swap")
SOURCES = ("csv", "csv", "csv;", "tsv", "csv.gz", "parquet", "parquet", "xlsx", "pandas")
OUTS = ("csv", "csv", "csv.gz", "tsv", "parquet")
STREAMED = ("csv", "csv;", "tsv", "parquet")
MODELS = ("l=2", "l=3", "t=0.3", "t=0.6", "entropy-l=1.5", "recursive=3,2", "alpha=0.8")
MODELS += ("t-ordered=0.4", "beta=2", "enhanced-beta=2", "delta=1.5", "t-hierarchical=0.5")
MODELS += ("highest-risk=0.3", "average-risk=0.3", "records-at-risk=0.3,0.4")


@dataclass
class Case:
    """What is done to which table, and where its files are."""

    number: int
    table: OddTable
    source: str
    engine: str
    out: str
    method: str
    params: dict[str, Any] = field(default_factory=dict)
    models: list[str] = field(default_factory=list)
    hierarchies: bool = False
    keep_order: bool = False
    seed: int | None = None

    @property
    def sep(self) -> str:
        """The separator of the source, which is the release's too; one column shows none."""
        if len(self.table.columns) == 1 and self.source == "csv;":
            return ","
        return {"csv;": ";", "tsv": "\t"}.get(self.source, ",")

    @property
    def recodes(self) -> bool:
        return self.method in RECODERS

    def data(self, folder: Path) -> Path:
        return folder / f"source.{self.source.rstrip(';')}"

    def public(self, folder: Path) -> Path:
        return folder / f"public.{self.out}"

    def secret(self, folder: Path) -> Path:
        return folder / "link.csv"

    def write_source(self, folder: Path) -> None:
        """The source in its container; hierarchies beside it."""
        if self.source == "csv.gz":
            import gzip

            plain = folder / "source.csv"
            self.table.write(plain)
            self.data(folder).write_bytes(gzip.compress(plain.read_bytes(), mtime=0))
        elif self.source != "pandas":
            self.table.write(self.data(folder), self.sep)
        for name in self._in_hierarchies():
            (folder / f"h_{name}.csv").write_text(self._hierarchy(name), encoding="utf-8")

    def args(self, folder: Path) -> list[str]:
        """The command line."""
        table, args = self.table, ["anonymize", "table", "--data", str(self.data(folder))]
        args += ["--qi", ",".join(table.qi), "--method", self.method, "--engine", self.engine]
        args += ["--out", str(self.public(folder)), "--secret", str(self.secret(folder)), "--json"]
        if table.sa:
            args += ["--sa", ",".join(table.sa)]
        if table.ids:
            args += ["--id", ",".join(table.ids)]
        args += ["--person", self._require_person_column] if self._require_person_column else []
        args += ["--qi-anyway", _listed(table.qi), "--pass", _listed(self._passed)]
        args += ["--no-normalize", "all"] if self._as_they_are else []
        for model in self.models:
            args += ["--model", model] if not model.startswith("l=") else ["--l", model[2:]]
        for name, value in self.params.items():
            args += [f"--{name}", str(value)] if name == "k" else ["--set", f"{name}={value}"]
        args += ["--hierarchies", str(folder / "h_{column}.csv")] if self.hierarchies else []
        args += ["--keep-order"] if self.keep_order else []
        args += ["--seed", str(self.seed)] if self.seed is not None else []
        return args

    def ask(self, folder: Path) -> Any:
        """What the command line makes of `args`, without its parser, which takes half the time."""
        from tokumei.tables.commands.anonymize import AnonymizeTable

        table, params = self.table, dict(self.params)
        return AnonymizeTable(
            data=str(self.data(folder)),
            out=str(self.public(folder)),
            secret=str(self.secret(folder)),
            method=tuple(self.method.split(",")),
            engine=self.engine,
            qi=tuple(table.qi),
            sa=tuple(table.sa) or None,
            id=tuple(table.ids) or None,
            person=self._require_person_column or None,
            passed=tuple(self._passed),
            qi_anyway=tuple(table.qi),
            no_normalize=self._as_they_are,
            k=params.pop("k", None),
            model=list(self.models),
            set={name: _read(value) for name, value in params.items()},
            hierarchies=str(folder / "h_{column}.csv") if self.hierarchies else None,
            keep_order=self.keep_order,
            seed=self.seed,
        )

    def check(self, folder: Path) -> Any:
        """A check of the release, whoever made it."""
        from tokumei.tables.commands.check import CheckTable

        return CheckTable(
            release=str(self.public(folder)),
            qi=tuple(self.table.qi),
            sa=tuple(self.table.sa) if self.models else (),
            k=self.params["k"],
            model=list(self.models),
            hierarchies=str(folder / "h_{column}.csv") if self.hierarchies else None,
            engine=self.engine,
            # A name may hold another separator than the file's.
            sep=None if self.out in ("tsv", "parquet") else self.sep,
        )

    def release_frame(self, folder: Path) -> None:
        """The same without a file: a pandas frame through the library."""
        import tokumei as tk

        table = self.table
        roles: dict[str, Any] = {"qi": table.qi, "ids": list(table.ids), "seed": self.seed}
        roles["sa"] = [] if self.models else table.sa
        params = dict(self.params)
        if self.models:
            params |= {"conditions": tuple(self.models), "sensitive": tuple(table.sa)}
        if self._require_person_column:
            params["person"] = self._require_person_column
        roles |= {"passed": self._passed, "qi_anyway": table.qi}
        roles["no_normalize"] = self._as_they_are
        if self.hierarchies:
            params["hierarchies"] = str(folder / "h_{column}.csv")
        frame = table.pandas()
        release = tk.anonymize(frame, self.method, keep_order=self.keep_order, **roles, **params)
        tk.save(release, self.public(folder), secret=self.secret(folder), sep=self.sep)

    @property
    def _passed(self) -> list[str]:
        """Odd cells look like anything: here every column may leave."""
        kept = [*self.table.sa, *self.table.others]
        return [
            name
            for name in self.table.columns
            if name in kept and name != self._require_person_column
        ]

    @property
    def _require_person_column(self) -> str:
        """Whoever is counted; odd cells that repeat are nobody's numbers."""
        return (self.table.person if self.table.person and self.recodes else "") or "none"

    @property
    def _as_they_are(self) -> tuple[str, ...]:
        """Normalizing a sensitive column changes its cells, on purpose and with a note."""
        cells = (cell for name in self.table.sa for cell in self.table.columns[name])
        normal = any(isinstance(cell, str) for cell in cells)
        return ("all",) if normal and self.engine == "local" else ()

    def _value_leaves(self, name: str) -> list[str]:
        """The texts of a column as its container has them: a Parquet file fixes their digits."""
        values = self.table.columns[name]
        if self.source == "parquet" and {type(one) for one in values} - {type(None)} == {Decimal}:
            return ["" if one is None else f"{one:.6f}" for one in values]
        return self.table.texts(name)

    def _in_hierarchies(self) -> list[str]:
        table = self.table
        return [*table.qi, *(table.sa if self.models else [])] if self.hierarchies else []

    def _hierarchy(self, name: str) -> str:
        """Every text of the column under one of two nodes, under `*`."""
        import csv
        import io

        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter=";", lineterminator="\n")
        leaves = sorted(set(self._value_leaves(name)))
        keys = sorted({_key(leaf) for leaf in leaves})
        for leaf in leaves:
            writer.writerow([leaf, f"group {keys.index(_key(leaf)) % 2}", "*"])
        return text.getvalue()


def _key(leaf: str) -> str:
    """The same for equal numbers, which must not lie under two nodes."""
    try:
        return str(float(leaf) + 0.0)
    except ValueError:
        return leaf


def make_case(number: int) -> Case:
    """The case of this number, always the same."""
    rng = Random(f"table {number}")
    shape = rng.random()
    method = rng.choice(QUICK if shape < 0.7 else CHANGERS if shape < 0.93 else PIPELINES)
    method = "auto" if rng.random() < 0.02 else method
    recodes = method in RECODERS
    models = rng.sample(MODELS, rng.choice((0, 0, 1, 1, 2))) if recodes else []
    table = odd_table(rng, numbers=not models)
    if models and not table.sa:
        models = []
    case = Case(number, table, rng.choice(SOURCES), "local", rng.choice(OUTS), method)
    case.models = models
    case.params = _params(rng, case)
    needs = any(model.startswith("t-hierarchical") for model in models)
    plain = all("/" not in name for name in table.columns)
    case.hierarchies = recodes and method != "mondrian" and plain and (needs or rng.random() < 0.3)
    if needs and not case.hierarchies:
        case.models = [model for model in models if not model.startswith("t-hierarchical")]
    case.keep_order = rng.random() < 0.1
    case.seed = rng.randrange(1000) if rng.random() < 0.5 else None
    if recodes and case.source in STREAMED and rng.random() < 0.35:
        case.engine, case.out = "stream", rng.choice(("csv", "tsv"))
    if case.out == "csv.gz" and number % 2:
        case.out = "xlsx"
    if table.person and not recodes:
        table.ids = [*table.ids, table.person]
    return case


def _params(rng: Random, case: Case) -> dict[str, Any]:
    k = rng.choice((2, 2, 3, 5))
    method = case.method
    if method in RECODERS:
        params: dict[str, Any] = {"k": k}
        if method in ("flash", "datafly", "local", "auto") and rng.random() < 0.3:
            params["suppression"] = 0.2
        if method == "auto":
            params["seconds"] = 0.2
        if method == "mondrian" and rng.random() < 0.3:
            params["cut"] = rng.choice(("median", "relaxed"))
        return params
    if method == "unify":
        return {"columns": f"[{_quoted(rng.choice(case.table.qi))}]"}
    if method == "microaggregate":
        return {"groups": rng.choice(("qi", "mdav"))}
    if method == "noise":
        return {"distribution": rng.choice(("laplace", "gaussian", "uniform"))}
    if method == "delete":
        return {"choose": rng.choice(("random", "exposed")), "share": 0.2}
    if "," in method:
        params = {"mondrian.k": k}
        if "unify" in method:
            params["unify.columns"] = f"[{_quoted(case.table.qi[0])}]"
        return params
    return {}


def _read(value: Any) -> Any:
    """A parameter as the command line reads it."""
    import yaml

    return yaml.safe_load(value) if isinstance(value, str) else value


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '\\"') + '"'


def _listed(names: list[str]) -> str:
    """Names for an option, quoted as in CSV."""
    return ",".join('"' + name.replace('"', '""') + '"' for name in names)
