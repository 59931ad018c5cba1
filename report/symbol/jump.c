/* SPDX-License-Identifier: MIT */
/* jump.c: functions that left no trace on a stack: those whose last call is a jump, and those whose code the compiler
 * merged with that of another. Must not know libdwarf. See symbolize.h.
 *
 * A call site tells which function it calls. If that function has code, but the call returned from another one, it was
 * left by a jump: a call site that is marked as such. Where one way leads out it was taken, as a debugger says. Where
 * several ways lead to the same last jump, that one was taken, and what came before it is not known. */
#include "symbol/debugentry.h"
#include "symbol/unit.h"

#include <string.h>

#define DEPTH_MAX 64     /* of blocks within blocks */
#define FUNCTIONS_MAX 64 /* that are looked at for one call */

/* ---- symbols by name ---- */

static void name_add(struct symbolizer *s, const struct image_symbol *symbol)
{
    if (!strcmp(symbol->name, "__start_profplug_text"))
        s->runtime_low = symbol->address;
    if (!strcmp(symbol->name, "__stop_profplug_text"))
        s->runtime_high = symbol->address;
    uint32_t *at = symbol->is_local ? NULL : map_at_text(&s->by_name, symbol->name);
    if (!at || *at != MAP_FRESH)
        return;
    *at = (uint32_t)s->named_count;
    *ARRAY_PUSH(s->named, s->named_count, s->named_capacity) = symbol->address;
}

/* The address of a global symbol; 0 if the image has none of this name. */
static uint64_t address_named(struct symbolizer *s, const char *name)
{
    struct image_symbol symbol;
    for (size_t i = 0; !s->names_read && image_symbol_at(s->image, i, &symbol); i++)
        name_add(s, &symbol);
    for (size_t i = 0; !s->names_read && image_alias_at(s->image, i, &symbol); i++)
        name_add(s, &symbol);
    s->names_read = true;
    uint32_t at = map_get(&s->by_name, name, strlen(name));
    return at == MAP_FRESH ? 0 : s->named[at];
}

bool symbolizer_is_runtime(struct symbolizer *s, uint64_t address)
{
    address_named(s, "");
    return address >= s->runtime_low && address < s->runtime_high;
}

/* ---- the calls of a function ---- */

struct code { /* a function with code of its own */
    struct unit *unit;
    struct code_scope *scope;
    struct Dwarf_Die_s *skeleton; /* while its calls are visited, of split units: resolves indexes of addresses */
};

/* Returns false to stop. */
typedef bool (*call_visitor)(void *closure, const struct code *in, const struct die *call);

static bool calls_below(struct symbolizer *s, const struct code *in, struct Dwarf_Die_s *parent, int depth,
                        call_visitor visitor, void *closure)
{
    bool more = true;
    uint64_t last = 0, offset;
    struct Dwarf_Debug_s *debug = in->unit->debug;
    for (struct Dwarf_Die_s *handle = die_child(s, debug, parent), *next; handle; handle = next) {
        enum die_kind kind = DIE_OTHER;
        struct die die;
        /* offsets grow, so that a wrong sibling ends it */
        more = more && die_offset(s, debug, handle, &offset) && offset > last && offset < in->unit->end;
        last = more ? offset : last;
        if (more && die_kind(s, debug, handle, &kind, NULL) && kind == DIE_CALL) {
            s->skeleton = in->skeleton;
            die_read(s, debug, handle, true, &die);
            s->skeleton = NULL;
            die_done(&die);
            more = !die.has_low || visitor(closure, in, &die);
        } else if (more && (kind == DIE_BLOCK || kind == DIE_INLINED) && depth < DEPTH_MAX) {
            more = calls_below(s, in, handle, depth + 1, visitor, closure);
        }
        next = more ? die_sibling(s, debug, handle) : NULL;
        die_close(handle);
    }
    return more;
}

/* The same by our own reader. */
static bool calls_among(const struct code *in, struct entries *e, int depth, call_visitor visitor, void *closure)
{
    bool more = true;
    struct entry entry;
    while (more && entry_next(e, &entry)) {
        enum die_kind kind = entry.abbreviation->kind;
        if (kind == DIE_CALL) {
            struct die die;
            entry_read(e, &entry, true, &die);
            more = !e->c.bad && (!die.has_low || visitor(closure, in, &die));
            entry_leave(e, &entry);
            continue;
        }
        entry_skip(e, &entry);
        if ((kind == DIE_BLOCK || kind == DIE_INLINED) && depth < DEPTH_MAX && entry.abbreviation->has_children)
            more = calls_among(in, e, depth + 1, visitor, closure);
        else
            entry_leave(e, &entry);
    }
    return more;
}

