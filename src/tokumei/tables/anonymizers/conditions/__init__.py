"""Conditions on classes besides their size, tested on counts while a method searches.

    condition = parse_condition("entropy-l=3")
    Guard.of(engine, found, [column]).allowed(class_of)     # one truth value per class

A method asks for many candidate classes at once and never releases one that fails; whether the
release keeps its word is recomputed afterwards by rules that share no code with this.
"""

from tokumei.tables.anonymizers.conditions.condition import Condition as Condition
from tokumei.tables.anonymizers.conditions.condition import parse_condition as parse_condition
