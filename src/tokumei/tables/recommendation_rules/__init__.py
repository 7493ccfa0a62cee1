"""Recommendation rules: whom a recommendation targets.

rule_model.py        a rule: boxes of wanted values, and their notation
rules_file.py        reads rules from a YAML or CSV file
attribute_leaves.py  the leaves of a hierarchy that a wanted value means, by name or by order
leaf_boxes.py        rules as sets of leaves of the hierarchies; violations name their lines
mining.py            mines rules: who buys what more often than chance
"""
