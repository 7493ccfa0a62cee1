"""Random odd tables and histories through the real commands, judged by `independent`.

python -m fuzz --tables 20000 --histories 2000      # from tests/; `make fuzz`
python -m fuzz --only 1234 --keep /tmp/case         # one case again, its files kept
"""
