/* SPDX-License-Identifier: MIT */
/* locate.c: finds functions and lines of the model for the addresses of samples, in the binaries that ran. Must not
 * know what the samples are added up to. See analyse.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/analyse.h"
#include "symbol/binding.h"
#include "store/elsewhere.h"
#include "symbol/symbolize.h"

struct locating {
    struct model *model;
    struct names *names;
    struct locations *to;
    struct map lines, places, wrappers;
    uint32_t module_id;
    struct image *image;
    struct symbolizer *symbolizer;
    struct bindings *bindings;
    bool has_lines, is_runtime;
};

static uint32_t line_of(struct locating *l, const char *file, uint32_t line, uint32_t function)
{
    const char *whole = path_whole(&l->model->arena, "", file);
    char key[4608];
    int n = snprintf(key, sizeof key, "%u:%u:%s", line, function, whole);
    uint32_t *found = map_at(&l->lines, key, n < (int)sizeof key ? (size_t)n : sizeof key - 1);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)l->model->line_count;
        *ARRAY_PUSH(l->model->line, l->model->line_count, l->model->line_capacity) =
            (struct model_line){ .file = whole, .line = line, .function = function };
    }
    return *found;
}

/* Where a function is declared, as a key. */
static const char *declared_at(struct model *model, const char *file, uint32_t line)
{
    return arena_print(&model->arena, "%u:%s", line, file);
}

static void wrappers_collect(struct locating *l)
{
    for (size_t i = 0; i < l->model->function_count; i++) {
        const struct model_function *f = &l->model->function[i];
        if (f->wrapper && f->line)
            *map_at_text(&l->wrappers, declared_at(l->model, f->file, f->line)) = 1;
    }
}

/* Whether a function is an instance of a template that is a wrapper. After -flto the debug information has no linkage
 * name for an instance for a lambda, so its site is known by another name. */
static bool is_wrappers_instance(struct locating *l, const struct symbol_frame *f, const struct model_function *made)
{
    bool mangled = strncmp(made->symbol, "_Z", 2) == 0;
    if (mangled || !f->is_inlined || made->has_site || !made->line || !strchr(made->name, '<'))
        return false;
    const char *at = declared_at(l->model, made->file, made->line);
    return map_get(&l->wrappers, at, strlen(at)) != MAP_FRESH;
}

/* Whether the step is in code that users did not write. What has no line is taken for theirs. */
static bool step_is_foreign(const struct model *model, const struct locate_step *step)
{
    return step->line != MODEL_NONE &&
           (path_is_system(model->line[step->line].file) || model->function[step->function].wrapper);
}

/* Whether the program's sources have the function at that address. */
static bool code_is_own(struct locating *l, uint64_t code)
{
    struct symbol_frame frame[SYMBOL_FRAMES_MAX];
    if (code && symbolizer_is_runtime(l->symbolizer, code))
        return false;
    size_t count = code ? symbolizer_lookup(l->symbolizer, code, frame, SYMBOL_FRAMES_MAX) : 0;
    const struct symbol_frame *f = &frame[count ? count - 1 : 0];
    return count && !f->is_from_symbols && f->file && !path_is_system(f->file);
}

/* The name of what the call there leads to; NULL: unknown. */
static const char *callee_name(struct locating *l, uint64_t address, const struct binding *binding)
{
    const char *name = binding->name;
    if (!name || (name[0] == '_' && name[1] == 'Z')) {
        const char *said = symbolizer_called(l->symbolizer, address + 1);
        said = said || !name ? said : symbolizer_declared(l->symbolizer, address, name);
        name = said ? said : name;
    }
    return name ? binding_plain(&l->model->arena, name) : NULL;
}

enum lookup {
    LOOKUP_PLACE,   /* where the program was */
    LOOKUP_PATH,    /* a call that led there */
    LOOKUP_WRAPPED, /* a call that the runtime wraps, maybe made by a jump from what the caller there calls */
    LOOKUP_LIBRARY, /* the same of a call into a library */
};

