# SPDX-License-Identifier: MIT
"""What docs/footprint.md says that a program can see of the runtime. The tests compare it with what the kernel, the linker and the source say."""

import pathlib
import re

ROOT = next(folder for folder in pathlib.Path(__file__).resolve().parents if (folder / "docs/footprint.md").exists())
PAGE = (ROOT / "docs/footprint.md").read_text()


def rows(heading):
    """The rows of the table below that heading, each a list of its cells."""
    part = PAGE.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line.startswith("|")][2:]


def words(cell):
    """The names between a cell's backticks."""
    return re.findall(r"\S+", " ".join(re.findall(r"`([^`]*)`", cell)))


WRAPPED = {name for row in rows("Functions in our place") for name in words(row[1])}
SECTIONS = {name for row in rows("Symbols and sections") for name in words(row[0])}
DESCRIPTORS = [row[0].strip("`") for row in rows("Descriptors")]
SIGNALS = {name for row in rows("Signals") for name in words(row[0])}
CALLS = {row[0].strip("`"): set(words(row[1])) for row in rows("System calls after the start")}
