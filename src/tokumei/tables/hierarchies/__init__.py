"""Hierarchies: each value of a column and what it becomes, step by step, up to `*`.

hierarchy.py    what a hierarchy is: leaves, levels, ancestors, widths
rows.py         levels as they are written, before anybody checked them
checks.py       what is wrong with them, every fault with its line; oddities.py: what is odd
files.py        reading and writing by file name: arx_csv.py, nested_yaml.py
intervals.py, dates.py, prefix.py, merging.py    hierarchies made from the values of a column
propose.py      the one of these that suits a column
builtin.py      occupation, prefecture, sex, age, birth date, height
outline.py      a hierarchy as lines that a person can take in
"""
