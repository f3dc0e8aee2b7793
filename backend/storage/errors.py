"""What can go wrong in storage, as classes, told apart by the driver's message texts."""

from __future__ import annotations


class StorageError(Exception):
    """Base of every storage error; its text can be shown to the person."""


class DatabaseClosed(StorageError):
    """The database was used after it had been closed."""


class RecordNotFound(StorageError):
    """A row that the caller named does not exist in its scope."""


class UnstorableValue(StorageError):
    """A parameter that the driver would store wrongly without a word."""


class ParameterCountError(StorageError):
    """Fewer or more parameters than the statement has places."""


class StatementRefused(StorageError):
    """A statement that this wrapper does not let through, with the reason."""


class TransactionLost(StorageError):
    """The engine ended the transaction by itself; nothing of it was kept."""


class ConstraintViolation(StorageError):
    """A CHECK, NOT NULL or type rule of a table was broken."""


class UniqueViolation(ConstraintViolation):
    """A row with the same key exists."""


class ForeignKeyViolation(ConstraintViolation):
    """A row refers to one that does not exist, or one is still referred to."""


class DatabaseLocked(StorageError):
    """Another process holds the file."""


class SqlSyntaxError(StorageError):
    """The statement cannot be compiled: syntax, or a name that does not exist."""


class WrongKey(StorageError):
    """The key does not open the file."""


class DiskFull(StorageError):
    """No room left; the write that met it was taken back whole."""


class DiskFailure(StorageError):
    """The operating system could not read or write the file."""


class ReadOnlyDatabase(StorageError):
    """The file or its folder cannot be written."""


class DatabaseCorrupt(StorageError):
    """The file is damaged, or not a database."""


class DatabaseUnavailable(StorageError):
    """The file cannot be opened at all."""


class SchemaTooNew(StorageError):
    """The file was written by a newer version of the app."""


class MigrationFailed(StorageError):
    """A schema change could not be made; the file stays as it was."""


UNWRITABLE_FILE = (
    DatabaseClosed,
    DatabaseLocked,
    DatabaseUnavailable,
    DiskFailure,
    DiskFull,
    ReadOnlyDatabase,
)
"""Nothing at all can be written for now; any other error comes from what was to be written."""

_HELP: dict[type[StorageError], str] = {
    DatabaseLocked: "Another program holds the memory file. Close other running copies of AICO and"
    " try again.",
    DiskFull: "The disk is full, so nothing of this was saved. Free some space and try again.",
    DiskFailure: "The disk could not be read or written. Check the disk, then start AICO again.",
    ReadOnlyDatabase: "The memory file cannot be written. Check that its folder is not read-only"
    " and belongs to you.",
    DatabaseCorrupt: "The memory file is damaged, or it is encrypted and no key was given. Close"
    " AICO, keep a copy of the home folder, and restore aico.db from its backups folder or from"
    " your own backup.",
    WrongKey: "The key does not open the memory file. Check the passphrase or the keyring entry.",
    DatabaseUnavailable: "The memory file cannot be opened. Check that its folder exists and that"
    " you may read and write it.",
}

# Every driver error is a bare ValueError (reference/storage §1.2, 9): only its text tells which.
# Longer, more telling texts stand first.
_BY_TEXT: tuple[tuple[str, type[StorageError]], ...] = (
    ("unique constraint failed", UniqueViolation),
    ("foreign key constraint failed", ForeignKeyViolation),
    ("constraint failed", ConstraintViolation),
    ("cannot store", ConstraintViolation),
    ("datatype mismatch", ConstraintViolation),
    ("database or disk is full", DiskFull),
    ("readonly database", ReadOnlyDatabase),
    ("is locked", DatabaseLocked),
    ("malformed", DatabaseCorrupt),
    ("unsupported file format", DatabaseCorrupt),
    ("file is not a database", DatabaseCorrupt),
    ("disk i/o error", DiskFailure),
    ("unable to open", DatabaseUnavailable),
    ("syntax error", SqlSyntaxError),
    ("no such", SqlSyntaxError),
    ("incomplete input", SqlSyntaxError),
    ("unrecognized token", SqlSyntaxError),
    ("already exists", SqlSyntaxError),
    ("has no column named", SqlSyntaxError),
    ("no transaction is active", TransactionLost),
)

_OPEN_CODES: dict[str, type[StorageError]] = {
    "8": ReadOnlyDatabase,
    "11": DatabaseCorrupt,
    "13": DiskFull,
    "26": DatabaseCorrupt,
}


def classify(error: BaseException, *, has_key: bool) -> StorageError:
    """Make one of our errors out of what the driver raised.

    Messages of constraint and syntax errors hold names of tables and columns, never values, so
    they may be logged. ``has_key`` says whether the file was opened with a key: then "not a
    database" means that the key is wrong.
    """
    text = str(error)
    lowered = text.lower()
    kind = next((kind for part, kind in _BY_TEXT if part in lowered), StorageError)
    if kind is DatabaseUnavailable and ": " in text:
        code = text.rstrip("`").rsplit(": ", 1)[1]
        kind = _OPEN_CODES.get(code, kind)
    if kind is DatabaseCorrupt and has_key and "not a database" in lowered:
        kind = WrongKey
    help_text = _HELP.get(kind)
    return kind(f"{help_text} ({text})" if help_text else text)
