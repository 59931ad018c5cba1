/* SPDX-License-Identifier: MIT */
/* html.c: the report as one page, see page.h. */
#include "export/export.h"
#include "page/page.h"

void export_html(FILE *out, const struct model *model, const struct view *view)
{
    page_write(out, model, view);
}