static void calls_visit_plain(struct symbolizer *s, const struct code *in, call_visitor visitor, void *closure)
{
    struct section_window window = { 0 };
    struct entries e;
    struct entry entry;
    if (entries_below(s, in->unit, in->scope->die, &window, &e) && entry_next(&e, &entry)) {
        e.quiet = true;
        entry_skip(&e, &entry);
        if (entry.abbreviation->has_children)
            calls_among(in, &e, 0, visitor, closure);
    }
    section_window_close(&window);
}

static void calls_visit(struct symbolizer *s, const struct code *in, call_visitor visitor, void *closure)
{
    if (in->unit->table) {
        calls_visit_plain(s, in, visitor, closure);
        return;
    }
    bool split = in->unit->is_split;
    struct code open = { in->unit, in->scope, split ? die_open(s, s->debug, in->unit->skeleton, NULL) : NULL };
    struct Dwarf_Die_s *handle = split && !open.skeleton ? NULL : die_open(s, in->unit->debug, in->scope->die, NULL);
    if (handle) {
        calls_below(s, &open, handle, 0, visitor, closure);
        die_close(handle);
    }
    if (open.skeleton)
        die_close(open.skeleton);
}

/* ---- which function a call leads to ---- */

static bool code_at(struct symbolizer *s, uint64_t address, struct code *code)
{
    const struct line_row *row;
    uint32_t at;
    code->unit = unit_find(s, address, &row, &at);
    while (at != SCOPE_NONE && code->unit->scopes[at].is_inlined)
        at = code->unit->scopes[at].parent;
    code->scope = at == SCOPE_NONE ? NULL : &code->unit->scopes[at];
    return code->scope;
}

/* The same function, maybe a copy of it that GCC made for some calls. */
static bool code_is_same(struct symbolizer *s, const struct code *a, const struct code *b)
{
    return a->scope == b->scope ||
           scope_function(s, a->unit, a->scope)->id == scope_function(s, b->unit, b->scope)->id;
}

enum lead { LEAD_UNKNOWN, LEAD_OUT, LEAD_CODE };

static enum lead call_follow(struct symbolizer *s, bool anywhere, const struct unit *from, const struct die *call,
                             struct code *to)
{
    if (!call->has_origin || call->origin_in_alt)
        return LEAD_UNKNOWN;
    struct unit *unit = from->is_split ? (struct unit *)from : unit_holding(s, from->in_alt, call->origin);
    if (!unit)
        return LEAD_UNKNOWN;
    unit_tree(s, unit);
    for (size_t i = 0; i < unit->scope_count; i++)
        if (unit->scopes[i].die == call->origin) {
            *to = (struct code){ .unit = unit, .scope = &unit->scopes[i] };
            return LEAD_CODE;
        }
    const struct function *function = die_function(s, unit, call->origin);
    uint64_t address = function->linkage_name ? address_named(s, function->linkage_name) : 0;
    if (address && address >= s->runtime_low && address < s->runtime_high)
        return LEAD_OUT;
    if (address)
        return code_at(s, address, to) ? LEAD_CODE : LEAD_UNKNOWN;
    for (size_t i = 0; i < unit->scope_count; i++) /* a copy of what the call refers to */
        if (!unit->scopes[i].is_inlined && scope_function(s, unit, &unit->scopes[i])->id == function->id) {
            *to = (struct code){ .unit = unit, .scope = &unit->scopes[i] };
            return LEAD_CODE;
        }
    /* in another image; but if the runtime is in this one, so are its wrappers */
    return s->runtime_high && !anywhere ? LEAD_UNKNOWN : LEAD_OUT;
}

/* ---- ways out by jumps ---- */

struct chase {
    struct symbolizer *s;
    bool anywhere;
    uint64_t back;  /* the call that is looked for */
    struct code to; /* where that leads */
    struct code target; /* a function whose caller is looked for; none: ways out of the program */
    uint64_t way[SYMBOL_JUMPS_MAX], out[SYMBOL_JUMPS_MAX];
    const struct code_scope *seen[FUNCTIONS_MAX]; /* functions that were looked at */
    size_t depth, out_depth, ways, seen_count;
    bool roundabout; /* several ways lead to one place */
};

static bool first_take(void *closure, const struct code *in, const struct die *call)
{
    struct chase *c = closure;
    if (call->low != c->back || call->is_jump)
        return true;
    if (call_follow(c->s, c->anywhere, in->unit, call, &c->to) != LEAD_CODE)
        c->to.scope = NULL;
    return false;
}

static bool jump_take(void *closure, const struct code *in, const struct die *call);

static void ways_find(struct chase *c, const struct code *in)
{
    for (size_t i = 0; i < c->seen_count; i++)
        if (c->seen[i] == in->scope) { /* its ways out are known already */
            c->roundabout = true;
            return;
        }
    if (c->depth == SYMBOL_JUMPS_MAX || c->seen_count == FUNCTIONS_MAX) {
        c->ways += 2;
        return;
    }
    c->seen[c->seen_count++] = in->scope;
    c->depth++;
    calls_visit(c->s, in, jump_take, c);
    c->depth--;
}

