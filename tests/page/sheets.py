# SPDX-License-Identifier: MIT
"""sheets.py: reads the page's data, as docs/page.md describes it. It shares nothing with the tool and with the script."""

import base64
import html.parser
import math
import zlib


class Page(html.parser.HTMLParser):
    """scripts: (attributes, content) of each; tags: names with attributes, in order; text: what a reader sees, by the elements around it."""

    def __init__(self, document):
        super().__init__(convert_charrefs=True)
        self.scripts, self.tags, self.words, self.inside = [], [], [], []
        self.feed(document)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append((dict(attrs), ""))
        if tag not in ("meta", "link", "rect", "input", "br"):
            self.inside.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.inside and self.inside[-1] == tag, f"</{tag}> closes {self.inside[-3:]}"
        self.inside.pop()

    def handle_data(self, data):
        if "script" in self.inside:
            attributes, before = self.scripts[-1]
            self.scripts[-1] = (attributes, before + data)
        elif "style" not in self.inside:
            self.words.append(data)


def number(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            return value, at


def inflated(content):
    return zlib.decompress(base64.b64decode(content, validate=True), -15)


def numbers(data, kind, count):
    values, at, before = [], 0, 0
    for _ in range(count):
        n, at = number(data, at)
        if kind in "zd":
            n = (n >> 1) ^ -(n & 1)
        if kind == "d":
            n = before = before + n
        if kind in "oc":
            n = math.nan if n == 0 else (n - 1) / 100 if kind == "c" else n - 1
        values.append(n)
    assert at == len(data), "a column has bytes left"
    return values


def texts_of(page):
    data = inflated(next(content for attributes, content in page.scripts if attributes.get("data-sheet") == "texts"))
    count, at = number(data, 0)
    lengths, texts = [], []
    for _ in range(count):
        n, at = number(data, at)
        lengths.append(n)
    for n in lengths:
        texts.append(data[at:at + n].decode())
        at += n
    assert at == len(data), "the texts have bytes left"
    return texts


def sheets_of(page):
    """{name: {"count": rows, column: [values]}}: texts as texts, absent numbers as NaN."""
    texts, found = texts_of(page), {}
    for attributes, content in page.scripts:
        name = attributes.get("data-sheet")
        if not name or name == "texts":
            continue
        data = inflated(content)
        rows, at = number(data, 0)
        columns, at = number(data, at)
        sheet = found[name] = {"count": rows}
        for _ in range(columns):
            n, at = number(data, at)
            column, at = data[at:at + n].decode(), at + n
            kind, at = chr(data[at]), at + 1
            size, at = number(data, at)
            values = numbers(data[at:at + size], kind, rows)
            assert kind != "u" or max(values, default=0) < 2**32, f"{name}.{column} is wide"
            sheet[column] = [texts[v] for v in values] if kind == "s" else values
            at += size
        assert at == len(data), f"the sheet {name} has bytes left"
    return found


def sources_of(page):
    """{row of the sheet sources: {line number: text}}"""
    found = {}
    for attributes, content in page.scripts:
        if "data-source" not in attributes:
            continue
        data, ranges, lines = inflated(content), [], {}
        count, at = number(data, 0)
        for _ in range(count):
            first, at = number(data, at)
            n, at = number(data, at)
            ranges.append((first, n))
        text = iter(data[at:].decode().split("\n"))
        for first, n in ranges:
            lines.update((first + i, next(text)) for i in range(n))
        assert list(text) == [""], "a source has text left"
        found[int(attributes["data-source"])] = lines
    return found
