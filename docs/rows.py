# SPDX-License-Identifier: MIT
"""rows.py: reads what the documents are made of: the rows of .def files, and the structures, enumerations and comments
of headers."""

import ast
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOKEN = re.compile(r'\s+|/\*.*?\*/|//[^\n]*|("(?:[^"\\]|\\.)*")|(\'(?:[^\'\\]|\\.)*\')|(\w+)|(.)', re.S)
FILE_PART = "/* ================= the file ================= */"
BASE = {"char": 1, "uint8_t": 1, "uint16_t": 2, "uint32_t": 4, "int32_t": 4, "uint64_t": 8, "int64_t": 8}


def text_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def exists(path):
    return os.path.exists(os.path.join(ROOT, path))


def string_value(literal):
    return ast.literal_eval(literal)


def rows_of(path, macro):
    """The rows `macro(...)` of a .def file, each a list of its arguments: strings unquoted, all else as written."""
    text, rows = re.sub(r"^\s*#[^\n]*(\\\n[^\n]*)*", "", text_of(path), flags=re.M), []
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    for start in re.finditer(rf"\b{macro}\(", text):
        depth, arguments, at = 1, [""], start.end()
        is_string = [False]
        while depth:
            token = TOKEN.match(text, at)
            at = token.end()
            literal, letter, word, sign = token.groups()
            if literal:
                arguments[-1] += string_value(literal)
                is_string[-1] = True
            elif letter:
                arguments[-1] += string_value(letter)
            elif sign == "," and depth == 1:
                arguments.append("")
                is_string.append(False)
            elif sign == ")" and depth == 1:
                depth = 0
            elif word or sign:
                depth += {"(": 1, ")": -1}.get(sign, 0)
                arguments[-1] += (" " if word and re.search(r"\w$", arguments[-1]) else "") + (word or sign)
        rows.append(arguments)
    return rows


def head_comment(path):
    """The comment that says what a file is, without its markers; lines keep their indentation."""
    comment = re.findall(r"/\*(.*?)\*/", text_of(path), re.S)[1]
    first, *rest = comment.split("\n")
    return "\n".join([first.strip(), *(re.sub(r"^ ?\*? ?", "", line, count=1) for line in rest)]).rstrip()


def flow(comment):
    """A comment's words, without its markers."""
    words = re.sub(r"\s*\n\s*(\* )?", " ", comment.strip())
    return re.sub(r"^-{3,}\s*|\s*-{3,}$", "", words).strip()


class Header:
    """The structures of a header, with what their comments say. Sizes are those of x86-64: natural alignment."""

    def __init__(self, paths):
        self.numbers, self.sizes, self.items = {}, dict(BASE), []
        self.alignments = {name: size for name, size in BASE.items()}
        for path in paths:
            self.read(text_of(path))

    def value(self, text):
        text = re.sub(r"\b(\d+)[uU][lL]*\b", r"\1", text.strip())
        text = re.sub(r"UINT64_C\((\w+)\)", r"\1", text)
        text = re.sub(r"[A-Za-z_]\w*", lambda name: str(self.numbers[name[0]]), text)
        return int(eval(text.replace("/", "//"), {"__builtins__": {}}))      # digits and signs are all that is left

    def read(self, text):
        for name, body in re.findall(r"^#define (PP_\w+)[ \t]+(.+?)(?:\s*/\*.*)?$", text, re.M):
            try:
                self.numbers[name] = self.value(body)
            except (KeyError, SyntaxError, NameError, ValueError, TypeError):
                continue
        for count, table in (("PP_LOSS_COUNT", "PP_LOSS"), ("PP_GIVEN_COUNT", "PP_GIVEN")):
            if f"#define {table}" in text or f"({table})" in text:
                self.numbers[count] = len(re.findall(rf"^\s+{table}\(", text, re.M))
        self.numbers["PP_METRIC_COUNT"] = len(rows_of("include/profplug/abi/metric.def", "PP_METRIC"))
        if FILE_PART in text:                    # what stands before is the memory that emitted code touches
            text = re.search(r"^struct pp_site \{.*?\};\n", text, re.M | re.S)[0] + text.split(FILE_PART)[1]
        at = 0
        for item in re.finditer(r"^(enum|struct) (\w+) \{(.*?)\};[ \t]*(/\*.*?\*/)?", text, re.M | re.S):
            before = text[at:item.start()]
            comments = re.findall(r"^/\*((?:[^*]|\*(?!/))*)\*/", before, re.M)
            intro = [flow(said) for said in comments if "=====" not in said]
            section = re.findall(r"/\* ---- ([^\n:]+?)(?::| ----)", before)
            after = flow(item[4][2:-2]) if item[4] else ""
            kind, name, body = item[1], item[2], item[3]
            told = {"kind": kind, "name": name, "intro": intro, "after": after}
            section = section[-1] if section else ""
            if kind == "enum" and "#" in body:
                self.enum(re.sub(r"^#.*|PP_LOSSES.*|PP_GIVEN_UP.*", "", body, flags=re.M))
            elif kind == "enum":
                self.items.append(told | {"section": section, "values": self.enum(body)})
            else:
                fields, size, alignment = self.fields(body)
                self.sizes[f"struct {name}"], self.alignments[f"struct {name}"] = size, alignment
                self.items.append(told | {"section": section, "fields": fields, "size": size})
            at = item.end()

    def enum(self, body):
        """(name, meaning) in order; what comes from rows has no names here."""
        values = []
        for name, comment in re.findall(r"(\bPP_\w+)\s*,?[ \t]*(?:/\*(.*?)\*/)?", body, re.S):
            if name.endswith("_COUNT") or not name.isupper():
                continue
            self.numbers[name] = len(values)
            values.append((name, flow(comment)))
        if "COUNT" in body:
            for name in re.findall(r"\bPP_\w+_COUNT\b", body):
                self.numbers.setdefault(name, len(values))
        return values

    def fields(self, body):
        """(offset, type, names, meaning) of each declaration."""
        if "site.def" in body:
            rows = rows_of("include/profplug/abi/site.def", "PP_SITE_FIELD")
            body = "".join(f"{kind} {name}; /* {meaning} */\n" for kind, _, name, meaning in rows)
        body = re.sub(r"(/\*[^;]*?\*/)\s*;", r"; \1", body)          # a comment before the semicolon
        fields, offset, most, pending = [], 0, 1, ""
        for piece in re.finditer(r"/\*(.*?)\*/|((?:struct )?\w+)\s+([^;/]+);", body, re.S):
            if piece[1] is not None:
                line_before = body[:piece.start()].rsplit("\n", 1)[-1]
                if fields and line_before.strip():
                    kept = fields[-1]
                    fields[-1] = (*kept[:3], (kept[3] + " " + flow(piece[1])).strip())
                else:
                    pending = flow(piece[1])
                continue
            kind, declarators = piece[2], piece[3]
            size, alignment = self.sizes[kind], self.alignments[kind]
            offset = -(-offset // alignment) * alignment
            most, first, names = max(most, alignment), offset, []
            for declarator in declarators.split(","):
                name, length = re.match(r"\s*(\w+)\s*(?:\[(.*)\])?\s*$", declarator).groups()
                names.append(declarator.strip())
                offset += size * (1 if length is None else self.value(length) if length else 0)
            fields.append((first, kind, names, pending))
            pending = ""
        return fields, -(-offset // most) * most, most
