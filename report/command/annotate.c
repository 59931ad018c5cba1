/* SPDX-License-Identifier: MIT */
/* annotate.c: profplug annotate: options to a view. listing.c prints it. */
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "words/diag.h"
#include "words/output.h"
#include "load.h"
#include "pager.h"
#include "show/source.h"
#include "show/screen.h"

/* The model's note about missing debug information, or NULL. */
static const char *missing_find(const struct model *model)
{
    for (size_t i = 0; i < model->notice_count && !model->coverage.known_line; i++)
        if (strstr(model->notice[i], "line information") || strstr(model->notice[i], "lines are missing"))
            return model->notice[i];
    return NULL;
}

/* A path is looked for as it is written, and as the shell completes it: ./x.c and ../source/x.c. */
static enum annotated subject_annotate(const struct model *model, FILE *out, const struct view *view,
                                       const char *subject, char close[256])
{
    char *whole = subject && strchr(subject, '/') ? realpath(subject, NULL) : NULL;
    enum annotated done = whole ? text_annotate(out, model, view, whole, close) : ANNOTATED_NOTHING;
    free(whole);
    while (subject && (!strncmp(subject, "./", 2) || !strncmp(subject, "../", 3)))
        subject = strchr(subject, '/') + 1;
    return done == ANNOTATED_NOTHING ? text_annotate(out, model, view, subject, close) : done;
}

static int model_show(const struct model *model, FILE *out, const char *subject, bool whole, bool remarks)
{
    struct view view = { .whole = whole, .remarks = remarks };
    char close[256];
    view_terminal(&view, out);
    if (out == stdout)
        pager_begin();
    enum annotated done = subject_annotate(model, out, &view, subject, close);
    fflush(out);
    pager_end(); /* what is said on standard error stays on the screen */
    for (size_t i = 0; i < model->notice_count && done == ANNOTATED; i++)
        diag_warning("", "%s", model->notice[i]);
    if (done == ANNOTATED)
        return DIAG_DONE;
    /* notes do not explain a wrong name, unless missing debug information is why it is unknown */
    const char *missing = missing_find(model);
    if (subject && done != ANNOTATED_SEVERAL && !close[0] && missing)
        return diag_error(subject,
                          "no such function, stage or source in this run; "
                          "expected a name that `profplug report --top 0` lists; no line is known: %s",
                          missing);
    if (done == ANNOTATED_SEVERAL)
        return diag_error(subject, "several functions have a name that ends like this; expected one of %s", close);
    if (!subject)
        return diag_error(model->run.path, "nothing to annotate: %s; expected a run with samples or calls",
                          model->empty_reason ? model->empty_reason : "no line and no function is known");
    return diag_error(subject, "no such function, stage or source in this run; expected %s%s",
                      close[0] ? "a name such as "
                               : "a name that "
                                 "`profplug report --top 0` lists",
                      close);
}

int command_annotate(int argc, char **argv)
{
    const char *input = NULL, *output = NULL;
    bool remarks = true;
    bool whole = false;
    struct flags flags;
    flags_begin(&flags, "annotate", argc, argv, false);
    for (enum flag_id id; (id = flags_next(&flags)) != FLAG_END;) {
        switch (id) {
        case FLAG_ANNOTATE_INPUT: input = flags.value; break;
        case FLAG_ANNOTATE_PAGER: pager_refuse(); break;
        case FLAG_ANNOTATE_WHOLE: whole = true; break;
        case FLAG_ANNOTATE_MAP:
        case FLAG_ANNOTATE_SOURCE:
            if (place_take(flags.value, id == FLAG_ANNOTATE_MAP))
                return DIAG_WRONG;
            break;
        case FLAG_ANNOTATE_OUTPUT: output = flags.value; break;
        case FLAG_ANNOTATE_REMARKS:
            remarks = strcmp(flags.value, "off") != 0;
            if (remarks && strcmp(flags.value, "on") != 0)
                return diag_error("--remarks", "'%s' is not known; expected on or off", flags.value);
            break;
        case FLAG_ANNOTATE_FORMAT:
            if (strcmp(flags.value, "text") != 0)
                return diag_error("--format", "'%s' is not known; expected text", flags.value);
            break;
        default: return flags_refuse(&flags, id);
        }
    }
    if (!input && flags.next < argc && load_is_data(argv[flags.next]))
        input = argv[flags.next++];
    if (input && flags.next < argc && load_is_data(argv[flags.next]))
        return files_refuse(argv[flags.next]);
    if (argc - flags.next > 1)
        return diag_error(argv[flags.next + 1], "a second subject; expected one function or source%s",
                          input ? "" : ", or a data file before it");
    struct model *model = model_open(input);
    if (!model)
        return DIAG_WRONG;
    FILE *out = output_open(output);
    int status = DIAG_WRONG;
    if (out)
        status = output_end(out, model_show(model, out, flags.next < argc ? argv[flags.next] : NULL, whole, remarks));
    model_free(model);
    source_forget();
    return status;
}