/* The frames of an address; of a call, those of the jumps by which it was made before them. */
static size_t frames_find(struct locating *l, uint64_t address, enum lookup lookup, struct symbol_frame *frame,
                          const char **callee, const char **unsure)
{
    if (lookup == LOOKUP_LIBRARY && (l->is_runtime || symbolizer_is_runtime(l->symbolizer, address)))
        return 0; /* unwinding did not reach the program's code */
    uint64_t jump[SYMBOL_JUMPS_MAX];
    struct binding binding = { 0 };
    bool bound = lookup != LOOKUP_PLACE && binding_before(l->bindings, address + 1, &binding),
         own = bound && code_is_own(l, binding.code);
    /* what leaves the image, or leads to the runtime, is no function of the program's that could jump */
    size_t count = 0,
           jumps = lookup >= LOOKUP_WRAPPED && (own || !bound)
                       ? symbolizer_jumps(l->symbolizer, address + 1, lookup == LOOKUP_LIBRARY, jump, unsure)
                       : 0;
    if (jumps && binding_before(l->bindings, jump[0] + 1, &binding))
        *callee = callee_name(l, jump[0], &binding);
    else if (lookup != LOOKUP_PLACE && !own)
        *callee = callee_name(l, address, &binding);
    for (size_t i = 0; i < jumps && count < SYMBOL_FRAMES_MAX; i++)
        count += symbolizer_lookup(l->symbolizer, jump[i], frame + count, SYMBOL_FRAMES_MAX - count);
    return count + symbolizer_lookup(l->symbolizer, address, frame + count, SYMBOL_FRAMES_MAX - count);
}

static void merged_tell(struct locating *l, struct model_function *function, uint64_t address)
{
    const char *name[8];
    size_t count = symbolizer_merged(l->symbolizer, address, name, sizeof name / sizeof *name);
    if (!count || function->merged_count)
        return;
    function->merged = arena_take(&l->model->arena, count * sizeof *function->merged);
    function->merged_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++)
        function->merged[i] = arena_copy(&l->model->arena, name[i]);
}

/* The frames of the jumps that lie between an address and the call that is around it on the stack. */
static size_t between_find(struct locating *l, uint64_t address, uint64_t around, struct symbol_frame *frame,
                           size_t room)
{
    uint64_t jump[SYMBOL_JUMPS_MAX];
    size_t count = 0, jumps = symbolizer_between(l->symbolizer, around + 1, address, jump);
    for (size_t i = 0; i < jumps && count < room; i++)
        count += symbolizer_lookup(l->symbolizer, jump[i], frame + count, room - count);
    return count;
}

static uint32_t place_make(struct locating *l, uint64_t address, uint64_t around, bool instrumented, enum lookup lookup)
{
    struct symbol_frame frame[SYMBOL_FRAMES_MAX];
    struct locate_place place = { .first = (uint32_t)l->to->step_count,
                                  .instrumented = instrumented,
                                  .kind = PLACE_NO_DEBUG,
                                  .user = MODEL_NONE };
    const char *unsure = NULL;
    size_t own = l->symbolizer ? frames_find(l, address, lookup, frame, &place.callee, &unsure) : 0,
           count = own && around ? own + between_find(l, address, around, frame + own, SYMBOL_FRAMES_MAX - own) : own;
    place.unsure = unsure ? arena_copy(&l->model->arena, unsure) : NULL;
    if (!l->symbolizer && !l->image && !l->module_id)
        place.kind = PLACE_OUTSIDE;
    for (size_t i = 0; i < count; i++) {
        const struct symbol_frame *f = &frame[i];
        if (!f->function)
            continue;
        const char *symbol = f->linkage_name ? f->linkage_name : f->function;
        const char *file = f->function_file ? f->function_file : f->is_from_symbols ? "" : f->file ? f->file : "";
        uint32_t function = names_function(l->model, l->names, symbol, f->function,
                                           path_whole(&l->model->arena, "", file), f->function_line);
        struct model_function *made = &l->model->function[function];
        made->module_id = made->module_id ? made->module_id : l->module_id;
        made->lambda_column = made->lambda_column ? made->lambda_column : f->lambda_column;
        made->has_copies = made->has_copies || f->is_inlined;
        made->wrapper = made->wrapper || f->is_implicit || is_wrappers_instance(l, f, made);
        if (i + 1 == own && !f->is_inlined)
            merged_tell(l, made, address);
        if (f->is_inlined && !made->calls) { /* it ran only as inlined copies, which have no counter */
            made->inlined = true;
            made->calls_known = false;
        }
        uint32_t line = f->file && f->line ? line_of(l, f->file, f->line, function) : MODEL_NONE;
        made->has_lines = made->has_lines || line != MODEL_NONE;
        *ARRAY_PUSH(l->to->step, l->to->step_count, l->to->step_capacity) =
            (struct locate_step){ function, line, f->column };
        place.count++;
    }
    bool no_source = own && frame[own - 1].is_from_symbols && place.count &&
                     !l->model->function[l->to->step[place.first].function].has_site;
    for (uint32_t i = 0; i < place.count && place.user == MODEL_NONE && !no_source; i++)
        if (!step_is_foreign(l->model, &l->to->step[place.first + i]))
            place.user = l->to->step[place.first + i].line == MODEL_NONE ? 0 : i;
    if (place.count)
        place.kind = l->to->step[place.first].line != MODEL_NONE ? PLACE_KNOWN_LINE
                     : l->has_lines                              ? PLACE_UNKNOWN_LINE
                                                                 : PLACE_NO_DEBUG;
    *ARRAY_PUSH(l->to->place, l->to->place_count, l->to->place_capacity) = place;
    return (uint32_t)l->to->place_count - 1;
}

