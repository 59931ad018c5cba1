# SPDX-License-Identifier: MIT
"""projects.py: the table of other people's projects: where their sources are had, how each is configured, built, tested and installed by its
own build system, how its own tests' outcomes are read. Must not know compilers, nor what is asserted.

Commands are shell, run in an empty folder with SRC (a copy of the sources of its own), CC, CXX, JOBS, DEST and CACHE set."""
import re

# What suites print about each of their tests; group 1 is the outcome where it is a word in capitals or Passed, else group 1 names the test.
AUTOMAKE = r"^(PASS|FAIL|SKIP|XFAIL|XPASS|ERROR): (.+)$"
CTEST = r"^ *\d+/\d+ +Test +#\d+: (\S+) \.*[ *]*(Passed|Failed|Not Run|Timeout|SEGFAULT|Exception)"
MESON = r"^ *\d+/\d+ (.+?) +(OK|FAIL|SKIP|TIMEOUT|ERROR)\b"
UNITY = r"^\S*?([^/\s]+:\d+:\w+):(PASS|FAIL|IGNORE)"
TESTFIXTURE = r"^(\S+)\.\.\. (Ok|\S.*)$"
SHELL = r"^ran: (.+): (\d+)$"


class Step:
    """A command of a suite: lines that match PATTERN are its tests, at least LEAST of them; a LITERAL one prints the same to the byte; an EXTRA
    one needs the pieces of Lua's test suite in CACHE/fengari."""

    def __init__(self, command, pattern, least, literal=False, extra=False):
        self.command, self.pattern, self.least, self.literal, self.extra = command, re.compile(pattern, re.M), least, literal, extra


class Project:
    def __init__(self, name, package, marker, system, configure, build, tests, functions, install=None, answers=(), needs=()):
        self.name, self.package, self.marker, self.system = name, package, marker, system
        self.configure, self.build, self.tests, self.install = configure, build, tests, install
        self.functions = functions          # some of the project's own that its tests are sure to call
        self.answers = answers              # files, relative to the build folder, that hold what was found at the configure step
        self.needs = needs                  # programs without which there is nothing to do


def each(pattern, command):
    """Runs COMMAND for each file $f of PATTERN and says the exit status of each, as SHELL reads it."""
    return f'for f in {pattern}; do {command}; s=$?; echo "ran: $(basename "$f"): $s"; done'


