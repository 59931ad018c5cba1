/* SPDX-License-Identifier: MIT */
/* page.c: see page.h. The order of the file, and its policy: no request, and no script or style but its own. */
#include "page/page.h"

#include "page/bundle.h"
#include "page/digest.h"
#include "page/markup.h"
#include "sheet/packing.h"
#include "sheet/sheet.h"

/* The first frame shows what ran and what to change. Laying out the rest takes longer than all before, so it follows
 * that frame. A hidden tab has no frames, and shows all. */
static const char early_script[] =
    "if(!document.hidden){const c=document.documentElement.classList;c.add('early');"
    "requestAnimationFrame(()=>setTimeout(()=>c.remove('early')))}";

static void digest_write(FILE *out, const char *from, const char *end)
{
    unsigned char digest[DIGEST_BYTES];
    digest_sha256(from, (size_t)(end - from), digest);
    fputs("'sha256-", out);
    base64_write(out, digest, sizeof digest);
    fputs("'", out);
}

static void head_write(FILE *out, const struct model *model)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; "
          "form-action 'none'; img-src data:; script-src ",
          out);
    digest_write(out, early_script, early_script + sizeof early_script - 1);
    fputs(" ", out);
    digest_write(out, bundle_script, bundle_script_end);
    fputs("; style-src ", out);
    digest_write(out, bundle_style, bundle_style_end);
    fputs("\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"profplug "
          PROFPLUG_VERSION "\">\n<link rel=\"icon\" href=\"data:,\">\n",
          out);
    markup_print(out, "<title>%s - profplug</title>\n<style>", path_short(model->run.program));
    fwrite(bundle_style, 1, (size_t)(bundle_style_end - bundle_style), out);
    fprintf(out, "</style>\n<script>%s</script>\n</head>\n", early_script);
}

void page_write(FILE *out, const struct model *model, const struct view *view)
{
    head_write(out, model);
    fputs("<body>\n", out);
    plain_head(out, model);
    fputs("<div id=\"shell\"></div>\n<main id=\"plain\">\n", out);
    plain_run(out, model);
    plain_findings(out, model);
    plain_stages(out, model, view);
    plain_lines(out, model, view);
    plain_sources(out, model);
    fputs("</main>\n<div id=\"app\"></div>\n", out);
    book_write(out, model, view);
    fputs("<script>", out);
    fwrite(bundle_script, 1, (size_t)(bundle_script_end - bundle_script), out);
    fputs("</script>\n</body>\n</html>\n", out);
}
