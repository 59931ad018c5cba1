# SPDX-License-Identifier: MIT
"""compare.py TOOL FOLDER VARIANT: profplug's function, file and line of 2,000 instructions, inlined frames included, must be eu-addr2line's.

A disagreement is put down to a cause, printed and bounded; one without a cause fails the test.
  padding   Fill between two functions, which no function's symbol covers and nothing executes: eu-addr2line lets the last row of the line
            table run on into it.
  chain     eu-addr2line leaves out or repeats frames of an inlined chain, or takes another sibling where two overlap; file and line agree, and the
            chain of another reader (llvm-symbolizer, else binutils' addr2line) is ours.
Variants of one program whose addresses are the same are also compared with each other (split and unsplit, with and without dwz)."""
import os
import random
import shutil
import sys

from specimen import addr2line, build, instructions, named_symbols, need, place, profplug, run, sample, sized_symbols

BOUND = {"padding": 0.01, "chain": 0.01}


def same_name(frame, theirs):
    function, linkage_name, _, _ = frame
    return theirs in (function, linkage_name) or (function and theirs and function.endswith("::" + theirs))


def same(ours, theirs):
    return len(ours) == len(theirs) and all(same_name(a, b[0]) and a[2:] == b[1:] for a, b in zip(ours, theirs))


def same_base(ours, theirs):
    """addr2line may name the wrong file under DWARF 5, so files are compared in DWARF 4 only; functions and lines always."""
    return len(ours) == len(theirs) and all(same_name(a, b[0]) and a[3] == b[2] for a, b in zip(ours, theirs))


def confirmed(program, address, ours):
    """Another reader has our chain. They name the outermost frame, and addr2line some others, by the symbol table, so lines must do there."""
    if shutil.which("llvm-symbolizer"):
        rows = run(["llvm-symbolizer", "--no-demangle", "-e", program, f"{address:#x}"]).split("\n")
        theirs = [(name, *place(at)) for name, at in zip(rows[0::2], rows[1::2]) if name]
        return [frame[3] for frame in ours] == [frame[2] for frame in theirs] and same_base(ours[:-1], theirs[:-1])
    return [frame[3] for frame in ours] == [frame[2] for frame in addr2line(program, [address], "binutils")[address]]


def cause(program, address, ours, theirs, symbols):
    if not any(first <= address < past for first, past in symbols):
        return "padding"
    if ours[0][2:] == theirs[0][1:] and confirmed(program, address, ours):
        return "chain"
    return None


def show(frames):
    return " < ".join(f"{frame[0]} {os.path.basename(frame[-2] or '??')}:{frame[-1]}" for frame in frames) or "nothing"


def against_eu(tool, program, options=(), symbols_of=None, limit=2000):
    addresses = sample(symbols_of or program, limit)
    ours, said = profplug(tool, program, addresses, *options)
    theirs = addr2line(program, addresses, "eu")
    symbols, counts, failed = sized_symbols(symbols_of or program), {}, 0
    empty = [(None, None, 0)]
    for address in addresses:
        a, b = ours[address] or [(None, None, None, 0)], theirs[address] or empty
        if same(a, b):
            continue
        why = cause(program, address, a, b, symbols)
        counts[why] = counts.get(why, 0) + 1
        if not why or counts[why] <= 3:
            print(f"{address:#x} ({why or 'NO CAUSE'})\n  profplug: {show(a)}\n  eu:       {show(b)}")
        failed += not why
    deep = sum(len(frames) > 1 for frames in ours.values())
    known = sum(bool(frames and frames[0][2] and frames[0][3]) for frames in ours.values())
    print(f"{program}: {len(addresses)} addresses, {known} with a line, {deep} in inlined code; disagreements by cause: {counts or 'none'}")
    assert len(addresses) >= min(limit, 2000), "too few instructions to be a test"
    assert known > 0.9 * len(addresses), "eu-addr2line and we agree, but on nothing"
    assert deep > 0.2 * len(addresses) or "unoptimized" in program, "hardly any inlined frames: not the program this test is meant for"
    assert not failed, f"{failed} disagreements without a cause"
    for why, count in counts.items():
        assert count <= BOUND[why] * len(addresses), f"{count} disagreements by {why}"
    assert not said, said


