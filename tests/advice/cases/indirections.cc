/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* indirections.cc: the paint that figures of a drawing need. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>

enum kind { BOX, ROUND, CORNER };

struct figure {
    kind what;
    double width, height;
    explicit figure (kind what, double width, double height) : what (what), width (width), height (height) {}
    virtual ~figure () {}
    virtual double paint () const = 0;
};

struct box : figure {
    box (double w, double h) : figure (BOX, w, h) {}
    double paint () const override { return width * height; }
};

struct rounded : figure {
    rounded (double w, double h) : figure (ROUND, w, h) {}
    double paint () const override { return width * height * 0.78539816339; }
};

struct corner : figure {
    corner (double w, double h) : figure (CORNER, w, h) {}
    double paint () const override { return width * height / 2; }
};

static const unsigned FIGURES = 4096;

static double drawing_paint (figure *const *drawing, unsigned count)
{
    double sum = 0;
    for (unsigned i = 0; i < count; i++) {
        const figure *one = drawing[i];
#ifndef FIXED
        sum += one->paint (); /* @ */
#else
        sum += one->width * one->height * (one->what == BOX ? 1 : one->what == ROUND ? 0.78539816339 : 0.5);
#endif
    }
    return sum;
}

int main (int argc, char **argv)
{
    static figure *drawing[FIGURES];
    unsigned rounds = (unsigned) (20000 * (argc > 1 ? atof (argv[1]) : 1)), state = 3;
    double all = 0;
    for (unsigned i = 0; i < FIGURES; i++) {
        state = state * 1664525u + 1013904223u;
        double w = 1 + (state >> 24), h = 1 + (state >> 16 & 255);
        unsigned what = (state >> 8) % 3;
        drawing[i] = what == 0 ? (figure *) new box (w, h) : what == 1 ? (figure *) new rounded (w, h) : new corner (w, h);
    }
    for (unsigned r = 0; r < rounds; r++) {
        drawing[r % FIGURES]->width += 1;
        all += drawing_paint (drawing, FIGURES);
    }
    std::printf ("%u rounds, %.6g\n", rounds, all);
    return 0;
}
