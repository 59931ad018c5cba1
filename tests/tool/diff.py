#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""diff.py BUILD: `profplug diff` on programs whose changes are known: code that only moved (every line, a renamed file, a function split, a function to
another place) is matched, with no count changed; a line executed once more is told, exactly; formats agree, JSON follows its schema; two stages of
a run are compared; wrong usage is one line and status 2."""

import glob
import json
import os
import re
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, line_of, main, must, write
from report import unlike

LINES = ("-O2", "-fplugin-arg-profplug-lines=all")
PROGRAM = r"""#include <profplug.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile kept;

struct node {
    struct node *left, *right;
    int key, count;
};

static struct node *insert(struct node *at, int key)
{
    if (!at) {
        at = calloc(1, sizeof *at);
        at->key = key;
    }
    if (key < at->key)
        at->left = insert(at->left, key);
    else if (key > at->key)
        at->right = insert(at->right, key);
    else
        at->count++;
    return at;
}

static int depth(const struct node *at)
{
    int left, right;
    if (!at)
        return 0;
    left = depth(at->left);
    right = depth(at->right);
    return 1 + (left > right ? left : right);
}

static unsigned long mix(const unsigned char *text, int n)
{
    unsigned long sum = 5381;
    for (int i = 0; i < n; i++) {
        if (text[i] & 1)
            sum = sum * 33 + text[i];
        else if (text[i] > 100)
            sum ^= text[i] << 3;
        else
            sum += text[i];
    }
    return sum;
}

static int primes(int most)
{
    char *sieve = malloc(most + 1);
    int found = 0;
    memset(sieve, 1, most + 1);
    for (int i = 2; i <= most; i++) {
        if (!sieve[i])
            continue;
        found++;                                    /* PRIME */
        for (int k = 2 * i; k <= most; k += i)
            sieve[k] = 0;
    }
    free(sieve);
    return found;
}

PROFPLUG_STAGE("loader_a", "data_loading") static int loader_a(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        kept = malloc(64);
        kept[0] = i;
        sum += kept[0];
        free(kept);
    }
    return sum;
}

PROFPLUG_STAGE("loader_b", "data_loading") static int loader_b(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        kept = malloc(256);
        kept[0] = i;
        sum += kept[0];
        free(kept);
    }
    return sum;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 10;
    struct node *root = NULL;
    unsigned char text[1000];
    unsigned state = 1, sum = 0;
    for (int i = 0; i < 1000; i++)
        text[i] = (state = state * 1103515245u + 12345u) >> 24;
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < 100; i++)
            root = insert(root, text[(i * 7 + r) % 1000]);
        sum += depth(root);
        sum += mix(text, 1000);
        sum += primes(2000 + (rounds & 1));
    }
    sum += loader_a(40) + loader_b(80);
    printf("%u\n", sum);
    return 0;
}
"""


def build(build_folder, scratch, name, source, flags=LINES):
    folder = f"{scratch}/{name}"
    path = f"{folder}/{source[0]}"
    write(path, source[1])
    must([build_folder + "/profplug-gcc", *flags, "-o", folder + "/program", path])
    return folder


def runs(folder, count, *arguments):
    for number in range(count):
        must([folder + "/program", *arguments], env={"PROFPLUG": f"output={folder}/{number}.profplug"})
    return sorted(glob.glob(folder + "/*.profplug"))


def diff(tool, old, new, *options):
    document = json.loads(must([tool, "diff", "--format", "json", *options, *old, "--", *new]))
    expect(not unlike(document, "profplug-diff-1"), "JSON follows its schema", unlike(document, "profplug-diff-1")[:5])
    return document


def moved_file(text):
    """Every line is another, by comments at the head and in functions; primes stands first; mix is split."""
    found = re.search(r"static int primes.*?\n}\n", text, re.S)
    text = text.replace(found[0], "").replace("struct node {", found[0] + "\nstruct node {", 1)
    text = text.replace("{\n    int left, right;", "{\n    /* a comment\n     * of two lines */\n    int left, right;")
    piece = """        if (text[i] & 1)
            sum = sum * 33 + text[i];
        else if (text[i] > 100)
            sum ^= text[i] << 3;
        else
            sum += text[i];
