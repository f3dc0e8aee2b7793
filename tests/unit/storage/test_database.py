"""The strict wrapper: each trap of the driver is shown first, then that the wrapper closes it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

import libsql
import pytest

from backend.storage.database import Database
from backend.storage.errors import (
    ConstraintViolation,
    DatabaseClosed,
    DatabaseCorrupt,
    DatabaseLocked,
    DatabaseUnavailable,
    DiskFull,
    ForeignKeyViolation,
    ParameterCountError,
    ReadOnlyDatabase,
    SqlSyntaxError,
    StatementRefused,
    StorageError,
    TransactionLost,
    UniqueViolation,
    UnstorableValue,
    WrongKey,
)


@pytest.fixture
def driver() -> Any:
    """The bare driver in memory, to show what the wrapper prevents."""
    return libsql.connect(":memory:", isolation_level=None)


def test_that_large_integers_stay_exact(driver: Any, bare: Database) -> None:
    large = 2**62 + 1
    assert driver.execute("SELECT ?", (large,)).fetchone()[0] != large

    bare.execute("CREATE TABLE numbers(value INTEGER) STRICT")
    for value in (large, -(2**63), 2**63 - 1, 2**31, -(2**31) - 1, 7):
        bare.execute("INSERT INTO numbers(value) VALUES (?)", (value,))
        assert bare.execute("SELECT value FROM numbers WHERE value = ?", (value,)) == [(value,)]
    moment = 1764460800000
    assert bare.execute("SELECT ?, typeof(?)", (moment, moment)) == [(moment, "integer")]
    assert bare.execute("SELECT json_object('k', ?)", (moment,)) == [('{"k":1764460800000}',)]
    assert bare.execute("SELECT 1 LIMIT ?", (2**40,)) == [(1,)]


def test_that_an_integer_beyond_64_bits_is_refused(bare: Database) -> None:
    with pytest.raises(UnstorableValue):
        bare.execute("SELECT ?", (2**63,))


def test_that_a_casted_place_is_never_one_inside_a_text(bare: Database) -> None:
    rows = bare.execute('SELECT \'?\', ? /* ? */, "a?" FROM (SELECT 1 AS "a?") -- ?', (2**40,))
    assert rows == [("?", 2**40, 1)]


def test_that_returning_runs_once(driver: Any, bare: Database) -> None:
    driver.execute("CREATE TABLE t(a)")
    cursor = driver.execute("INSERT INTO t VALUES (1) RETURNING a")
    cursor.fetchall()
    cursor.fetchall()
    assert driver.execute("SELECT count(*) FROM t").fetchone() == (2,)

    bare.execute("CREATE TABLE t(a)")
    assert bare.execute("INSERT INTO t VALUES (1) RETURNING a") == [(1,)]
    assert bare.execute("SELECT count(*) FROM t") == [(1,)]


def test_that_returning_inside_a_transaction_does_not_block_its_commit(bare: Database) -> None:
    bare.execute("CREATE TABLE t(a)")
    with bare.transaction():
        bare.execute("INSERT INTO t VALUES (1), (2), (3) RETURNING a")
    assert bare.execute("SELECT count(*) FROM t") == [(3,)]


def test_that_nan_is_refused(driver: Any, bare: Database) -> None:
    assert driver.execute("SELECT ?", (float("nan"),)).fetchone() == (None,)
    with pytest.raises(UnstorableValue):
        bare.execute("SELECT ?", (float("nan"),))


def test_that_nul_in_a_text_is_refused_and_kept_in_bytes(driver: Any, bare: Database) -> None:
    assert driver.execute("SELECT ?", ("a\0b",)).fetchone() == ("a",)
    with pytest.raises(UnstorableValue):
        bare.execute("SELECT ?", ("a\0b",))
    with pytest.raises(UnstorableValue):
        bare.script("CREATE TABLE t(a); \0 DROP TABLE t")
    assert bare.execute("SELECT ?", (b"a\0b",)) == [(b"a\0b",)]


def test_that_half_a_surrogate_pair_is_refused(bare: Database) -> None:
    with pytest.raises(UnstorableValue):
        bare.execute("SELECT ?", ("\ud83d",))


@pytest.mark.parametrize("value", [[1], {"a": 1}, object(), bytearray(b"x"), Path("x"), 1j])
def test_that_other_types_are_refused(bare: Database, value: Any) -> None:
    with pytest.raises(UnstorableValue):
        bare.execute("SELECT ?", (value,))


def test_that_plain_values_come_back_as_they_were(bare: Database) -> None:
    class Word(StrEnum):
        HELLO = "hello"

    values = ("Zoë 🎉 王", 1.5, 0, None, b"\x00\xff", "", -5)
    assert bare.execute("SELECT ?, ?, ?, ?, ?, ?, ?", values) == [values]
    assert bare.execute("SELECT ?, ?", (True, Word.HELLO)) == [(1, "hello")]


@pytest.mark.parametrize("params", [(), (1,), (1, 2, 3)])
def test_that_the_parameter_count_is_checked(
    driver: Any, bare: Database, params: tuple[int, ...]
) -> None:
    assert len(driver.execute("SELECT ?, ?", params).fetchone()) == 2
    with pytest.raises(ParameterCountError):
        bare.execute("SELECT ?, ?", params)


@pytest.mark.parametrize("sql", ["SELECT ?1", "SELECT :name", "SELECT @name", "SELECT $name"])
def test_that_named_and_numbered_parameters_are_refused(bare: Database, sql: str) -> None:
    with pytest.raises(StatementRefused):
        bare.execute(sql, (1,))


def test_that_a_second_statement_is_refused(driver: Any, bare: Database) -> None:
    driver.execute("CREATE TABLE t(a)")
    driver.execute("INSERT INTO t VALUES (1); DELETE FROM t")
    assert driver.execute("SELECT count(*) FROM t").fetchone() == (1,)

    with pytest.raises(StatementRefused):
        bare.execute("SELECT 1; SELECT 2")
    assert bare.execute("SELECT ';' ; -- the end; really") == [(";",)]


@pytest.mark.parametrize("sql", ["", "  ", "-- nothing", "/* ; */", ";"])
def test_that_an_empty_statement_is_refused(bare: Database, sql: str) -> None:
    with pytest.raises(StatementRefused):
        bare.execute(sql)


@pytest.mark.parametrize("sql", ["BEGIN", "commit", "/* x */ ROLLBACK", "SAVEPOINT a", "END"])
def test_that_transaction_control_is_refused(bare: Database, sql: str) -> None:
    with pytest.raises(StatementRefused):
        bare.execute(sql)


def test_that_every_error_has_its_class(driver: Any, bare: Database) -> None:
    with pytest.raises(ValueError):
        driver.execute("SELEC 1")
    bare.script(
        "CREATE TABLE parent(id INTEGER PRIMARY KEY, name TEXT UNIQUE CHECK (name <> '')) STRICT;"
        "CREATE TABLE child(parent INTEGER NOT NULL REFERENCES parent(id)) STRICT;"
        "INSERT INTO parent VALUES (1, 'Orla');"
    )
    cases: list[tuple[type[StorageError], str]] = [
        (UniqueViolation, "INSERT INTO parent VALUES (1, 'Tamsin')"),
        (UniqueViolation, "INSERT INTO parent VALUES (2, 'Orla')"),
        (ForeignKeyViolation, "INSERT INTO child VALUES (9)"),
        (ConstraintViolation, "INSERT INTO parent VALUES (3, '')"),
        (ConstraintViolation, "INSERT INTO child VALUES (NULL)"),
        (ConstraintViolation, "INSERT INTO child VALUES ('x')"),
        (SqlSyntaxError, "SELEC 1"),
        (SqlSyntaxError, "SELECT * FROM nowhere"),
        (SqlSyntaxError, "SELECT nothing FROM parent"),
        (SqlSyntaxError, "SELECT no_such_function(1)"),
        (SqlSyntaxError, "CREATE TABLE parent(x)"),
    ]
    for kind, sql in cases:
        with pytest.raises(kind):
            bare.execute(sql)
    assert bare.execute("SELECT count(*) FROM parent") == [(1,)]


def test_that_a_panic_of_the_driver_becomes_an_error(
    bare: Database, capfd: pytest.CaptureFixture[str]
) -> None:
    bare._connection.close()
    with pytest.raises(BaseException) as caught:
        bare._connection.execute("SELECT 1")
    assert not isinstance(caught.value, Exception)  # a plain `except Exception` misses it
    with pytest.raises(StorageError):
        bare.execute("SELECT 1")
    with pytest.raises(StorageError):
        bare.script("SELECT 1")
    bare._connection = None
    capfd.readouterr()  # the driver prints its stack


def test_that_script_errors_are_not_swallowed(driver: Any, bare: Database) -> None:
    script = "CREATE TABLE t(a); INSERT INTO t VALUES (1); SELEC 2; INSERT INTO t VALUES (3);"
    driver.executescript(script)
    assert driver.execute("SELECT count(*) FROM t").fetchone() == (1,)

    with pytest.raises(SqlSyntaxError):
        bare.script(script)
    assert bare.execute("SELECT count(*) FROM sqlite_master") == [(0,)]


def test_that_writes_behind_odd_beginnings_stay_in_the_transaction(bare: Database) -> None:
    bare.execute("CREATE TABLE t(a INTEGER PRIMARY KEY)")

    @bare.transaction()
    def write_and_change_my_mind() -> None:
        bare.execute("REPLACE INTO t VALUES (1)")
        bare.execute("WITH n(x) AS (SELECT 2) INSERT INTO t SELECT x FROM n")
        bare.execute("/* why */ INSERT INTO t VALUES (3)")
        raise RuntimeError("changed my mind")

    with pytest.raises(RuntimeError):
        write_and_change_my_mind()
    assert bare.execute("SELECT count(*) FROM t") == [(0,)]


def test_that_a_table_can_be_dropped_after_a_read(bare: Database) -> None:
    bare.execute("CREATE TABLE t(a)")
    bare.execute("INSERT INTO t VALUES (1), (2)")
    bare.execute("SELECT a FROM t")
    bare.execute("DROP TABLE t")


# ---------------------------------------------------------------- transactions


def test_that_a_nested_transaction_is_kept_with_the_outer_one(bare: Database) -> None:
    bare.execute("CREATE TABLE t(a)")

    @bare.transaction()
    def fail_after_an_inner_one() -> None:
        with bare.transaction():
            bare.execute("INSERT INTO t VALUES (1)")
        raise RuntimeError("outer")

    with pytest.raises(RuntimeError):
        fail_after_an_inner_one()
    assert bare.execute("SELECT count(*) FROM t") == [(0,)]
    with bare.transaction(), bare.transaction():
        bare.execute("INSERT INTO t VALUES (2)")
    assert bare.execute("SELECT a FROM t") == [(2,)]


def test_that_a_failed_nested_block_is_taken_back_alone(bare: Database) -> None:
    bare.execute("CREATE TABLE t(a INTEGER PRIMARY KEY)")

    @bare.transaction()
    def insert_two_and_a_known_one() -> None:
        bare.execute("INSERT INTO t VALUES (2)")
        bare.execute("INSERT INTO t VALUES (1)")

    with bare.transaction():
        bare.execute("INSERT INTO t VALUES (1)")
        with pytest.raises(UniqueViolation):
            insert_two_and_a_known_one()
        bare.execute("INSERT INTO t VALUES (3)")
    assert bare.execute("SELECT a FROM t ORDER BY a") == [(1,), (3,)]


def test_that_another_thread_waits_for_the_transaction(bare: Database) -> None:
    bare.execute("CREATE TABLE t(a)")
    seen: list[object] = []
    inside = threading.Event()

    def read() -> None:
        inside.wait(5)
        seen.append(bare.execute("SELECT count(*) FROM t"))

    reader = threading.Thread(target=read)
    reader.start()
    with bare.transaction():
        bare.execute("INSERT INTO t VALUES (1)")
        inside.set()
        reader.join(0.05)
        assert seen == []
        bare.execute("INSERT INTO t VALUES (2)")
    reader.join(5)
    assert seen == [[(2,)]]


def test_that_many_threads_can_write(bare: Database) -> None:
    bare.execute("CREATE TABLE t(a)")

    def write() -> None:
        for number in range(25):
            with bare.transaction():
                bare.execute("INSERT INTO t VALUES (?)", (number,))

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert bare.execute("SELECT count(*) FROM t") == [(100,)]


def test_that_a_full_disk_takes_the_whole_transaction_back(driver: Any, bare: Database) -> None:
    bare.execute("CREATE TABLE t(a)")
    bare.execute("PRAGMA max_page_count = 4")

    @bare.transaction()
    def go_on_after_the_error() -> None:
        bare.execute("INSERT INTO t VALUES (1)")
        with pytest.raises(DiskFull):
            bare.execute("INSERT INTO t VALUES (zeroblob(50000))")
        # The engine has rolled back: without the wrapper this row would be kept alone.
        bare.execute("INSERT INTO t VALUES (2)")

    with pytest.raises(TransactionLost):
        go_on_after_the_error()
    assert bare.execute("SELECT count(*) FROM t") == [(0,)]
    with pytest.raises(DiskFull), bare.transaction():
        bare.execute("INSERT INTO t VALUES (zeroblob(50000))")
    bare.execute("PRAGMA max_page_count = 100")
    with bare.transaction():
        bare.execute("INSERT INTO t VALUES (3)")
    assert bare.execute("SELECT a FROM t") == [(3,)]


def test_that_a_failed_commit_takes_everything_back(bare: Database) -> None:
    bare.script(
        "CREATE TABLE parent(id INTEGER PRIMARY KEY);"
        "CREATE TABLE child(id REFERENCES parent(id) DEFERRABLE INITIALLY DEFERRED);"
    )
    with pytest.raises(ForeignKeyViolation), bare.transaction():
        bare.execute("INSERT INTO child VALUES (5)")
    assert bare.execute("SELECT count(*) FROM child") == [(0,)]
    with bare.transaction():
        bare.execute("INSERT INTO parent VALUES (5)")


def test_that_listeners_hear_of_commits_only(bare: Database) -> None:
    bare.execute("CREATE TABLE t(a)")
    heard: list[str] = []
    bare.on_commit(lambda: heard.append("commit"))
    bare.execute("SELECT 1")
    with bare.transaction():
        bare.execute("SELECT 1")

    @bare.transaction()
    def fail() -> None:
        bare.execute("INSERT INTO t VALUES (1)")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert heard == []
    with bare.transaction():
        bare.execute("INSERT INTO t VALUES (1)")
        assert heard == []
    bare.execute("INSERT INTO t VALUES (2)")
    assert heard == ["commit", "commit"]


# ---------------------------------------------------------------- opening and closing


def test_that_the_file_is_kept_as_promised(bare: Database) -> None:
    expected = {"journal_mode": "wal", "synchronous": 2, "secure_delete": 1, "foreign_keys": 1}
    for pragma, value in expected.items():
        assert bare.execute(f"PRAGMA {pragma}") == [(value,)]
    assert bare.execute("PRAGMA busy_timeout") == [(5000,)]


def test_that_an_empty_key_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StatementRefused):
        Database(tmp_path / "a.db", key="")
    assert not (tmp_path / "a.db").exists()


def test_that_a_wrong_key_is_told_when_opening(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    sealed = Database(path, key="right")
    sealed.execute("CREATE TABLE t(a)")
    with pytest.raises(StatementRefused):
        sealed.execute("VACUUM INTO ?", (str(tmp_path / "copy.db"),))
    with pytest.raises(StatementRefused):
        sealed.execute("ATTACH ? AS other", (str(tmp_path / "copy.db"),))
    sealed.close()
    with pytest.raises(WrongKey, match="passphrase"):
        Database(path, key="wrong")
    with pytest.raises(DatabaseCorrupt, match="encrypted"):
        Database(path)
    opened = Database(path, key="right")
    assert opened.execute("SELECT count(*) FROM t") == [(0,)]
    opened.close()


def test_that_a_file_of_something_else_is_told_as_damaged(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(b"this is a shopping list, not a memory" * 200)
    with pytest.raises(DatabaseCorrupt, match="backups"):
        Database(path)


def test_that_a_damaged_page_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    database = Database(path)
    database.execute("CREATE TABLE t(a)")
    for _ in range(50):
        database.execute("INSERT INTO t VALUES (?)", ("x" * 1000,))
    database.close()
    content = bytearray(path.read_bytes())
    content[4096 : 4096 * 4] = b"\xa5" * (4096 * 3)
    path.write_bytes(content)
    database = Database(path)
    with pytest.raises(DatabaseCorrupt):
        database.execute("SELECT count(*), max(a) FROM t")
    assert database.integrity_check() != []
    database.close()


def test_that_integrity_check_names_rows_that_refer_to_nothing(bare: Database) -> None:
    bare.script(
        "CREATE TABLE parent(id INTEGER PRIMARY KEY); CREATE TABLE child(id REFERENCES parent(id))"
    )
    assert bare.integrity_check() == []
    bare.execute("PRAGMA foreign_keys = OFF")
    bare.execute("INSERT INTO child VALUES (5)")
    assert len(bare.integrity_check()) == 1


def test_that_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnavailable):
        Database(tmp_path / "nowhere" / "a.db")


def test_that_a_file_that_may_not_be_written_is_told(bare: Database) -> None:
    bare.execute("CREATE TABLE t(a)")
    bare.execute("PRAGMA query_only = ON")
    with pytest.raises(ReadOnlyDatabase, match="read-only"):
        bare.execute("INSERT INTO t VALUES (1)")


def test_that_companions_left_without_rights_are_repaired(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    Database(path).close()
    for ending in ("-wal", "-shm"):
        companion = tmp_path / f"a.db{ending}"
        companion.touch()
        companion.chmod(0o400)
    database = Database(path)
    database.execute("CREATE TABLE t(a)")
    assert (tmp_path / "a.db-shm").stat().st_mode & 0o777 == path.stat().st_mode & 0o777
    database.close()


def test_that_a_companion_of_somebody_else_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.db"
    Database(path).close()
    (tmp_path / "a.db-shm").touch(mode=0o400)

    def refuse(file: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refuse)  # as the system does for another owner's file
    with pytest.raises(ReadOnlyDatabase, match=r"a\.db-shm"):
        Database(path)


def test_that_a_file_locked_by_another_program_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    database = Database(path, busy_timeout_ms=20)
    database.execute("CREATE TABLE t(a)")
    other = libsql.connect(str(path), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(DatabaseLocked), database.transaction():
        pass
    other.execute("ROLLBACK")
    with database.transaction():
        database.execute("INSERT INTO t VALUES (1)")
    other.close()
    database.close()


def test_that_use_after_close_is_an_error(tmp_path: Path) -> None:
    database = Database(tmp_path / "a.db")
    database.close()
    database.close()
    uses: list[Callable[[], object]] = [
        lambda: database.execute("SELECT 1"),
        lambda: database.script("SELECT 1"),
        lambda: database.transaction().__enter__(),
    ]
    for use in uses:
        with pytest.raises(DatabaseClosed):
            use()


def test_that_closing_waits_for_a_running_transaction(tmp_path: Path) -> None:
    database = Database(tmp_path / "a.db")
    database.execute("CREATE TABLE t(a)")
    closer = threading.Thread(target=database.close)
    with database.transaction():
        closer.start()
        closer.join(0.05)
        database.execute("INSERT INTO t VALUES (1)")
    closer.join(5)
    with pytest.raises(DatabaseClosed):
        database.execute("SELECT 1")
    again = Database(tmp_path / "a.db")
    assert again.execute("SELECT count(*) FROM t") == [(1,)]
    again.close()


def test_that_closing_inside_a_transaction_takes_it_back(tmp_path: Path) -> None:
    database = Database(tmp_path / "a.db")
    database.execute("CREATE TABLE t(a)")

    @database.transaction()
    def insert_and_close() -> None:
        database.execute("INSERT INTO t VALUES (1)")
        database.close()

    with pytest.raises(DatabaseClosed):
        insert_and_close()
    again = Database(tmp_path / "a.db")
    assert again.execute("SELECT count(*) FROM t") == [(0,)]
    again.close()


def test_that_a_copy_is_complete_and_the_file_goes_on(tmp_path: Path, bare: Database) -> None:
    bare.execute("CREATE TABLE t(a)")
    bare.execute("INSERT INTO t VALUES (1)")
    bare.copy_to(tmp_path / "copy.db")
    bare.execute("INSERT INTO t VALUES (2)")
    assert bare.execute("PRAGMA synchronous") == [(2,)]
    copy = Database(tmp_path / "copy.db")
    assert copy.execute("SELECT a FROM t") == [(1,)]
    copy.close()
    with pytest.raises(OSError, match="nowhere"):
        bare.copy_to(tmp_path / "nowhere" / "copy.db")
    assert bare.execute("SELECT count(*) FROM t") == [(2,)]


def test_that_no_copy_is_made_inside_a_transaction(tmp_path: Path, bare: Database) -> None:
    with bare.transaction():
        with pytest.raises(StatementRefused):
            bare.copy_to(tmp_path / "copy.db")
        bare.execute("CREATE TABLE t(a)")
    assert bare.execute("SELECT count(*) FROM t") == [(0,)]


def test_that_an_encrypted_file_is_copied_encrypted(tmp_path: Path) -> None:
    sealed = Database(tmp_path / "a.db", key="right")
    sealed.execute("CREATE TABLE t(a TEXT)")
    sealed.execute("INSERT INTO t VALUES ('Zanzibarcanary')")
    sealed.copy_to(tmp_path / "copy.db")
    assert b"SQLite format 3" not in (tmp_path / "copy.db").read_bytes()
    assert sealed.execute("SELECT a FROM t") == [("Zanzibarcanary",)]
    sealed.close()


def test_that_only_the_thread_inside_a_transaction_is_told_so(bare: Database) -> None:
    seen: list[bool] = [bare.in_transaction]
    with bare.transaction():
        seen.append(bare.in_transaction)
        other = threading.Thread(target=lambda: seen.append(bare.in_transaction))
        other.start()
        other.join(5)
    seen.append(bare.in_transaction)
    assert seen == [False, True, False, False]
