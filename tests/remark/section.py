# SPDX-License-Identifier: MIT
"""section.py: reads section profplug_remarks of an object or a linked file, by the words of abi/remark.h. It shares no code with the report."""
import collections
import os
import re
import struct
import subprocess

ROOT = os.path.realpath(f"{os.path.dirname(os.path.abspath(__file__))}/../..")
ROWS = re.findall(r'^PP_REMARK\((\w+),\s+"(\w+)",\s+"([^"]*)"\)', open(f"{ROOT}/include/profplug/abi/remark.def").read(), re.M)
Remark = collections.namedtuple("Remark", "symbol source kind file line loop value detail why")


def number_of(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def sections_of(path):
    """The sections of that name, of which an object has one more for each COMDAT group."""
    with open(path, "rb") as file:
        data = file.read()
    start, (size, count, names) = struct.unpack_from("<Q", data, 40)[0], struct.unpack_from("<HHH", data, 58)
    count = count or struct.unpack_from("<Q", data, start + 32)[0]             # more sections than fit in the header
    names = struct.unpack_from("<I", data, start + 40)[0] if names == 0xffff else names
    heads = [struct.unpack_from("<IIQQQQ", data, start + i * size) for i in range(count)]
    texts = heads[names][4]
    return [data[offset:offset + length] for name, _, _, _, offset, length in heads if data[texts + name:].startswith(b"profplug_remarks\0")]


def chunk_read(data, at, remarks):
    count, at = number_of(data, at)
    texts = []
    for _ in range(count):
        end = data.index(0, at)
        texts.append(data[at:end].decode())
        at = end + 1
    functions, at = number_of(data, at)
    for _ in range(functions):
        symbol, at = number_of(data, at)
        source, at = number_of(data, at)
        records, at = number_of(data, at)
        for _ in range(records):
            length, at = number_of(data, at)
            fields, end = [], at + length
            while at < end:
                field, at = number_of(data, at)
                fields.append(field)
            kind, file, line, loop, value, detail, why = fields
            value = -(value + 1) // 2 if value & 1 else value // 2
            remarks.append(Remark(texts[symbol], texts[source], ROWS[kind][1], texts[file], line, loop, value, texts[detail], texts[why]))
    return at


def remarks_of(path):
    """Remarks of every chunk of the section, which must be read to its last byte."""
    remarks = []
    for data in sections_of(path):
        at = 0
        while at < len(data):
            size = int.from_bytes(data[at:at + 4], "little")
            if data[at + 4] != 1 or chunk_read(data, at + 5, remarks) != at + size:
                raise SystemExit(f"{path}: the chunk at {at} has not the size that it says")
            at += size
    return remarks


def compile_with(given, source, out, *options):
    compiler = given.cxx if source.endswith(".cc") else given.cc
    done = subprocess.run([compiler, f"-fplugin={given.plugin}", f"-I{ROOT}/include", "-w", "-g", *options, "-c", source, "-o", out], capture_output=True, text=True)
    if done.returncode or "internal compiler error" in done.stderr:
        raise SystemExit(f"{source} {' '.join(options)}: {done.stderr}")
    return remarks_of(out)
