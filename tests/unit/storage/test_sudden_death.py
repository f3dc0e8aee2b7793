"""A killed process loses nothing that it had acknowledged, and keeps nothing by halves."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from backend.storage.database import Database

WRITER = """
import sys
from pathlib import Path
from backend.storage.database import Database

database = Database(Path(sys.argv[1]))
database.execute("CREATE TABLE IF NOT EXISTS t(pair INTEGER, half INTEGER) STRICT")
number = database.execute("SELECT coalesce(max(pair), 0) FROM t")[0][0]
while True:
    number += 1
    with database.transaction():
        database.execute("INSERT INTO t VALUES (?, 1)", (number,))
        database.execute("INSERT INTO t VALUES (?, 2)", (number,))
    print(number, flush=True)
"""


@pytest.mark.parametrize("seed", range(3))
def test_that_a_killed_process_loses_no_acknowledged_row(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = tmp_path / "killed.db"
    acknowledged = 0
    for _ in range(2):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdout is not None
            for _ in range(chance.randint(1, 60)):
                acknowledged = int(writer.stdout.readline())
            writer.kill()
            acknowledged = max([acknowledged, *map(int, writer.stdout.read().split())])
        database = Database(path)
        assert database.integrity_check() == []
        pairs = database.execute("SELECT pair, count(*) FROM t GROUP BY pair ORDER BY pair")
        assert [pair for pair, _ in pairs][:acknowledged] == list(range(1, acknowledged + 1))
        assert {halves for _, halves in pairs} == {2}
        assert len(pairs) <= acknowledged + 1
        acknowledged = len(pairs)
        database.close()
