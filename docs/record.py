# SPDX-License-Identifier: MIT
"""record.py: the parts of docs/format.md: the data file's extents, structures and numbers, from format.h, event.h and line.h."""

import re

from rows import Header, flow, head_comment, rows_of, text_of

ABI = "include/profplug/abi/"


def extent_columns():
    """What the columns behind `then` say: the titles of the further arguments of a row."""
    return re.search(r"PP_EXTENT\(([^)]*)\)", head_comment(ABI + "extent.def"))[1].replace('"', "").split(", ")[3:]


def extents():
    """(number, kind, begins with, then, what extent_columns names) of each kind of extent."""
    return [(str(number), *row) for number, row in enumerate(rows_of(ABI + "extent.def", "PP_EXTENT"), 1)]


def prose():
    """The paragraphs of format.h's head but for the table of extents: (title, text)."""
    text = head_comment(ABI + "format.h")
    found = re.findall(r"^([A-Z]{3,})\. (.*?)(?=\n\n|\Z)", text, re.M | re.S)
    return {title.lower(): flow(body.strip()) for title, body in found}


def losses(table, cell):
    rows = re.findall(r'PP_(LOSS|GIVEN)\((\w+),\s+(\w+),[\s\\]+"([^"]*)"(?:,[\s\\]+"([^"]*)")?\)', text_of(ABI + "format.h"))
    counted = {"LOSS": [], "GIVEN": []}
    for kind, _, name, text, stands in rows:
        text = re.sub(r"\{[^|{}]*\|([^{}]*)\}", r"\1", text + ("; " + stands if stands else ""))
        counted[kind].append((str(len(counted[kind])), f"`{name}`", cell(text)))
    return {"losses": table(("place", "name", "what was lost"), counted["LOSS"]),
            "given": table(("place", "name", "what was given up"), counted["GIVEN"])}


def behind(text):
    return f": {cell_free(text)}" if text else ""


def enumeration(item, cell, table):
    values = [(str(number), f"`{name}`", cell(text)) for number, (name, text) in enumerate(item["values"])]
    title = f"`enum {item['name']}`" + behind(item["after"])
    if any(text for _, _, text in values):
        return [title, table(("value", "name", "meaning"), values)]
    return [title + (". " if item["after"] else ": ") + ", ".join(f"{number} {name}" for number, name, _ in values)]


def structures(read, cell, table):
    out = []
    for item in read.items:
        section = item["section"]
        if section:
            out.append(f"### {section[0].upper() + section[1:]}")
        intro = [re.sub(rf"^{section}(?:: |$)", "", text) for text in item["intro"]]
        out += [cell_free(text) for text in intro if text and not text.startswith("SPDX")]
        if item["kind"] == "enum":
            out += enumeration(item, cell, table) if item["name"] != "pp_extent_kind" else []
            continue
        out.append(f"`struct {item['name']}`, {item['size']} bytes" + behind(item["after"]))
        rows = [(str(offset), f"`{kind}`", ", ".join(f"`{name}`" for name in names), cell(text))
                for offset, kind, names, text in item["fields"]]
        out.append(table(("offset", "type", "field", "meaning"), rows))
    return "\n\n".join(out)


def cell_free(text):
    return text.replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")


def constants(read, table):
    text = text_of(ABI + "format.h") + text_of(ABI + "event.h") + text_of(ABI + "merged.h") + text_of(ABI + "line.h")
    used = [name for name in read.numbers if re.search(rf"^#define {name}\b", text, re.M)]
    found = re.findall(r"^#define (PP_\w+)[ \t]+[^\n/]+/\*(.*?)\*/", text, re.M | re.S)
    meaning = {name: flow(said).replace("|", "\\|") for name, said in found}
    rows = [(f"`{name}`", str(read.numbers[name]), meaning.get(name, "")) for name in used]
    return table(("name", "value", "meaning"), rows)


def header():
    return Header([ABI + "format.h", ABI + "event.h", ABI + "merged.h", ABI + "line.h"])


def parts(table, cell):
    read = header()
    rows = [(number, f"`{kind}`", f"`{head}`",
             "" if row == "char[0]" else f"`{row}`", *map(cell, more)) for number, kind, head, row, *more in extents()]
    metrics = [(name, unit, cell(text)) for _, name, unit, _, _, _, text in rows_of(ABI + "metric.def", "PP_METRIC")]
    operations = [(name, f"`{group.lower()}`", cell(text))
                  for _, name, group, _, text in rows_of(ABI + "operation.def", "PP_OPERATION")]
    said = prose()
    return {
        "extents": table(("kind", "name", "begins with", "then", *extent_columns()), rows),
        "keys": cell_free(said["keys"]), "time": cell_free(said["time"]),
        "constants": constants(read, table), "structures": structures(read, cell, table),
        "metrics": table(("place", "name", "unit", "meaning"), numbered(metrics)),
        "operations": table(("number", "name", "waits for", "calls"), numbered(operations)),
        **losses(table, cell),
    }


def numbered(rows):
    return [(str(number), f"`{name}`", *rest) for number, (name, *rest) in enumerate(rows)]
