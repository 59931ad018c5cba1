/* SPDX-License-Identifier: MIT */
/* report_namesakes.c: labels of functions whose short names are the same. */
#include <string.h>

#include "model/namesake.h"
#include "report_file.h"

struct row {
    const char *name;
    uint32_t line;
    const char *label;
};

static void expect(const struct row *row, size_t count)
{
    struct model *m = memory_zeroed(1, sizeof *m);
    for (size_t i = 0; i < count; i++)
        *ARRAY_PUSH(m->function, m->function_count, m->function_capacity) =
            (struct model_function){ .name = row[i].name, .line = row[i].line };
    namesakes_tell(m);
    for (size_t i = 0; i < count; i++)
        CHECK(strcmp(m->function[i].label, row[i].label) == 0, "%s became '%s', not '%s'", row[i].name,
              m->function[i].label, row[i].label);
    model_free(m);
}
#define EXPECT(...) expect((struct row[]){ __VA_ARGS__ }, sizeof(struct row[]){ __VA_ARGS__ } / sizeof(struct row))

int main(void)
{
    EXPECT({ "double work<double>(double)", 5, "work<double>" }, { "float work<float>(float)", 5, "work<float>" },
           { "int work<int>(int)", 5, "work<int>" });
    EXPECT({ "double work<double>(double)", 5, "work<...>" }, { "main", 1, "main" }); /* alone */
    EXPECT({ "std::map<int, long>::at(int const&)", 5, "std::map<..., long>::at" },
           { "std::map<int, char>::at(int const&)", 5, "std::map<..., char>::at" });
    EXPECT({ "a<b<int>, 1>::f<2>()", 5, "a<b<int>, ...>::f<...>" }, { "a<b<char>, 1>::f<2>()", 5, "a<b<char>, ...>::f<...>" });
    EXPECT({ "v<int> a<int>::f<1>()", 5, "a<...>::f<1>" }, { "v<int> a<int>::f<2>()", 5, "a<...>::f<2>" });
    EXPECT({ "draw(int)", 5, "draw(int)" }, { "draw(double, char)", 9, "draw(double, char)" });
    EXPECT({ "draw", 5, "draw" }, { "draw", 9, "draw" }); /* of two files: nothing in the name tells them apart */
    EXPECT({ "main::{lambda(int)#1}::operator()(int) const", 11, "main::{lambda:11}::operator()" },
           { "main::{lambda(int)#2}::operator()(int) const", 12, "main::{lambda:12}::operator()" },
           { "main::{lambda:14}::operator()", 14, "main::{lambda:14}::operator()" },
           { "main::{lambda(int)#1}::operator()(int) const::{lambda()#1}::operator()() const", 13,
             "main::{lambda#1}::operator()::{lambda:13}::operator()" });
    EXPECT({ "main::{lambda(int)#1}::operator()(int) const", 11, "main::{lambda:11#1}::operator()" },
           { "main::{lambda(int)#2}::operator()(int) const", 11, "main::{lambda:11#2}::operator()" },
           { "main::{lambda:11:20}::operator()", 11, "main::{lambda:11:20}::operator()" });
    EXPECT({ "main::{lambda(int)#1}::operator()(int) const", 11, "main::{lambda:11}::operator()(int)" },
           { "main::{lambda(char)#1}::operator()(char) const", 11, "main::{lambda:11}::operator()(char)" });
    EXPECT({ "bool operator< <int>(box<int>, box<int>)", 5, "operator<<int>" },
           { "bool operator< <char>(box<char>, box<char>)", 5, "operator<<char>" });
    EXPECT({ "f<>", 1, "f<>" }, { "f<<<(", 1, "f<<<>" }, { "f<", 2, "f<>" }, { "", 2, "" }, { "f(", 3, "f" }, { "f()", 3, "f" });
    puts("namesakes told apart");
    return 0;
}
