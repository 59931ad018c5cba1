# SPDX-License-Identifier: MIT
"""manual.py: the manual pages: one for the tool, for each verb, for the library and for the data file. What is not in
rows lies in man/NAME.in."""

import re

import record
import roff
from rows import exists, head_comment, rows_of, text_of

ABI = "include/profplug/abi/"
UNITS = {"ns": ((1e9, " s"), (1e6, " ms")), "bytes": ((1 << 20, " MB"), (1 << 10, " kB")), "count": ((1, ""),),
         "times": ((1, " times"),)}


def version():
    return re.search(r"^project\(profplug VERSION (\S+)", text_of("CMakeLists.txt"), re.M)[1]


def commands():
    return rows_of("report/command/commands.def", "PROFPLUG_COMMAND")


def arguments():
    """(key, default, values, meaning) of the plugin's arguments, empty while there is no table of them."""
    if not exists(ABI + "argument.def"):
        return []
    return [(key, fallback, values, text)
            for _, key, _, fallback, values, text in rows_of(ABI + "argument.def", "PP_ARGUMENT")]


def option(letter, word, value):
    names = [f"\\fB\\-{letter}\\fR"] if letter not in ("0", "") else []
    if word:
        names.append(f"\\fB\\-\\-{roff.code(word)}\\fR")
    return ", ".join(names) + (f" \\fI{roff.code(value)}\\fR" if value else "")


def flags(verb):
    out = []
    for row_verb, _, letter, word, value, text in rows_of("report/command/flags.def", "PROFPLUG_FLAG"):
        if row_verb == verb:
            out += roff.item(option(letter, word, value), text, is_bold=False)
    return out


def default_of(text):
    return f" (default `{text}`)" if text else ""


def run_time():
    how = "Each of these is written as `--KEY VALUE` or `--KEY=VALUE`, as `KEY=VALUE` in the variable PROFPLUG, " \
          "or as a member of the JSON object in a configuration file."
    out = [".PP", *roff.lines(roff.prose(how))]
    for _, key, kind, fallback, values, text in rows_of(ABI + "options.def", "PP_OPTION"):
        text += (" (repeatable)" if kind == "LIST" else "") + default_of(fallback)
        out += roff.item(option("", key, values), text, is_bold=False)
    for _, key, level, available, text in rows_of(ABI + "options.def", "PP_COLLECTOR"):
        begins = f"on from `level={level.removeprefix('PP_LEVEL_').lower()}`"
        begins = begins if available == "1" else "not in this version"
        out += roff.item(option("", key, "on|off"), f"{text} ({begins})", is_bold=False)
    for _, key, level, values, text in rows_of(ABI + "options.def", "PP_GRADED"):
        out += roff.item(option("", key, f"{values}|on"), f"{text} (on from `level={level.removeprefix('PP_LEVEL_').lower()}`)", is_bold=False)
    return out


def plugin_arguments():
    out = []
    for key, fallback, values, text in arguments():
        written = f"\\fB\\-fplugin\\-arg\\-profplug\\-{roff.code(key)}\\fR=\\fI{roff.code(values)}\\fR"
        out += roff.item(written, text + default_of(fallback), is_bold=False)
    return out


def amount(text, unit):
    """A threshold as a person reads it: 100 ms; empty for none."""
    for word, factor in (("THRESHOLD_MB", "1048576"), ("THRESHOLD_MS", "1e6"), ("THRESHOLD_S", "1e9")):
        text = re.sub(rf"\b{word}\b", factor, text)
    value = 1.0
    for factor in text.replace(" ", "").split("*"):
        value *= float(factor)
    factor, word = next(((f, w) for f, w in UNITS[unit] if value >= f), UNITS[unit][-1])
    return f"{value / factor:,g}{word}" if value else ""


def thresholds():
    """One row for each kind of number and category."""
    out = []
    for name, category, unit, *limits, text in rows_of("report/rule/thresholds.def", "THRESHOLD"):
        steps = [f"{word} from {amount(limit, unit)}"
                 for word, limit in zip(("note", "warning", "critical"), limits) if amount(limit, unit)]
        whose = "" if category == "ANY" else f", {category.lower()}"
        out += roff.item(roff.code(name.lower()) + whose, f"{text}: {', '.join(steps)}")
    return out


def report_sections():
    def items(path, macro, name, text):
        return [line for row in rows_of(path, macro) for line in roff.item(roff.code(row[name]), row[text])]

    reasons = [row[1] for row in rows_of(ABI + "site.def", "PP_SITE_REASON") if row[1]]
    return {"FORMATS": items("report/export/exports.def", "EXPORT", 0, 3),
            "METRICS": items(ABI + "metric.def", "PP_METRIC", 1, 6),
            "OPERATIONS": items(ABI + "operation.def", "PP_OPERATION", 1, 4),
            "WAITS": items(ABI + "operation.def", "PP_WAIT", 1, 2),
            "FINDINGS": items("report/rule/rules.def", "RULE", 0, 1),
            "THRESHOLDS": thresholds(),
            "MODES": items(ABI + "site.def", "PP_SITE_MODE", 1, 2),
            "REASONS": [line for reason in reasons for line in (".IP \\(bu 2", *roff.lines(roff.prose(reason)))]}