"""
    assert piece in text
    step = "static unsigned long step(const unsigned char *text, int i, unsigned long sum)\n{\n" + piece.replace("        ", "    ", 1) + "    return sum;\n}\n\n"
    text = text.replace(piece, "        sum = step(text, i, sum);\n").replace("static unsigned long mix(", step + "static unsigned long mix(")
    return "/* moved */\n\n\n" + text


def test(build_folder, scratch):
    tool = build_folder + "/profplug"
    old = build(build_folder, scratch, "old", ("program.c", PROGRAM))
    before = runs(old, 2, "10")

    same = diff(tool, before[:1], before[1:])
    expect(not same["count_changes"] and not same["unmatched"] and same["same_input"], "a run and another like it", same["count_changes"], same["unmatched"])
    expect(not same["verdicts"]["slower"] and not same["verdicts"]["faster"] and any("one run" in n for n in same["notices"]),
           "one run of each: times are not judged", same["verdicts"], same["notices"])
    said = must([tool, "diff", before[0], "--", before[1]])
    expect("times are not judged" in said and "change of time" not in said,
           "one run of each: nor is it said that none changed", said)

    moved = build(build_folder, scratch, "moved", ("renamed.c", moved_file(PROGRAM)))
    after = runs(moved, 2, "10")
    change = diff(tool, before, after)
    lines, functions = change["matched"]["line"], change["matched"]["function"]
    expect(lines["old"] > 30 and lines["pairs"] >= 0.95 * lines["old"], "lines that moved are matched", lines, change["unmatched"])
    expect(functions["pairs"] == functions["old"] == functions["new"] - 1, "functions that moved are matched", functions)
    gone = [row for row in change["unmatched"] if row["arm"] == "new" and row["kind"] == "function"]
    expect([row["name"] for row in gone] == ["step"], "what has no partner is listed", gone)
    wrong = [row for row in change["sites"] if row["kind"] == "line" and row["counts"]["hits"]["changed"] and row["name"] != "mix"]
    expect(not wrong, "no hits changed, but of the split function's", wrong[:3])
    sources = {arm: open(path).read().split("\n") for arm, path in (("old", old + "/program.c"), ("new", moved + "/renamed.c"))}
    text = must([tool, "diff", "--top", "0", *before, "--", *after])
    expect("NOT MATCHED" in text and "step" in text and "(was program.c:" in text or "no count changed" in text, "the text says what is not matched", text)

    # the pairs are right: text of both lines is the same, but for where the function was split
    more = diff(tool, before, eleven(moved))
    pairs = [row for row in more["sites"] if row["kind"] == "line" and "old_line" in row and row["name"] not in ("mix", "step")]
    different = [(row["old_line"], row["new_line"], sources["old"][row["old_line"] - 1], sources["new"][row["new_line"] - 1]) for row in pairs if sources["old"][row["old_line"] - 1].strip() != sources["new"][row["new_line"] - 1].strip()]
    expect(len(pairs) > 15 and not different, "lines are matched with those of the same text", len(pairs), different)

    # rounds is odd then: primes() goes to 2001, which changes the hits of one loop by exactly what gcov would say
    odd = build(build_folder, scratch, "odd", ("program.c", PROGRAM.replace("2000 + (rounds & 1)", "2000 + 3")))
    once = diff(tool, before, runs(odd, 2, "10"))
    row = [r for r in once["sites"] if r["kind"] == "line" and r.get("new_line") == line_of(PROGRAM, "/* PRIME */")]
    expect(len(row) == 1, "the line that was hit more is listed", row)
    if row:
        hits = row[0]["counts"]["hits"]
        expect((hits["old_low"], hits["new_high"]) == (10 * primes(2000), 10 * primes(2003)) and hits["changed"] and row[0]["code_same"] in (True, False),
               "a prime more in each round is said exactly", hits)

    two = json.loads(must([tool, "diff", "--format", "json", "--stage", "loader_a", "--stage", "loader_b", before[0]]))
    expect(not unlike(two, "profplug-diff-1"), "stages: JSON follows its schema", unlike(two, "profplug-diff-1")[:5])
    loaders = [r for r in two["sites"] if r["kind"] == "stage"]
    expect(len(loaders) == 1 and loaders[0]["counts"].get("alloc_bytes", {}).get("old_low") == 40 * 64 and
           loaders[0]["counts"]["alloc_bytes"]["new_low"] == 80 * 256, "two stages of a run are compared", loaders)

    text = must([tool, "diff", "--stage", "loader_a", "--stage", "loader_b", before[0]])
    expect(re.search(r"^loader_a +old +1 .*2.50 KiB", text, re.M) and re.search(r"^loader_b +new +1 .*20.0 KiB", text, re.M) and two["stages"] == {"old": "loader_a", "new": "loader_b"},
           "the stages' times and bytes are in a table", text)

    blend = PROGRAM.replace("static unsigned long mix(", "__attribute__((noinline)) static unsigned long blend(")
    blend = blend.replace("mix(", "blend(").replace("sum * 33 +", "sum * sum ^ 7 * n ^")
    bare = build(build_folder, scratch, "bare", ("program.c", blend),
                 ("-O2", "-fplugin-arg-profplug-lines=none", "-fplugin-arg-profplug-functions=stages"))
    text = must([tool, "diff", "--top", "0", *before, "--", *runs(bare, 1, "60000")])
    expect(re.search(r"^new +blend  program.c:\d+ .* not counted$", text, re.M),
           "calls that nobody counted are not told as none", text)

    page = must([tool, "diff", "--format", "markdown", *before, "--", *after])
    expect(must([tool, "diff", *before, "--", *after, "--format", "markdown"]) == page, "options may stand behind the new runs")
    expect(page.startswith("## profplug") and "### NOT MATCHED" in page and "| only in | site |" in page, "markdown", page)
    for wrong_usage in ([], before[:1], ["--", before[0]], ["--stage", "loader_a", before[0]], ["--stage", "a", "--stage", "b", "--stage", "c"], ["--format", "xml", *before],
                        ["--top", "x", *before], ["--min-effect", "-1", *before], [before[0], "/nosuch.profplug"], ["--stage", "nosuch", "--stage", "loader_b", before[0]],
                        ["-o", "/nosuch/folder/x", *before], [*before, "--", *after, "--", *after], [*before, "--", *after, "--nosuch"], [*before, *after]):
        done = call([tool, "diff", *wrong_usage], cwd=scratch)
        expect(done.returncode == 2 and done.err.count("\n") == 1 and "expected" in done.err and not done.out, f"{wrong_usage}: one line", done.err, done.out)


def eleven(folder):
    """Runs with one round more: every count of the loops changes, so that all lines are listed."""
    path = folder + "/eleven.data"
    must([folder + "/program", "12"], env={"PROFPLUG": f"output={path}"})
    return [path]


def primes(most):
    return sum(all(n % k for k in range(2, int(n ** 0.5) + 1)) for n in range(2, most + 1))


main(test)