def against_plain(tool, program, plain, all_options=()):
    """Every instruction, all frames, equal to those of the same program in another form."""
    addresses = instructions(plain)
    assert addresses == instructions(program), "the two forms differ in code: not comparable"
    ours, said = profplug(tool, program, addresses, *all_options)
    theirs, _ = profplug(tool, plain, addresses)
    strip = lambda frames: [(f[0], f[1], f[2] and os.path.basename(f[2]), f[3]) for f in frames]
    wrong = [at for at in addresses if strip(ours[at]) != strip(theirs[at])]
    for at in wrong[:5]:
        print(f"{at:#x}\n  this:  {show(ours[at])}\n  plain: {show(theirs[at])}")
    print(f"{program}: {len(addresses)} addresses, {len(wrong)} differ from {plain}")
    assert not wrong and not said, said


def debug_link(folder):
    program = build("pie", os.path.join(folder, "link"))
    shutil.copy(program, program + ".whole")
    run(["objcopy", "--only-keep-debug", program, program + ".debug"])
    run(["objcopy", "--strip-all", program])
    run(["objcopy", "--add-gnu-debuglink=program.debug", program], cwd=os.path.dirname(program))
    return program


def main(tool, folder, variant):
    folder = os.path.join(folder, variant)
    if variant == "debuglink":
        program = debug_link(folder)
        against_eu(tool, program, symbols_of=program + ".whole")
    elif variant == "buildid":
        program = debug_link(folder)
        build_id = run(["readelf", "-n", program]).split("Build ID: ")[1].split()[0]
        where = os.path.join(folder, "debug", ".build-id", build_id[:2])
        os.makedirs(where, exist_ok=True)
        os.replace(program + ".debug", os.path.join(where, build_id[2:] + ".debug"))
        against_plain(tool, program, program + ".whole", ("--debug-directory", os.path.join(folder, "debug")))
    elif variant in ("split4", "split5"):
        plain = build("plain" + variant[-1], folder)
        against_eu(tool, plain)
        against_plain(tool, build(variant, folder), plain)
    elif variant in ("dwz4", "dwz5"):
        need("dwz")
        plain = build("dwarf" + variant[-1], folder)
        one, two = os.path.join(folder, "one"), os.path.join(folder, "two")
        shutil.copy(plain, one)
        shutil.copy(plain, two)
        run(["dwz", "-m", os.path.join(folder, "shared.debug"), "-M", os.path.join(folder, "shared.debug"), one, two])
        assert ".gnu_debugaltlink" in run(["readelf", "-SW", one]), "dwz shared nothing: not the file this test is meant for"
        against_plain(tool, one, plain)
    elif variant in ("openmp4", "openmp5"):
        # eu-addr2line leaves out what was inlined in a region, and binutils names the outermost function in place of some others.
        program = build(variant, folder)
        regions = [bounds for bounds, name in named_symbols(program) if "._omp_fn." in name]
        addresses = [at for at in instructions(program) if any(first <= at < past for first, past in regions)]
        ours, said = profplug(tool, program, addresses)
        theirs, eu = addr2line(program, addresses, "binutils"), addr2line(program, addresses, "eu")
        wrong = [at for at in addresses if [f[3] for f in ours[at]] != [f[2] for f in theirs[at]] or ours[at][0][2:] != eu[at][0][1:]]
        deep = [at for at in addresses if len(ours[at]) > 1]
        wrong += [at for at in random.Random(1).sample(deep, 40) if shutil.which("llvm-symbolizer") and not confirmed(program, at, ours[at])]
        for at in wrong[:5]:
            print(f"{at:#x}\n  profplug: {show(ours[at])}\n  addr2line: {show(theirs[at])}")
        print(f"{program}: {len(regions)} regions, {len(addresses)} addresses, {len(deep)} in inlined code, {len(wrong)} disagreements")
        assert not wrong and not said and len(regions) > 2 and len(deep) > 0.4 * len(addresses)
    elif variant in ("lto4", "lto5"):
        program = build(variant, folder)
        addresses = sample(program)
        ours, _ = profplug(tool, program, addresses)
        theirs = addr2line(program, addresses, "binutils")         # eu-addr2line does not follow references into other units
        symbols, wrong, fill = sized_symbols(program), [], 0
        for at in addresses:
            if not same_base(ours[at] or [(None, None, None, 0)], theirs[at]):
                covered = any(first <= at < past for first, past in symbols)
                fill += not covered
                wrong += [at] * covered
        for at in wrong[:5]:
            print(f"{at:#x}\n  profplug: {show(ours[at])}\n  addr2line: {show(theirs[at])}")
        deep = sum(len(frames) > 1 for frames in ours.values())
        print(f"{program}: {len(addresses)} addresses, {deep} in inlined code, {fill} disagreements by padding, {len(wrong)} without a cause")
        assert not wrong and fill <= 0.01 * len(addresses) and deep > 0.2 * len(addresses)
    else:
        against_eu(tool, build(variant, folder))


main(*sys.argv[1:])
