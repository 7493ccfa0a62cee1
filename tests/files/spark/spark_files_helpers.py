"""What the tests split from test_spark_files share."""

from __future__ import annotations

LINES = [
    'number,text,real,day,"a ""b"", c",mixed,long',
    "1,x,1.5,2024-01-02,,1,12345678901234567890",
    '-2," y ",.50,2024-02-29,"",1.0,1',
    ',"say ""hi""",1e3,,z,x,',
    "1,,1.50,2024-01-02,,1,12345678901234567890",
]


def csv_file(tmp_path, lines=LINES, name="t.csv", end="\n"):
    path = tmp_path / name
    path.write_bytes("".join(line + end for line in lines).encode())
    return path
