"""What a class must fulfil besides its size, tested on counts while a method searches.

    condition = parse_condition("entropy-l=3")
    condition.holds(histograms, sizes, totals)      # one truth value per class

A histogram row has the rows of one class per sensitive value, `totals` those of the release in
all. A method asks for many candidate classes at once and never releases one that fails; whether
the release keeps its word is recomputed afterwards by rules that share no code with this.
"""

from tokumei.tables.anonymizers.conditions.closeness import (
    EqualCloseness,
    HierarchicalCloseness,
    OrderedCloseness,
)
from tokumei.tables.anonymizers.conditions.diversity import Alpha, DistinctL, EntropyL, RecursiveL
from tokumei.tables.anonymizers.conditions.likeness import BasicBeta, Delta, EnhancedBeta
from tokumei.tables.anonymizers.conditions.parse import parse_condition
from tokumei.tables.anonymizers.conditions.protocol import Condition

__all__ = [
    "Alpha",
    "BasicBeta",
    "Condition",
    "Delta",
    "DistinctL",
    "EnhancedBeta",
    "EntropyL",
    "EqualCloseness",
    "HierarchicalCloseness",
    "OrderedCloseness",
    "RecursiveL",
    "parse_condition",
]
