# SPDX-License-Identifier: MIT
"""report.py: `profplug report --format json` as a test reads it. Whatever is read must hold the invariants of invariant.py."""

import json
import os
import sys
import tempfile

from invariant import breaches
from program import call, must

CLOCK_NAME = "/sys/devices/system/clocksource/clocksource0/current_clocksource"


def read_by_runtime():
    """Bytes that the runtime reads of its own while the program runs: the name of the kernel's clock, once, when it first needs it, or not at all.
    They are in the kernel's account of the program, and in no row of a report."""
    return 0, os.path.exists(CLOCK_NAME) and len(open(CLOCK_NAME).read())


def read(build, *arguments, cwd=None, settled=True):
    """The report of a data file, with options if there are any; or the end of the test. For settled see breaches()."""
    done = call([f"{build}/profplug", "report", "--format", "json", *arguments], cwd=cwd, timeout=300)
    if done.returncode or done.err:
        sys.exit(f"{os.path.basename(sys.argv[0])}: report {' '.join(map(str, arguments))}: status {done.returncode}: {done.err[-3000:]}")
    return checked(done.stdout, *arguments, settled=settled)


def checked(text, *what, settled=True):
    """The document, if it holds the invariants; or the end of the test, which names each row that does not."""
    document = json.loads(text)
    if found := breaches(document, settled):
        sys.exit("\n".join(f"{os.path.basename(sys.argv[0])}: report {' '.join(map(str, what))}: {breach}" for breach in found[:20]))
    return document


def unlike(document, schema):
    """What differs from a schema of report/export; a field that it does not name does. Readers ignore such fields. Without python3-jsonschema, nothing."""
    try:
        import jsonschema
    except ImportError:
        print("left out: the schema, python3-jsonschema is not installed")
        return []

    def strict(node):
        for value in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
            strict(value)
        if isinstance(node, dict) and "properties" in node:
            node.setdefault("additionalProperties", False)
        return node

    with open(f"{os.path.dirname(os.path.abspath(__file__))}/../../report/export/{schema}.schema.json") as file:
        loose = json.load(file)
    jsonschema.Draft7Validator.check_schema(loose)
    validator = jsonschema.Draft7Validator(strict(loose))
    assert not validator.is_valid({}) and not validator.is_valid({**document, "schema": "another"}), "the schema refuses nothing"
    return ["/".join(map(str, error.absolute_path)) + ": " + error.message for error in validator.iter_errors(document)]


def at(rows, file, line):
    """Those of the rows that are on this line of this file. The same number may be a line of a header, too."""
    return [row for row in rows if row.get("line") == line and os.path.basename(row.get("file", "")) == os.path.basename(file)]


def named(rows, name):
    """The one row of this name."""
    found = [row for row in rows if row["name"] == name]
    assert len(found) == 1, f"{len(found)} rows are named {name}; expected one of {[row['name'] for row in rows]}"
    return found[0]


def profiled(build, argv, options="", text=False, **more):
    """Runs a program that succeeds and says nothing on standard error, with @ for a new folder of the build folder: what it said, its report and, if asked
    for, the text of that. What more there is goes to subprocess."""
    with tempfile.TemporaryDirectory(dir=build) as folder:
        data = f"{folder}/run.profplug"
        said = must([str(word).replace("@", folder) for word in argv], env={"PROFPLUG": f"output={data}" + (options and "," + options)}, **more)
        document = read(build, data)
        return (said, document, must([f"{build}/profplug", "report", "--all", data], env={"COLUMNS": "200"})) if text else (said, document)
