/* SPDX-License-Identifier: MIT */
/* make.c OUT: the data file whose report is compared with what is checked in. */
#include "report_file.h"

int main(int argc, char **argv)
{
    CHECK(argc == 2, "usage: make OUT");
    struct report_file file = report_file_pipeline();
    report_file_header(&file)->losses[PP_LOSS_SAMPLES] = 3;
    report_file_header(&file)->given_up[PP_GIVEN_SAMPLES] = 1200;
    report_file_header(&file)->given_up_ns[PP_GIVEN_SAMPLES] = 250000000;
    report_file_header(&file)->given_up[PP_GIVEN_FUNCTIONS] = 900;
    report_file_header(&file)->given_up_ns[PP_GIVEN_FUNCTIONS] = 10000000;
    report_file_child(&file, 4194302, "child.profplug");
    report_file_write(&file, argv[1]);
    report_file_free(&file);
    return 0;
}
