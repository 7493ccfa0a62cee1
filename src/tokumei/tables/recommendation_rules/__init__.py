"""Recommendation rules: whom a recommendation targets.

rules.py             what a rule is: boxes of wanted values, and how one is written
rules_file.py        reading them by file name, YAML or CSV
attribute.py         which leaves of its hierarchy a wanted value means, by name or by order
boxes.py             rules as sets of leaves of the hierarchies, every fault with its line
"""