def summary_of(name, text):
    return [f"{roff.code(name)} \\- {roff.prose(text)}"]


def template_of(name):
    path = f"man/{name}.in"
    return roff.sections_of(text_of(path)) if exists(path) else {}


def verb_page(verb, synopsis, summary, text, status):
    name = f"profplug-{verb}"
    words = [f"\\fI{roff.code(word)}\\fR" if word.isupper() else roff.code(word) for word in synopsis.split(" ")]
    status = status or "0 done; 2 wrong usage or unreadable input."
    sections = {"NAME": summary_of(name, summary), "SYNOPSIS": [f"\\fBprofplug {verb}\\fR {' '.join(words)}"],
                "DESCRIPTION": roff.render(text), "OPTIONS": flags(verb),
                "EXIT STATUS": [line for one in status.rstrip(".").split("; ") for line in exit_item(one)],
                "SEE ALSO": see_also(name)}
    if verb == "run":
        sections["RUN-TIME OPTIONS"] = run_time()
    if verb == "cc":
        sections["PLUGIN ARGUMENTS"] = plugin_arguments()
    if verb == "report":
        sections.update(report_sections())
    return roff.page(name, 1, version(), sections, template_of(name))


def exit_item(text):
    found = re.match(r"(\d+(?:\+N)?) (.*)", text)
    if found:
        return roff.item(found[1], found[2])
    return [".PP", *roff.lines(roff.prose(text[0].upper() + text[1:] + "."))]


def names():
    verbs = [(f"profplug-{row[0]}", 1) for row in commands()]
    return [("profplug", 1), *verbs, ("profplug", 3), ("profplug-data", 5)]


def see_also(own, section=1):
    others = [f"\\fB\\%{roff.code(name)}\\fR({number})" for name, number in names() if (name, number) != (own, section)]
    return [other + ("," if number < len(others) - 1 else "") for number, other in enumerate(others)]


def tool_page():
    verbs = [line for verb, _, summary, _, _ in commands() for line in roff.item(roff.code(verb), summary)]
    purpose = "find where the time, memory and I/O of a C program go, down to the line"
    sections = {"NAME": summary_of("profplug", purpose),
                "SYNOPSIS": ["\\fBprofplug\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]"],
                "COMMANDS": verbs, "SEE ALSO": see_also("profplug")}
    return roff.page("profplug", 1, version(), sections, template_of("profplug"))


def annotations():
    """(how it is written, what it does) of each line of the table at the head of profplug.h."""
    rows = []
    for line in head_comment("include/profplug.h").split("\n"):
        found = re.match(r"    (.*?\S) {2,}(\w.*)$", line)
        if found:
            rows.append(found.groups())
    return rows


def library_page():
    shown, out = annotations(), []
    for written, meaning in shown:
        out += roff.item(roff.code(written), meaning[0].upper() + meaning[1:] + ".")
    rest = [part for part in head_comment("include/profplug.h").split("\n\n")[1:] if not part.startswith("    ")]
    sections = {"NAME": summary_of("profplug", "annotations and run-time calls of profiled programs"),
                "SYNOPSIS": ["\\fB#include <profplug.h>\\fR", ".PP", ".EX",
                             *[roff.code(written) for written, _ in shown], ".EE"],
                "DESCRIPTION": [*roff.render(rest[0])[1:], *out, *roff.render("\n\n".join(rest[1:]))],
                "SEE ALSO": see_also("profplug", 3)}
    return roff.page("profplug", 3, version(), sections, template_of("profplug.3"))


def data_page():
    extents = []
    columns = record.extent_columns()
    for number, kind, head, row, *more in record.extents():
        then = f", then {row}" if row and row != "-" else ""
        rest = more if len(columns) == 1 else [f"{column}: {text}" for column, text in zip(columns, more)]
        extents += roff.item(f"{number} {kind}", f"{head}{then}; {', '.join(rest)}")
    records = []
    for name, text in rows_in_enum("pp_record_kind"):
        records += roff.item(name.removeprefix("PP_RECORD_"), text)
    sections = {"NAME": summary_of("profplug-data", "the data file that a profiled program writes"), "EXTENTS": extents,
                "RECORDS": records,
                "SEE ALSO": see_also("profplug-data", 5)}
    said = record.prose()
    sections["KEYS"], sections["TIME"] = roff.lines(roff.prose(said["keys"])), roff.lines(roff.prose(said["time"]))
    return roff.page("profplug-data", 5, version(), sections, template_of("profplug-data"))


def rows_in_enum(name):
    header = record.header()
    return [value for item in header.items if item["name"] == name for value in item["values"] if value[1]]


def pages():
    out = {"profplug.1": tool_page(), "profplug.3": library_page(), "profplug-data.5": data_page()}
    return out | {f"profplug-{row[0]}.1": verb_page(*row) for row in commands()}
