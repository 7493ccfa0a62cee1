"""Recommendation rules: whom a recommendation is meant for.

rules.py             what a rule is: boxes of wanted values
rules_file.py        reading them by file name: rules_yaml.py, rules_csv.py (faults: rule_faults.py)
attribute.py         which leaves of its hierarchy a wanted value means
wanted_text.py       one wanted value as it is written: a name, a set, a range, `<=170`
boxes.py             rules as sets of leaves of the hierarchies, every fault with its line
leaf_order.py        where the leaves of a hierarchy lie, if they are numbers or dates
"""