static bool jump_take(void *closure, const struct code *in, const struct die *call)
{
    struct chase *c = closure;
    struct code to;
    if (!call->is_jump)
        return true;
    c->way[c->depth - 1] = call->low - 1;
    enum lead lead = call_follow(c->s, c->anywhere, in->unit, call, &to);
    bool arrived = c->target.scope ? lead == LEAD_CODE && code_is_same(c->s, &to, &c->target) : lead == LEAD_OUT;
    if (arrived) {
        c->ways++;
        c->out_depth = c->depth;
        memcpy(c->out, c->way, sizeof c->out);
    } else if (lead == LEAD_CODE) {
        ways_find(c, &to);
    } else if (!call->has_origin) { /* through a pointer: to anywhere */
        c->ways += 2;
    }
    return c->ways < 2;
}

size_t symbolizer_jumps(struct symbolizer *s, uint64_t return_address, bool anywhere, uint64_t jump[SYMBOL_JUMPS_MAX],
                        const char **unsure)
{
    struct chase c = { .s = s, .anywhere = anywhere, .back = return_address };
    struct code from;
    *unsure = NULL;
    if (!code_at(s, return_address - 1, &from))
        return 0;
    calls_visit(s, &from, first_take, &c);
    if (c.to.scope)
        ways_find(&c, &c.to);
    if (c.ways > 1)
        *unsure = scope_function(s, c.to.unit, c.to.scope)->name;
    for (size_t i = 0; c.ways == 1 && i < c.out_depth; i++)
        jump[i] = c.out[c.out_depth - 1 - i];
    if (c.ways == 1 && c.roundabout && c.out_depth)
        c.out_depth = 1; /* the last jump, which is the first here */
    return c.ways == 1 ? c.out_depth : 0;
}

size_t symbolizer_between(struct symbolizer *s, uint64_t return_address, uint64_t inner,
                          uint64_t jump[SYMBOL_JUMPS_MAX])
{
    struct chase c = { .s = s, .back = return_address };
    struct code from;
    if (!code_at(s, return_address - 1, &from) || !code_at(s, inner, &c.target))
        return 0;
    calls_visit(s, &from, first_take, &c);
    if (!c.to.scope || code_is_same(s, &c.to, &c.target))
        return 0;
    ways_find(&c, &c.to);
    for (size_t i = 0; c.ways == 1 && i < c.out_depth; i++)
        jump[i] = c.out[c.out_depth - 1 - i];
    return c.ways != 1 ? 0 : c.roundabout && c.out_depth ? 1 : c.out_depth;
}

struct called {
    struct symbolizer *s;
    uint64_t back;
    const char *name;
};

static bool called_take(void *closure, const struct code *in, const struct die *call)
{
    struct called *c = closure;
    if (call->low != c->back || call->is_jump)
        return true;
    struct unit *unit = !call->has_origin || call->origin_in_alt ? NULL
                        : in->unit->is_split                    ? in->unit
                                             : unit_holding(c->s, in->unit->in_alt, call->origin);
    if (unit) {
        unit_tree(c->s, unit);
        c->name = die_function(c->s, unit, call->origin)->name;
    }
    return false;
}

const char *symbolizer_called(struct symbolizer *s, uint64_t return_address)
{
    struct called c = { s, return_address, NULL };
    struct code from;
    if (code_at(s, return_address - 1, &from))
        calls_visit(s, &from, called_take, &c);
    return c.name;
}

const char *symbolizer_declared(struct symbolizer *s, uint64_t address, const char *linkage_name)
{
    struct code code;
    struct die die;
    if (!code_at(s, address, &code))
        return NULL;
    if (!code.unit->declared_read)
        for (size_t i = 0; i < code.unit->declaration_count; i++)
            if (die_at(s, code.unit, code.unit->declarations[i].die, &die)) {
                uint32_t *at = die.linkage_name ? map_at_text(&code.unit->declared, die.linkage_name) : NULL;
                if (at)
                    *at = (uint32_t)i;
                die_done(&die);
            }
    code.unit->declared_read = true;
    uint32_t at = map_get(&code.unit->declared, linkage_name, strlen(linkage_name));
    return at == MAP_FRESH ? NULL : die_function(s, code.unit, code.unit->declarations[at].die)->name;
}

/* ---- merged functions ---- */

size_t symbolizer_merged(struct symbolizer *s, uint64_t address, const char **name, size_t capacity)
{
    struct image_symbol alias;
    struct code code;
    size_t count = 0;
    if (!code_at(s, address, &code))
        return 0;
    for (size_t i = 0; image_alias_at(s->image, i, &alias) && alias.address <= code.scope->low; i++)
        for (size_t k = 0; alias.address == code.scope->low && k < code.unit->absent_count && count < capacity; k++)
            if (strcmp(code.unit->absents[k].symbol, alias.name) == 0) {
                name[count++] = die_function(s, code.unit, code.unit->absents[k].die)->name;
                break;
            }
    return count;
}
