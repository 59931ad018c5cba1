#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gate.py BUILD: examples/gate as a repository with its CI: a commit that only moves code passes; one that makes a loop quadratic fails with the
line; a call more is said exactly. The reports follow the schemas of SARIF 2.1.0 and JUnit, and what GitLab's code quality requires; the fingerprints stay when
lines move."""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, line_of, main, must, write
from report import unlike

try:
    import jsonschema
except ImportError:
    jsonschema = None
    print("left out: the schema of SARIF, python3-jsonschema is not installed")
XMLLINT = shutil.which("xmllint")
if not XMLLINT:
    print("left out: the schema of JUnit, libxml2-utils is not installed")
SCHEMAS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "schema")
EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/gate")
GIT = ["git", "-c", "user.name=x", "-c", "user.email=x@x"]
FORMATS = ("sarif", "junit", "gitlab", "markdown")


class Repository:
    def __init__(self, build, scratch):
        self.build, self.root = build, f"{scratch}/repository"
        shutil.copytree(EXAMPLE, self.root)
        must([*GIT, "init", "-q", "-b", "main"], cwd=self.root)
        self.commit("begin")

    def commit(self, message):
        must([*GIT, "add", "-A"], cwd=self.root)
        must([*GIT, "commit", "-qm", message], cwd=self.root)

    def replace(self, name, was, now):
        text = open(f"{self.root}/{name}").read()
        assert was in text, (name, was)
        write(f"{self.root}/{name}", text.replace(was, now))

    def checked(self, base="main", **environment):
        """Status, text, and the reports."""
        done = call(["./ci.sh", base], cwd=self.root, env={"PROFPLUG_BIN": self.build, **environment})
        reports = {name: open(f"{self.root}/profplug.{name}").read() for name in FORMATS}
        for name in FORMATS:
            os.remove(f"{self.root}/profplug.{name}")
        return done, reports


def sarif_wrong(document):
    """What OASIS's schema finds, and what its text and GitHub ask besides: one run, 5,000 results, rules that are declared, places inside the repository."""
    wrong = [error.message for error in jsonschema.Draft4Validator(json.load(open(f"{SCHEMAS}/sarif-2.1.0.json"))).iter_errors(document)] if jsonschema else []
    run, = document["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    wrong += [] if len(set(rules)) == len(rules) and len(run["results"]) <= 5000 else [rules]
    for result in run["results"]:
        uris = [place["physicalLocation"]["artifactLocation"]["uri"] for place in result.get("locations", [])]
        good = result["ruleId"] in rules and result["message"]["text"] and not any(uri.startswith("/") for uri in uris)
        wrong += [] if good and all(result["partialFingerprints"].values()) else [result]
    return wrong


def junit_wrong(text):
    """What xmllint finds by the schema of Ant's JUnit, and what that cannot say: the counts are right."""
    wrong = []
    if XMLLINT:
        checked = subprocess.run([XMLLINT, "--noout", "--schema", f"{SCHEMAS}/junit.xsd", "-"], input=text, capture_output=True, text=True)
        wrong = [checked.stderr] if checked.returncode else []
    root = xml.etree.ElementTree.fromstring(text)
    cases = root.findall("testsuite/testcase")
    failures = [case for case in cases if case.find("failure") is not None]
    suite, = root
    counts = tuple(int(suite.get(name)) for name in ("tests", "failures", "errors"))
    return wrong + ([] if counts == (len(cases), len(failures), 0) else [suite.attrib]), failures


def gitlab_wrong(rows):
    """GitLab's documentation of code quality: these fields, a fingerprint of its own each, a path relative to the repository."""
    wrong = [row for row in rows if not row["description"] or not row["check_name"] or row["severity"] not in ("info", "minor", "major", "critical", "blocker")
             or row["location"]["path"].startswith("/") or row["location"]["lines"]["begin"] < 1]
    return wrong + ([] if len({row["fingerprint"] for row in rows}) == len(rows) else ["fingerprints"])


def forms(reports, count):
    sarif = json.loads(reports["sarif"])
    expect(not sarif_wrong(sarif), "SARIF has what it must", sarif_wrong(sarif))
    wrong, failures = junit_wrong(reports["junit"])
    expect(not wrong and len(failures) == count, "JUnit has what it must", wrong, len(failures), count)
    gitlab = json.loads(reports["gitlab"])
    expect(not gitlab_wrong(gitlab) and len(gitlab) == count, "code quality has what it must", gitlab_wrong(gitlab), len(gitlab))
    expect(len(sarif["runs"][0]["results"]) == count, "as many results everywhere", count)
    return sarif["runs"][0]["results"]


def moved(repository):
    """hash goes to a file of its own, slot_find behind table_add, words_count before text_make, remarks everywhere."""
    text = open(f"{repository.root}/table.c").read()
    hashing = text[text.index("static size_t hash"):text.index("static size_t slot_find")]
    finding = text[text.index("static size_t slot_find"):text.index("void table_add")]
    rest = text.replace(hashing, "").replace(finding, "static size_t slot_find(const struct table *table, const char *word);\n\n")
    write(f"{repository.root}/hash.h", "/* Moved here. */\n#include <stddef.h>\n\n" + hashing)
    write(f"{repository.root}/table.c", rest.replace('#include <string.h>', '#include "hash.h"\n\n/* for strcmp */\n#include <string.h>') + "\n/* Was above. */\n" + finding)
    text = open(f"{repository.root}/words.c").read()
    making = text[text.index("PROFPLUG_STAGE(\"make\""):text.index("PROFPLUG_STAGE(\"count\"")]
    counting = text[text.index("PROFPLUG_STAGE(\"count\""):text.index("int main")]
    write(f"{repository.root}/words.c", text.replace(making + counting, "/* First it counts. */\n" + counting + "\n/* Then it makes. */\n" + making))
    repository.commit("Move code")


def broken(reports):
    """The schemas are really asked: each finds one thing that is wrong."""
    sarif = json.loads(reports["sarif"])
    sarif["runs"][0]["results"][0]["level"] = "bad"
    expect(not jsonschema or len(sarif_wrong(sarif)) == 1 and "'bad'" in sarif_wrong(sarif)[0], "the schema of SARIF finds a level that does not exist", sarif_wrong(sarif))
    wrong, _ = junit_wrong(reports["junit"].replace("<properties/>", "", 1))
    expect(not XMLLINT or len(wrong) == 1 and "properties" in wrong[0], "the schema of JUnit finds that the properties are missing", wrong)


PRINTED = """#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    char text[4096];
    for (int i = 0; i < 100 + (argc > 2); i++) {
        int length = snprintf(text, sizeof text, "step %d took %s ms, and the text says so at some length\\n", i, argv[1]);
        if (write(1, text, length) < 0)
            return 1;
    }
    return 0;
}
"""


def digits(build, scratch):
    """Printed times have a digit more or less from run to run: of as many writes that is no regression, a longer text is."""
    write(f"{scratch}/printed.c", PRINTED)
    must([f"{build}/profplug-gcc", "-O2", "-g", "printed.c", "-o", "printed"], cwd=scratch)
    for name, words in (("short", ["9.9"]), ("digit", ["10.1"]), ("long", ["9.9 of all"]), ("step", ["9.9", "x"])):
        call([f"{scratch}/printed", *words], env={"PROFPLUG": f"output={scratch}/{name}.profplug"})
    for name, status, said in (("digit", 0, "\n0 of "), ("long", 1, "instead of 5690 bytes written"), ("step", 1, "101 instead of 100 writes")):
        done = call([f"{build}/profplug", "check", "--baseline", f"{scratch}/short.profplug", f"{scratch}/{name}.profplug"])
        expect(done.returncode == status and said in "\n" + done.out, f"what is printed: {name}", done.returncode, done.out, done.err)


def test(build, scratch):
    repository = Repository(build, scratch)
    must([*GIT, "switch", "-qc", "move"], cwd=repository.root)
    moved(repository)
    done, reports = repository.checked()
    expect(done.returncode == 0 and "\n0 of " in done.out, "a commit that only moves code passes", done.returncode, done.out, done.err)
    forms(reports, 0)
    expect("no regression" in reports["markdown"], "and the job's summary says so", reports["markdown"])

    def slow_down():
        repository.replace("table.c", "size_t at = hash(word) % SLOTS;", "size_t at = 0;")
        repository.commit("Simplify")
    must([*GIT, "switch", "-qc", "slow", "main"], cwd=repository.root)
    slow_down()
    done, reports = repository.checked()
    line = line_of(open(f"{repository.root}/table.c").read(), "at = (at + 1)")
    expect(done.returncode == 1, "a commit that makes a loop quadratic fails", done.returncode, done.out, done.err)
    expect(re.search(rf"^worse  table\.c:({line}|{line - 1})  .*slot_find|table_add", done.out, re.M), "and names the line of the loop", done.out, line)
    results = forms(reports, int(re.search(r"^(\d+) of \d+ stages", done.out, re.M)[1]))
    broken(reports)
    places = {(p["artifactLocation"]["uri"], p["region"]["startLine"]) for r in results for p in [r["locations"][0]["physicalLocation"]]}
    expect(("table.c", line) in places, "SARIF has the line, relative to the repository", places)
    expect("| table.c:" in reports["markdown"] and "worse than the baseline" in reports["markdown"], "so has the summary", reports["markdown"])

    must([*GIT, "switch", "-q", "move"], cwd=repository.root)      # the same slow-down where lines stand elsewhere
    slow_down()
    done, again = repository.checked("move~1")
    prints = [{tuple(r["partialFingerprints"].values()) for r in json.loads(one["sarif"])["runs"][0]["results"] if "slot_find" in r["message"]["text"]} for one in (reports, again)]
    expect(done.returncode == 1 and prints[0] & prints[1], "fingerprints stay when lines move", prints)

    must([*GIT, "switch", "-qc", "once", "main"], cwd=repository.root)
    repository.replace("words.c", "    printf(", "    table_add(&table, text);\n    printf(")
    repository.commit("Count the first word twice")
    done, reports = repository.checked(RUNS="2", WORDS="1000")
    expect(done.returncode == 1 and "1001 instead of 1000" in done.out, "one call more is said exactly", done.out, done.err)
    tool = f"{build}/profplug"
    must([f"{build}/profplug-gcc", "-O2", "-g", *glob.glob("*.c", root_dir=repository.root), "-o", f"{scratch}/words"], cwd=repository.root)
    for i in range(2):
        call([f"{scratch}/words", "1000"], env={"PROFPLUG": f"output={scratch}/{i}.profplug"})
    files = [f"{scratch}/{i}.profplug" for i in range(2)]
    expect(call([tool, "check", "--baseline", files[0], files[1]]).returncode == 0, "one run of each compares counts")
    expect(call([tool, "check", "--baseline=" + files[0], "--allow-counts", "5", "--", files[1]]).returncode == 0, "with -- and without")
    done = call([tool, "check", "--baseline", files[0]], cwd=scratch)
    expect(done.returncode == 0 and "(1.profplug, the newest here)" in done.out, "without a new run the newest is taken, and told", done.out, done.err)
    done = call([tool, "check", "--baseline", files[1]], cwd=scratch)
    expect(done.returncode == 2 and "the newest run here, and the baseline's" in done.err and not done.out, "the baseline is not held against itself", done.out, done.err)
    done = call([tool, "check", "--format", "json", "--baseline", files[0], files[1]])
    expect(not unlike(json.loads(done.out), "profplug-check-1"), "JSON follows its schema", done.out)
    call([f"{scratch}/words", "2000"], env={"PROFPLUG": f"output={scratch}/more.profplug"})
    done = call([tool, "check", "--format", "json", "--baseline", files[0], f"{scratch}/more.profplug"])
    document = json.loads(done.out)
    expect(done.returncode == 1 and not document["met"] and document["regressions"] and not unlike(document, "profplug-check-1"), "also of regressions", unlike(document, "profplug-check-1"), done.out)
    write(f"{scratch}/other.c", "#include <stdio.h>\nint main(void) { return puts(\"other\") < 0; }\n")
    must([f"{build}/profplug-gcc", "-O2", "-g", "other.c", "-o", "other"], cwd=scratch)
    call([f"{scratch}/other"], env={"PROFPLUG": f"output={scratch}/other.profplug"})
    done = call([tool, "diff", files[0], f"{scratch}/other.profplug"])
    expect(done.returncode == 0 and "are these runs of one program?" in done.out, "diff says that they have little in common", done.out, done.err)
    done = call([tool, "compare", "-n", "2", f"{scratch}/words", f"{scratch}/words"], env={"PROFPLUG": "off"})
    expect(done.returncode == 2 and "PROFPLUG=off" in done.err, "recording that is off is told", done.err)
    for bad, why in ((["--baseline", files[0], f"{scratch}/other.profplug"], "the same program"), (["--baseline", "/nosuch", files[0]], "nosuch"), (["--baseline", files[0], "--slo", "make p50<1s", files[1]], "together"),
                     (["--slo", "make p50<1s", "--top", "3", files[1]], "--baseline"), (["--baseline", files[0], "--allow-counts", "x", files[1]], "not a percentage"),
                     (["--baseline", files[0], "--format", "nosuch", files[1]], "not a format"), ([], "nothing to check")):
        done = call([tool, "check", *bad])
        expect(done.returncode == 2 and why in done.err and done.err.count("\n") == 1 and not done.out, f"check {bad} is one line", done.err, done.out)
    digits(build, scratch)
    for form in ("markdown", "gitlab", "sarif"):
        done = call([tool, "check", "--slo", "count calls>5", "--format", form, files[0]])
        expect(done.returncode == 1 and "count" in done.out, f"an objective as {form}", done.out, done.err)
        if form == "gitlab":
            expect(len(json.loads(done.out)) == 1 and json.loads(done.out)[0]["fingerprint"], "one row", done.out)


main(test)