static const struct profile_module *module_find(const struct profile *profile, uint32_t id)
{
    for (size_t i = 0; i < profile->module_count; i++)
        if (profile->module[i].id == id)
            return &profile->module[i];
    return NULL;
}

static void module_open(struct locating *l, const struct profile_module *module)
{
    char error[512] = "";
    struct model_module *shown = NULL;
    for (size_t i = 0; i < l->model->module_count; i++)
        if (module && l->model->module[i].id == module->id)
            shown = &l->model->module[i];
    if (!module)
        return;
    if (module->path[0] != '/') { /* [vdso] and the like have no file */
        shown->complaint = "not a file";
        return;
    }
    char elsewhere[ELSEWHERE_BYTES];
    const char *path = elsewhere_find(module->path, elsewhere, NULL);
    if (image_open(path, module->build_id, module->build_id_size, &l->image, error, sizeof error) != IMAGE_OK) {
        shown->complaint = arena_copy(&l->model->arena, error);
        return;
    }
    size_t size;
    l->is_runtime = module->runtime;
    shown->frameless = !image_section(l->image, ".eh_frame_hdr", &size);
    l->symbolizer = symbolizer_open(l->image);
    l->bindings = bindings_open(l->image);
    l->has_lines = l->symbolizer && symbolizer_has_lines(l->symbolizer);
    if (!l->has_lines) {
        const char *why = image_debug_missing(l->image);
        shown->complaint =
            why ? arena_copy(&l->model->arena, why)
                : arena_print(&l->model->arena, "%s: no line numbers in it; expected a build with -g", path);
    }
}

static void module_close(struct locating *l)
{
    const char *complaint = l->symbolizer ? symbolizer_complaint(l->symbolizer) : NULL;
    for (size_t i = 0; complaint && i < l->model->module_count; i++)
        if (l->model->module[i].id == l->module_id && !l->model->module[i].complaint)
            l->model->module[i].complaint = arena_copy(&l->model->arena, complaint);
    symbolizer_close(l->symbolizer);
    bindings_close(l->bindings);
    l->bindings = NULL;
    if (l->image)
        image_close(l->image);
    l->symbolizer = NULL;
    l->image = NULL;
    l->has_lines = l->is_runtime = false;
}

struct order {
    uint32_t module;
    uint32_t *place;
    uint64_t address, around; /* around: the call around it, in the same module, 0 for none */
    enum lookup lookup;
    struct model_sample *sample; /* whose place it is, NULL: none */
};

static int order_compare(const void *a, const void *b)
{
    const struct order *x = a, *y = b;
    if (x->module != y->module)
        return x->module < y->module ? -1 : 1;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    if (x->around != y->around)
        return x->around < y->around ? -1 : 1;
    return (int)x->lookup - (int)y->lookup;
}

/* The call around a place, if that is in the same module. */
static uint64_t around_of(const struct model *model, uint32_t path, uint32_t module)
{
    return path && model->path[path].module == module ? model->path[path].address : 0;
}

/* The linker's code by which a call leaves the image is no line's. The sample is taken to be in the library that is
 * called. */
static void stub_leave(const struct locating *l, struct order *order)
{
    struct model_sample *s = order->sample;
    if (!s || s->library || s->call || !l->image || !order->around || !image_is_stub(l->image, s->address))
        return;
    s->library = MODEL_NONE;
    s->address = order->around;
    s->path = l->model->path[s->path].parent;
    *order = (struct order){ order->module, order->place, s->address, around_of(l->model, s->path, s->module),
                             LOOKUP_LIBRARY, NULL };
}

