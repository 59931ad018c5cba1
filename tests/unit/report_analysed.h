/* SPDX-License-Identifier: MIT */
/* report_analysed.h: the model of a data file that a test has written. It must not know what the test asserts. */
#ifndef REPORT_ANALYSED_H
#define REPORT_ANALYSED_H

#include "report_file.h"

#include "estimate/analyse.h"
#include "read/profile.h"

/* Writes the file to `path`, a template of mkstemp's, reads it back and frees it. */
static inline struct model *report_analysed(struct report_file *file, char *path)
{
    char error[READER_ERROR_BYTES];
    struct names names = { 0 };
    report_file_write(file, path);
    struct profile *profile = reader_open(path, error);
    CHECK(profile, "%s", error);
    struct model *model = merge_profile(profile, &names);
    analyse(model, &names, profile);
    names_free(&names);
    reader_close(profile);
    report_file_free(file);
    return model;
}

#endif
