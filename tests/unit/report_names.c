/* SPDX-License-Identifier: MIT */
/* report_names.c: what is shown for a function's name. The long names are what GCC 12 and the demangler gave. */
#include <string.h>

#include "words/shortname.h"
#include "report_file.h"

static struct arena arena;

static void expect(const char *name, const char *wanted)
{
    const char *got = name_short(&arena, name);
    CHECK(strcmp(got, wanted) == 0, "%s became '%s', not '%s'", name, got, wanted);
    CHECK(name_match(name, wanted) == NAME_WHOLLY, "'%s' finds %s", wanted, name);
    CHECK(name_match(name, name) == NAME_WHOLLY, "%s finds itself", name);
}

int main(void)
{
    expect("tone", "tone");
    expect("tostringbuff.part.0.isra", "tostringbuff");
    expect("luaV_concat.part.0", "luaV_concat");
    expect("a.constprop.0.cold", "a");
    expect("bool std::operator< <char, std::char_traits<char>, std::allocator<char> >(std::__cxx11::basic_string<char, std::char_traits<char>, "
           "std::allocator<char> > const&, std::__cxx11::basic_string<char> const&)", "std::operator<<...>");
    expect("std::map<std::__cxx11::basic_string<char>, int>::operator[]", "std::map<...>::operator[]");
    expect("std::map<int, int>::operator[](int const&)", "std::map<...>::operator[]");
    expect("text::counter::ranked() const", "text::counter::ranked");
    expect("text::counter::ranked() const::{lambda(text::word const&, text::word const&)#1}::operator()(text::word const&) const",
           "text::counter::ranked::{lambda#1}::operator()");
    expect("text::counter::ranked::(anonymous)::operator()", "text::counter::ranked::(anonymous)::operator()");
    expect("(anonymous namespace)::draw(int)", "(anonymous)::draw");
    expect("std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char const*)", "std::operator<<<...>");
    expect("shape::operator unsigned int() const", "shape::operator unsigned int");
    expect("operator new(unsigned long)", "operator new");
    expect("std::__cxx11::to_string[abi:cxx11](unsigned int)", "std::to_string");
    expect("fold<(kind)3, (1>0)>(int (*)(int))", "fold<...>");
    expect("image::operator->() const", "image::operator->");
    expect("main::{lambda(int)#2}::operator()(int) const [clone .isra.0]", "main::{lambda#2}::operator()");
    expect("broken<<<(", "broken<...>");
    expect("f<>::g<>::h<>::i<>", "f<...>::g<...>::h<...>::i<...>");
    expect("<", "<");
    expect("", "");
    CHECK(name_match("std::map<int, int>::operator[](int const&)", "operator[]") == NAME_PARTLY, "unqualified");
    CHECK(name_match("text::counter::ranked() const", "counter::ranked") == NAME_PARTLY, "the last scopes");
    CHECK(name_match("text::counter::ranked() const", "anked") == NAME_OTHER, "half a name");
    CHECK(name_match("tone", "tone_slowly") == NAME_OTHER && name_match("tone_slowly", "tone") == NAME_OTHER, "another name");
    CHECK(strcmp(name_cut(&arena, "abcdefghijklmnopqrstuvwxyz", 12), "abc...uvwxyz") == 0, "%s", name_cut(&arena, "abcdefghijklmnopqrstuvwxyz", 12));
    CHECK(strcmp(name_cut(&arena, "abcdefghijkl", 12), "abcdefghijkl") == 0, "fits");
    CHECK(strcmp(name_cut(&arena, "äöüäöüäöüäöüäöü", 12), "äöü...öüäöü") != 0, "columns, not bytes");
    CHECK(strcmp(name_cut(&arena, "äöüäöüäöüäöüäöü", 12), "äöü...äöüäöü") == 0, "%s", name_cut(&arena, "äöüäöüäöüäöüäöü", 12));
    CHECK(strcmp(name_fit(&arena, "int text::counter::ranked(int)", 16), "counter::ranked") == 0, "outer scopes go first");
    CHECK(strcmp(name_fit(&arena, "space::a_very_long_name_indeed", 16), "a_ve...me_indeed") == 0, "%s", name_fit(&arena, "space::a_very_long_name_indeed", 16));
    arena_free(&arena);
    puts("names as a person says them");
    return 0;
}