/* What ran has its table in the data file, but for what ran lately when the process was killed. */
static void program_complain(struct model *model, const struct profile *profile)
{
    uint64_t missing = profile->program.objects - profile->program.tables;
    const struct profile_module *module = module_find(profile, profile->program.module);
    if (!module || profile->program.tables >= profile->program.objects)
        return;
    if (profile->program.nameless)
        model_notice(model,
                     "%s is not the file that ran: nothing is told of %llu of its object files, where %llu counts of "
                     "functions, loops or lines are not 0",
                     module->path, (unsigned long long)missing, (unsigned long long)profile->program.nameless);
    else
        model_notice(model,
                     "%s is not the file that ran: nothing is told of %llu of its object files, which did not run",
                     module->path, (unsigned long long)missing);
}

void locate(struct model *model, struct names *names, const struct profile *profile, struct locations *to)
{
    struct locating l = { .model = model, .names = names, .to = to };
    program_complain(model, profile);
    wrappers_collect(&l);
    size_t count = 0;
    struct order *order =
        memory_zeroed(model->sample_count + model->path_count + model->point_count + model->stall_count, sizeof *order);
    to->of_sample = memory_zeroed(model->sample_count, sizeof *to->of_sample);
    to->of_path = memory_zeroed(model->path_count, sizeof *to->of_path);
    to->of_point = memory_zeroed(model->point_count, sizeof *to->of_point);
    to->of_wait = memory_zeroed(model->stall_count, sizeof *to->of_wait);
    to->step = memory_zeroed(1, sizeof *to->step); /* an array, even if no place has steps */
    to->step_capacity = 1;
    for (size_t i = 0; i < model->sample_count; i++)
        order[count++] = (struct order){ model->sample[i].module, &to->of_sample[i], model->sample[i].address,
                                         around_of(model, model->sample[i].path, model->sample[i].module),
                                         model->sample[i].call      ? LOOKUP_WRAPPED
                                         : model->sample[i].library ? LOOKUP_LIBRARY
                                                                    : LOOKUP_PLACE,
                                         &model->sample[i] };
    for (size_t i = 0; i < model->point_count; i++)
        if (model->point[i].known)
            order[count++] = (struct order){ model->point[i].module, &to->of_point[i], model->point[i].address, 0,
                                             model->point[i].library == 0 ? LOOKUP_WRAPPED : LOOKUP_PLACE, NULL };
    for (size_t i = 0; i < model->path_count; i++) {
        const struct profile_module *in = module_find(profile, model->path[i].module);
        to->of_path[i] = MODEL_NONE;
        if (in && in->instrumented)
            order[count++] =
                (struct order){ model->path[i].module, &to->of_path[i], model->path[i].address,
                                around_of(model, model->path[i].parent, model->path[i].module), LOOKUP_PATH, NULL };
    }
    for (size_t i = 0; i < model->stall_count; i++) {
        const struct model_path *first = &model->path[model->stall[i].path];
        const struct profile_module *in = model->stall[i].path ? module_find(profile, first->module) : NULL;
        to->of_wait[i] = MODEL_NONE;
        if (in && in->instrumented)
            order[count++] = (struct order){ first->module, &to->of_wait[i], first->address,
                                             around_of(model, first->parent, first->module), LOOKUP_WRAPPED, NULL };
    }
    qsort(order, count, sizeof *order, order_compare);
    const struct profile_module *module = NULL;
    for (size_t i = 0; i < count; i++) {
        bool first_of_module = i == 0 || order[i].module != order[i - 1].module;
        if (first_of_module) {
            module_close(&l);
            l.module_id = order[i].module;
            module = module_find(profile, l.module_id);
            module_open(&l, module);
        }
        stub_leave(&l, &order[i]);
        *order[i].place =
            !first_of_module && !order_compare(&order[i], &order[i - 1])
                ? *order[i - 1].place
                : place_make(&l, order[i].address, order[i].around, module && module->instrumented, order[i].lookup);
    }
    module_close(&l);
    free(order);
    map_free(&l.lines);
    map_free(&l.places);
    map_free(&l.wrappers);
}

void locations_free(struct locations *locations)
{
    free(locations->place);
    free(locations->step);
    free(locations->of_sample);
    free(locations->of_path);
    free(locations->of_wait);
    free(locations->of_point);
}
