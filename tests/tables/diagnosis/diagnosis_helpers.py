"""What the tests split from test_diagnosis share."""

from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.delete_rows import Delete
from tokumei.tables.anonymizers.microaggregate import Microaggregate
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.noise import Noise
from tokumei.tables.anonymizers.protocol import Pipeline
from tokumei.tables.anonymizers.swap import Swap
from tokumei.tables.anonymizers.unify import Unify
from tokumei.tables.anonymizers.yamaoka import Yamaoka
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.datasets.households import sample_table
from tokumei.tables.diagnosis.diagnose import find_evidence

METHODS = {
    "A": Mondrian(k=5),
    "B": Noise(scale=0.1),
    "C": Yamaoka(),
    "D": Unify(columns=("head_age_band",)),
    "E": Unify(columns=("earners",)),
    "F": Microaggregate(),
    "G": Swap(),
    "H": Delete(),
}


def multi_row_classes(seed, rows=1000):
    """Generated households whose QI classes have several rows."""
    full = sample_table(rows, seed=seed)
    qi = [*full.schema.qi[:6], "head_age_band"]
    table = Table.of(full, qi=qi, sa=full.schema.sa)
    return table.drop(table.schema.others)


def found_in(table, methods, seed, **changed):
    chosen = tuple({**METHODS, **changed}[method] for method in methods)
    release = Pipeline(chosen).anonymize(table, rng=Randomness(seed))
    case = Comparison.of(table, release, cross=tuple(table.schema.qi[:6]))
    return {evidence.method for evidence in find_evidence(case)}
