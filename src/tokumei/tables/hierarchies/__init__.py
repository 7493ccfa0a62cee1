"""Hierarchies: generalizations of each value of a column, level by level, up to `*`.

hierarchy.py    what a hierarchy is: leaves, levels, ancestors, widths; leaves.py: finding them
rows.py         levels as they are written, before anybody checked them, and what is odd in them
checks.py       what is wrong with them, every fault with its line
files.py        reading and writing by file name, ARX's CSV; nested_yaml.py: YAML
values.py       the values of a column; intervals.py, dates.py, merging.py: hierarchies made of them
choose.py       the one of these that suits a column, or as a recipe names them
builtin.py      occupation, prefecture, sex, age, birth date, height
outline.py      a hierarchy as lines that a person can take in
"""
