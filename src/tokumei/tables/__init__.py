"""Public names for tables: one row per person, or several rows under a person's identifier.

What `import tokumei as tk` does not have of them: columns and their roles, several methods as one,
an evaluation for the report, hierarchies, the parts of the risk, files larger than memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from tokumei.files.writing import read_link as read_link
    from tokumei.tables.advice.choose_k import choose as choose
    from tokumei.tables.advice.k_choice import Choice as Choice
    from tokumei.tables.anonymization.out_of_core import Roles as Roles
    from tokumei.tables.anonymization.stream import StreamRelease as StreamRelease
    from tokumei.tables.anonymization.stream import anonymize_stream as anonymize_stream
    from tokumei.tables.anonymization.stream import save_stream as save_stream
    from tokumei.tables.anonymizers.conditions import parse_condition as parse_condition
    from tokumei.tables.anonymizers.protocol import Pipeline as Pipeline
    from tokumei.tables.anonymizers.protocol import Step as Step
    from tokumei.tables.anonymizers.protocol import TableMethod as TableMethod
    from tokumei.tables.audit.attacks.membership_attack import MembershipAttack as MembershipAttack
    from tokumei.tables.audit.attacks.membership_attack import (
        membership_attacks as membership_attacks,
    )
    from tokumei.tables.audit.audit import Audit as Audit
    from tokumei.tables.audit.member_control_alignment import split_people as split_people
    from tokumei.tables.data.schema import Column as Column
    from tokumei.tables.data.schema import ColumnKind as ColumnKind
    from tokumei.tables.data.schema import Role as Role
    from tokumei.tables.data.schema import Schema as Schema
    from tokumei.tables.evaluation import Evaluation as Evaluation
    from tokumei.tables.evaluation import evaluate as evaluate
    from tokumei.tables.hierarchies.builtin import builtin_hierarchy as builtin_hierarchy
    from tokumei.tables.hierarchies.choose import choose_hierarchies as choose_hierarchies
    from tokumei.tables.hierarchies.choose import propose_hierarchy as propose_hierarchy
    from tokumei.tables.hierarchies.files import read_hierarchies as read_hierarchies
    from tokumei.tables.hierarchies.files import read_hierarchy as read_hierarchy
    from tokumei.tables.hierarchies.files import write_hierarchy as write_hierarchy
    from tokumei.tables.hierarchies.hierarchy import Hierarchy as Hierarchy
    from tokumei.tables.measures.class_size_counts import SampleClasses as SampleClasses
    from tokumei.tables.measures.decidability import decidability as decidability
    from tokumei.tables.measures.decidability import kept as kept
    from tokumei.tables.measures.population_uniques import population_uniques as population_uniques
    from tokumei.tables.measures.record_risk import journalist as journalist
    from tokumei.tables.measures.record_risk import marketer as marketer
    from tokumei.tables.measures.record_risk import prosecutor as prosecutor
    from tokumei.tables.measures.suda import suda as suda
    from tokumei.tables.measures.uniqueness import identifying_columns as identifying_columns
    from tokumei.tables.measures.uniqueness import uniqueness as uniqueness
    from tokumei.tables.recommendation_rule_trials import rule_trial as rule_trial
    from tokumei.tables.recommendation_rules.leaf_boxes import leaf_rules as leaf_rules
    from tokumei.tables.recommendation_rules.mining import mine as mine
    from tokumei.tables.recommendation_rules.rules_file import read_rules as read_rules
    from tokumei.tables.risk.risk import Risk as Risk
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)
