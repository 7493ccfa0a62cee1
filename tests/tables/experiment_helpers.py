"""What the tests split from test_experiment share."""

RECIPE = """
title: small
data: {sample: {rows: 300, seed: 5}}
releases:
  - name: A five alike
    steps: [{method: mondrian, k: 5}]
  - name: B+F 平均
    steps: [{method: microaggregate}, {method: noise, scale: 0.2}]
  - name: C who
    steps: [{method: yamaoka}]
"""