PROJECTS = [
    Project("bzip2", "bzip2", "bzlib.c", "make", "cp -a $SRC/. .", 'make -j$JOBS CC="$CC" bzip2 bzip2recover && cp -a $SRC shared && make -C shared -f Makefile-libbz2_so CC="$CC"',
            [Step('make CC="$CC" check', r"^(cmp) (.+)$", 6, literal=True),
             Step("for n in 1 2 3; do LD_LIBRARY_PATH=shared shared/bzip2-shared -k -$n -c sample$n.ref | cmp - sample$n.bz2; echo \"ran: shared $n: $?\"; done", SHELL, 3, literal=True)],
            ["BZ2_compressBlock", "BZ2_decompress", "fallbackSort", "compressStream"], install='make CC="$CC" PREFIX=$DEST/usr install'),

    Project("zlib", "zlib", "zlib.h", "configure of its own", "CFLAGS='-O3 -Wall' sh $SRC/configure", "make -j$JOBS",
            [Step("make check", r"^\s+\*\*\* (.+) (OK|FAILED) \*\*\*$", 3)],
            ["deflate", "inflate", "deflate_stored|deflate_fast|deflate_slow", "gzwrite", "inflate_fast|inflate_table"],
            install="make install DESTDIR=$DEST", answers=("Makefile", "zconf.h", "zlib.pc")),

    Project("zlib-lto", "zlib", "zlib.h", "configure of its own, -flto", "CFLAGS='-O3 -flto -Wall' sh $SRC/configure", "make -j$JOBS",
            [Step("make check", r"^\s+\*\*\* (.+) (OK|FAILED) \*\*\*$", 3)], ["deflate", "inflate", "gzwrite"], answers=("Makefile", "zconf.h", "zlib.pc")),

    Project("libpng", "libpng1.6", "png.c", "autotools", "$SRC/configure --disable-silent-rules --prefix=/usr CFLAGS='-O2 -Wall'", "make -j$JOBS",
            [Step("make -j$JOBS check", AUTOMAKE, 30)], ["png_read_info", "png_write_row", "png_read_filter_row|png_read_row", "png_set_IHDR"],
            install="make install DESTDIR=$DEST", answers=("config.h", "Makefile", "libtool", "libpng.pc")),

    Project("sqlite", "sqlite3", "src/btree.c", "autoconf and libtool",
            "$SRC/configure --prefix=/usr --with-tcl=/usr/lib/tcl8.6 --disable-static CFLAGS='-O2 -g' TCLLIBDIR=/usr/lib/tcltk", "make -j$JOBS sqlite3 testfixture",
            [Step("mkdir -p t && cd t && for n in select1 select4 insert where join btree01 index trigger1 fts3aa json101 savepoint vacuum wal with1 window1 "
                  "alter pager1 corrupt collate1 func malloc3 thread1 shared crash2 fkey1 lock atof1 boundary1 capi3 expr in subquery; do "
                  "../testfixture $SRC/test/$n.test; echo \"ran: $n: $?\"; done", TESTFIXTURE, 5000)],
            ["sqlite3VdbeExec", "sqlite3BtreeInsert", "sqlite3Select", "sqlite3RunParser|sqlite3Parser"], needs=("tclsh",), install="make install DESTDIR=$DEST",
            answers=("Makefile", "libtool", "sqlite_cfg.h", "sqlite3.pc")),

    Project("zstd", "libzstd", "lib/zstd.h", "make", "cp -a $SRC/. .",
            'make -j$JOBS -C lib libzstd.a libzstd && make -j$JOBS -C programs zstd && make -j$JOBS -C tests datagen fuzzer zstreamtest invalidDictionaries legacy '
            'poolTests decodecorpus',
            [Step("cd tests && ./fuzzer -v -s1 -i60", r"^test *([\d.]+ *:.*?):? *(OK)\b", 60),
             Step("cd tests && ./zstreamtest -v -s1 -i40", r"^test *([\d.]+ *:.*?):? *(OK)\b", 40),
             Step("cd tests && for t in invalidDictionaries legacy poolTests; do ./$t; echo \"ran: $t: $?\"; done", SHELL, 3),
             Step("cd tests && ./cli-tests/run.py --zstd=$PWD/../programs/zstd --datagen=$PWD/datagen", r"^(PASS|FAIL)\w*:? (.+)$", 1)],
            ["ZSTD_compressBlock_fast.*", "ZSTD_decompressBlock_internal.*", "HUF_.*", "FIO_.*"], install="make -C lib install DESTDIR=$DEST PREFIX=/usr"),

    Project("zstd-lto", "libzstd", "lib/zstd.h", "meson, -flto", "meson setup -Db_lto=true -Dbin_tests=false -Ddefault_library=static $PWD $SRC/build/meson", "ninja -j$JOBS",
            [Step("for l in 1 3 9 19; do ./programs/zstd -q -$l -c $SRC/lib/compress/zstd_compress.c | ./programs/zstd -d | cmp - $SRC/lib/compress/zstd_compress.c; "
                  "echo \"ran: level $l: $?\"; done", SHELL, 4, literal=True)],
            ["ZSTD_.*", "FIO_.*"], needs=("meson", "ninja"), answers=("build.ninja",)),

    Project("expat", "expat", "expat/lib/expat.h", "cmake", "cmake -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr $SRC/expat", "make -j$JOBS VERBOSE=1",
            [Step("ctest", CTEST, 2), Step("./tests/runtests -v", r"^(PASS|FAIL)[: ]+(.+)$", 200), Step("./tests/runtestspp", r"^(\d+%): (Checks: .*)$", 1)],
            ["XML_ParseBuffer|XML_Parse", "doContent", "doProlog", "storeAtts"], install="make install DESTDIR=$DEST",
            answers=("expat_config.h", "CMakeCache.txt")),

    Project("expat-autotools", "expat", "expat/lib/expat.h", "autotools, libtool with C++, -Werror",
            "cp -a $SRC/expat s && (cd s && ./buildconf.sh) >/dev/null 2>&1 && s/configure --disable-silent-rules --prefix=/usr --without-docbook "
            "CFLAGS='-O2 -g -Wall -Werror' CXXFLAGS='-O2 -g -Wall -Werror'", "make -j$JOBS",
            [Step("make -j$JOBS check", AUTOMAKE, 2)], ["XML_ParseBuffer|XML_Parse", "doContent", "doProlog", "storeAtts"], needs=("autoreconf", "libtoolize"),
            install="make install DESTDIR=$DEST", answers=("expat_config.h", "Makefile", "libtool", "lib/Makefile", "expat.pc")),

    Project("libyaml", "libyaml", "include/yaml.h", "cmake, shared", "cmake -DCMAKE_BUILD_TYPE=RelWithDebInfo -DBUILD_SHARED_LIBS=ON -DBUILD_TESTING=ON -G Ninja $SRC",
            "ninja -j$JOBS -v",
            [Step("ctest", CTEST, 2),
             *[Step(each("$SRC/examples/*.yaml", f"./{t} $f"), SHELL, 9, literal=True) for t in ("run-scanner", "run-parser", "run-loader", "run-emitter", "run-dumper")],
             *[Step(each("$SRC/examples/*.yaml", f"./{t} < $f"), SHELL, 9, literal=True) for t in ("run-parser-test-suite", "example-reformatter", "example-deconstructor")]],
            ["yaml_parser_fetch_more_tokens|yaml_parser_fetch_next_token", "yaml_parser_parse", "yaml_emitter_emit"], needs=("ninja",),
            install="DESTDIR=$DEST ninja install", answers=("include/config.h", "CMakeCache.txt", "build.ninja")),

    Project("libyaml-lto", "libyaml", "include/yaml.h", "cmake, interprocedural",
            "cmake -DCMAKE_BUILD_TYPE=Release -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON -DCMAKE_POLICY_DEFAULT_CMP0069=NEW -DBUILD_TESTING=ON $SRC", "make -j$JOBS VERBOSE=1",
            [Step("ctest", CTEST, 2), *[Step(each("$SRC/examples/*.yaml", f"./{t} < $f"), SHELL, 9, literal=True) for t in ("run-parser-test-suite", "example-reformatter")]],
            ["yaml_parser_fetch_more_tokens", "yaml_emitter_emit"], answers=("include/config.h", "CMakeCache.txt")),

    Project("cjson", "cjson", "cJSON.c", "cmake, -Werror", "cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DENABLE_CJSON_UTILS=On -DENABLE_SANITIZERS=Off -DENABLE_CJSON_TEST=On $SRC", "make -j$JOBS VERBOSE=1",
            [Step("ctest -V", CTEST, 15), Step("cd tests && " + each("$(find . -maxdepth 1 -type f -perm -1 ! -name '*.so*' | sort)", "$f"), UNITY, 90)],
            ["cJSON_ParseWithLengthOpts", "parse_value", "print_value", "cJSONUtils_.*"], install="make install DESTDIR=$DEST",
            answers=("CMakeCache.txt", "libcjson.pc", "compile_commands.json")),

    Project("tinyxml2", "tinyxml2", "tinyxml2.cpp", "meson, C++", "meson setup $PWD $SRC", "ninja -j$JOBS -v",
            [Step("meson test --no-rebuild", MESON, 1), Step("cp -r $SRC/resources . && ./xmltest", r"^\[(pass|fail)\] *(.*)$", 250)],
            ["tinyxml2::XMLDocument::Parse.*", "tinyxml2::XMLNode::ParseDeep.*", "tinyxml2::XMLPrinter::.*"], needs=("meson", "ninja"),
            install="DESTDIR=$DEST meson install --no-rebuild", answers=("build.ninja", "compile_commands.json")),

    Project("tinyxml2-make", "tinyxml2", "tinyxml2.cpp", "make, C++", "cp -a $SRC/. .", 'make -j$JOBS CXX="$CXX"',
            [Step('make CXX="$CXX" test', r"^\[(pass|fail)\] *(.*)$", 250)], ["tinyxml2::XMLDocument::Parse.*", "tinyxml2::XMLNode::ParseDeep.*"]),

    Project("lz4", "lz4", "lib/lz4.h", "make", "cp -a $SRC/. .", 'make -j$JOBS CC="$CC" lib lz4 && make -j$JOBS -C tests CC="$CC" datagen fuzzer frametest decompress-partial '
            'decompress-partial-usingDict checkFrame',
            [Step('make CC="$CC" check', r"^(.*(?:datagen|/lz4|diff|cmp|cat) .+)$", 60),
             Step("cd tests && ./fuzzer -v -s1 -i40 -t0", r"^ *(\d+ */ +\d+ +- )(all tests completed)", 1),
             Step("cd tests && ./frametest -v -s1 -i40", r"^(\S.*?) : +(.*)$", 40),
             Step('make CC="$CC" -C tests freestanding >/dev/null && cd tests && ./freestanding; echo "ran: freestanding: $?"', SHELL, 1, literal=True),
             Step('make CC="$CC" -C tests test-decompress-partial', r"^(test \S+) (OK)", 2)],
            ["LZ4_compress_.*", "LZ4_decompress_.*", "LZ4F_.*"], install='make CC="$CC" -C lib install DESTDIR=$DEST PREFIX=/usr'),

    # The suite of Lua is not among what Debian ships: `make test` says the version. fengari keeps the suite's pieces as text in its own
    # tests; they are written for 5.3, and what 5.4 refuses of them it has to refuse alike.
    Project("lua", "lua5.4", "src/lvm.c", "make", "cp -a $SRC/. .", 'make -j$JOBS CC="$CC -std=gnu99" linux',
            [Step('make test', r"^(Lua 5[.\d]+) +(Copyright)", 1),
             Step("for f in $(ls $CACHE/fengari/pieces/*.lua); do timeout 60 ./src/lua -e 'math.randomseed(1)' $f 2>&1 | tail -n 1 | sed 's/0x[0-9a-f]*//g'; "
                  "s=${PIPESTATUS[0]}; echo \"ran: $(basename $f): $s\"; done", SHELL, 300, extra=True)],
            ["luaV_execute", "luaH_get.*", "luaD_.*", "lua_newstate"], install="make install INSTALL_TOP=$DEST/usr/local"),
]
