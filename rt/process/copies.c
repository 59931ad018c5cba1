/* SPDX-License-Identifier: MIT */
/* copies.c: several linked images of one process may each contain a copy of the runtime: an executable, and libraries
 * that were linked with the archive. One copy is elected, and the others call its slow paths. It must not know what
 * those do.
 *
 * Each copy has a note in its image that tells where its struct rendezvous is. The first copy that is called searches
 * all images, under the dynamic linker's lock. An elected copy stays elected. Otherwise the owner is the first copy, in
 * the linker's order, that is never unloaded: the executable's, if it has one.
 *
 * If only libraries that may be closed contain copies, none of them is elected, because handlers, other copies and
 * threads would point into unmapped code. Pinning a library would keep its static variables alive and its destructors
 * waiting. So the shared runtime is loaded, which a library contains (embedded.c). */
#define _GNU_SOURCE
#include "process/copies.h"
#include "probe/object.h"
#include "process/options.h"
#include "process/program.h"
#include "system/message.h"
#include "thread/thread.h"
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#pragma weak dlsym   /* a fully static program has none, and pins nothing */
#pragma weak environ /* so that the test of its address is compiled */

struct rendezvous {
    uint32_t version, size;
    const struct pp_interface *interface;
    const struct pp_interface *_Atomic owner; /* set in the elected copy alone */
    void (*own)(void);                        /* called in a copy before it is elected */
};

/* Other copies find it only through the note. */
__attribute__((used, visibility("hidden"))) struct rendezvous pp_rendezvous = {
    PP_INTERFACE_VERSION, sizeof(struct rendezvous), &pp_interface, 0, pp_tls_own,
};
const struct pp_interface *_Atomic pp_owner;

__asm__(".pushsection .note.profplug,\"a\",%note\n"
        "\t.balign 4\n"
        "\t.long 9, 8, 1\n"
        "\t.asciz \"profplug\"\n"
        "\t.balign 4\n"
        "\t.quad pp_rendezvous - .\n"
        "\t.popsection\n");

/* The linker prints this for each unit that refers to the symbol. */
#ifdef PP_SHARED
#define MARK_VISIBILITY ".protected "
/* A program that is linked with the shared runtime finds this here; in the archive it is in embedded.c. */
__asm__(".pushsection .rodata\n"
        "\t.globl " PP_LINK_EMBEDDED "\n"
        "\t.protected " PP_LINK_EMBEDDED "\n"
        "\t.type " PP_LINK_EMBEDDED ", @object\n"
        "\t.size " PP_LINK_EMBEDDED ", 1\n" PP_LINK_EMBEDDED ":\t.byte 0\n"
        "\t.popsection\n");
#else
#define MARK_VISIBILITY ".hidden "
#endif
__asm__(
    ".pushsection .rodata\n"
    "\t.globl " PP_LINK_MARK ", " PP_LINK_RUNTIME "\n"
    "\t" MARK_VISIBILITY PP_LINK_MARK ", " PP_LINK_RUNTIME "\n" PP_LINK_RUNTIME ":\n"
    "\t.type " PP_LINK_MARK ", @object\n\t.type " PP_LINK_RUNTIME ", @object\n\t.size " PP_LINK_RUNTIME ", 1\n"
    "\t.size " PP_LINK_MARK ", 1\n" PP_LINK_MARK ":\t.byte 0\n"
    "\t.popsection\n"
    "\t.pushsection .gnu.warning." PP_LINK_MARK ",\"\",@progbits\n"
    "\t.string \"compiled with profplug's plugin and -flto, and linked without the plugin: "
    "functions are not profiled; give the link -fplugin=, too\"\n"
    "\t.popsection\n");

static struct rendezvous *note_find(const char *at, uint64_t bytes, uint64_t align)
{
    if (align < 4)
        align = 4;
    for (const char *end = at + bytes; at + 12 <= end;) {
        uint32_t head[3];
        memcpy(head, at, sizeof head);
        const char *name = at + 12, *value = name + (head[0] + 3u) / 4 * 4;
        if (align == 8)
            value = at + (12u + head[0] + 7u) / 8 * 8;
        if (value + head[1] > end || value < at)
            return 0;
        if (head[0] == 9 && head[1] == 8 && head[2] == 1 && !memcmp(name, "profplug", 9)) {
            int64_t offset;
            memcpy(&offset, value, 8);
            return (struct rendezvous *)(value + offset);
        }
        at = value + (head[1] + align - 1) / align * align;
    }
    return 0;
}

struct search {
    struct rendezvous *elected, *permanent; /* the first of each kind */
    uint32_t other_version;                 /* of an elected copy whose version this one does not understand */
    bool own_seen, own_permanent;
};

static struct rendezvous *image_note(const ElfW(Phdr) * phdr, unsigned count, ElfW(Addr) bias)
{
    struct rendezvous *r = 0;
    for (unsigned i = 0; i < count && !r; i++)
        if (phdr[i].p_type == PT_NOTE)
            r = note_find((const char *)bias + phdr[i].p_vaddr, phdr[i].p_memsz, phdr[i].p_align);
    return r;
}

static void *symbol(const char *name) { return dlsym ? dlsym(RTLD_DEFAULT, name) : 0; }

/* Whether the image stays for good, with its thread-local storage at a fixed distance from the thread pointer. That is
 * true of the executable, of what it was started with, and of the shared runtime. It is not true of a library that was
 * opened and may be closed. */
static bool image_permanent(const struct dl_phdr_info *info)
{
    if (!info->dlpi_name || !*info->dlpi_name)
        return true;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type != PT_DYNAMIC)
            continue;
        for (const ElfW(Dyn) *d = (const ElfW(Dyn) *)(info->dlpi_addr + h->p_vaddr); d->d_tag != DT_NULL; d++)
            if (d->d_tag == DT_FLAGS_1 && d->d_un.d_val & DF_1_NODELETE)
                return true;
    }
    void (*static_info)(size_t *, size_t *);
    *(void **)&static_info = symbol("_dl_get_tls_static_info");
    if (!static_info)
        return true; /* other C libraries do not unmap */
    size_t bytes, align;
    static_info(&bytes, &align);
    uint64_t distance = (uint64_t)((char *)info->dlpi_tls_data - (char *)__builtin_thread_pointer());
    return info->dlpi_tls_data && distance + bytes < 2 * bytes;
}

static bool image_holds(const struct dl_phdr_info *info, const void *address)
{
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD &&
            (uint64_t)address - (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr) < info->dlpi_phdr[i].p_memsz)
            return true;
    return false;
}

static void meet(struct search *s, struct rendezvous *r)
{
    if (s->elected || !atomic_load_explicit(&r->owner, memory_order_acquire))
        return;
    if (r->version == PP_INTERFACE_VERSION && r->size == sizeof *r)
        s->elected = r;
    else
        s->other_version = r->version; /* every version has version and owner at the same offsets */
}

static int image_search(struct dl_phdr_info *info, size_t size, void *data)
{
    struct search *s = data;
    bool own = image_holds(info, &pp_rendezvous);
    struct rendezvous *r = own ? &pp_rendezvous : image_note(info->dlpi_phdr, info->dlpi_phnum, info->dlpi_addr);
    if (!r)
        return 0;
    meet(s, r);
    if (r->version != PP_INTERFACE_VERSION || r->size != sizeof *r)
        return 0;
    bool permanent = (own || !s->permanent) && image_permanent(info);
    if (permanent && !s->permanent)
        s->permanent = r;
    if (own)
        s->own_seen = true, s->own_permanent = permanent;
    return 0;
}

#if defined DLFO_STRUCT_HAS_EH_DBASE
extern int _dl_find_object(void *address, struct dl_find_object *result) __attribute__((weak));

/* The search above shows libraries in a namespace of their own (dlmopen) only each other. */
static void namespaces_look(struct search *s)
{
    const struct r_debug_extended *names = symbol("_r_debug");
    struct dl_find_object found;
    if (!names || names->base.r_version < 2 || !_dl_find_object)
        return;
    for (; names; names = names->r_next)
        for (const struct link_map *map = names->base.r_map; map; map = map->l_next) {
            if (!map->l_ld || _dl_find_object(map->l_ld, &found) || !found.dlfo_map_start)
                continue;
            const ElfW(Ehdr) *elf = found.dlfo_map_start;
            if (memcmp(elf->e_ident, ELFMAG, SELFMAG) || elf->e_phentsize != sizeof(ElfW(Phdr)) ||
                elf->e_phoff + (uint64_t)elf->e_phnum * sizeof(ElfW(Phdr)) > 4096)
                continue;
            struct rendezvous *r =
                image_note((const ElfW(Phdr) *)((const char *)elf + elf->e_phoff), elf->e_phnum, map->l_addr);
            if (r)
                meet(s, r);
        }
}
#else
static void namespaces_look(struct search *s) {}
#endif

/* The dynamic linker holds its lock meanwhile. The lock is recursive, so the search inside holds it, too. */
static int elect_locked(struct dl_phdr_info *info, size_t size, void *data)
{
    struct search *s = data;
    dl_iterate_phdr(image_search, s);
    if (!s->elected && !s->other_version)
        namespaces_look(s);
    if (s->elected || s->other_version)
        return 1;
    struct rendezvous *r = s->permanent ? s->permanent : !s->own_seen ? &pp_rendezvous : 0;
    if (!r)
        return 1;
    r->own();
    s->elected = r;
    atomic_store_explicit(&r->owner, r->interface, memory_order_release);
    return 1;
}

/* ---- before the C library is up ----
 * Resolvers of indirect functions run while the dynamic linker still relocates. What they call may carry probes, and
 * nothing that those could reach works yet. The environment is there once the C library has initialised itself; later
 * it may go again. */
static _Atomic bool is_up;

/* On x86-64 an executable counts in the section itself, because functions that do not look have counted there by then.
 * segment.c takes both over. */
static void early_count(struct pp_object *object, uint32_t slot)
{
    if (object->flags & PP_OBJECT_SEGMENT)
        ++*(uint64_t *)(uintptr_t)((uint64_t)(uintptr_t)object + (uint64_t)(int64_t)object->segment_end - 8 -
                                   (uint64_t)slot * 8);
}
static uint64_t early_hits(struct pp_object *object) { return pp_object_waste(object); }
static uint64_t early_enter(struct pp_object *object, uint32_t slot, uint64_t stack)
{
    if (slot & PP_SLOT_UNCOUNTED)
        early_count(object, slot & ~PP_SLOT_UNCOUNTED);
    return 0;
}
static void early_leave(uint64_t token, uint64_t stack) {}
static void early_resync(struct pp_object *object, uint32_t slot, uint64_t token, uint64_t stack) {}
static uint64_t early_scope_enter(struct profplug_place *place, uint64_t stack) { return 0; }
static void early_loop_enter(struct profplug_place *place, struct profplug_loop *loop, uint64_t stack)
{
    loop->token = loop->bodies = 0;
    loop->countdown = UINT64_MAX;
}
static void early_loop_next(struct profplug_loop *loop) { loop->countdown = UINT64_MAX; }
static void early_loop_leave(struct profplug_loop *loop, uint64_t stack) {}
static void early_begin(const char *name, uint64_t stack) {}
static void early_end(const char *name) {}
static void early_number(struct profplug_number *number, int64_t value, uint64_t stack) {}
static void early_snapshot(const char *label, uint64_t stack) {}
static void early_start(bool default_off) {}
static void early_volume(uint64_t bytes, const void *caller) {}

static const struct pp_interface early = {
    .version = PP_INTERFACE_VERSION,
    .size = sizeof(struct pp_interface),
    .count = early_count,
    .hits = early_hits,
    .enter = early_enter,
    .leave = early_leave,
    .resync = early_resync,
    .scope_enter = early_scope_enter,
    .loop_enter = early_loop_enter,
    .loop_next = early_loop_next,
    .loop_leave = early_loop_leave,
    .begin = early_begin,
    .end = early_end,
    .number = early_number,
    .snapshot = early_snapshot,
    .start = early_start,
    .copied = early_volume,
    .handed = early_volume,
};

/* ---- where no copy can be elected ----
 * The objects of the image are switched off as their probes come by. */
static void idle_count(struct pp_object *object, uint32_t slot)
{
    object->stages = 0;
    atomic_store_explicit((_Atomic uint64_t *)&object->end, PP_END_OFF, memory_order_release);
}
static uint64_t idle_enter(struct pp_object *object, uint32_t slot, uint64_t stack)
{
    idle_count(object, slot);
    return 0;
}

static const struct pp_interface idle = {
    .version = PP_INTERFACE_VERSION,
    .size = sizeof(struct pp_interface),
    .count = idle_count,
    .enter = idle_enter,
    .leave = early_leave,
    .resync = early_resync,
    .scope_enter = early_scope_enter,
    .loop_enter = early_loop_enter,
    .loop_next = early_loop_next,
    .loop_leave = early_loop_leave,
    .begin = early_begin,
    .end = early_end,
    .number = early_number,
    .snapshot = early_snapshot,
    .start = early_start,
    .copied = early_volume,
    .handed = early_volume,
};

static const char *own_path(void)
{
    Dl_info info;
    int (*find)(const void *, Dl_info *);
    *(void **)&find = symbol("dladdr");
    return find && find(&pp_rendezvous, &info) && info.dli_fname ? info.dli_fname : "a library";
}

const struct pp_interface *pp_elect(void)
{
    if (!is_up && (!&environ || !environ))
        return &early;
    is_up = true;
    struct search s = { 0 };
    dl_iterate_phdr(elect_locked, &s);
    if (!s.elected)
        pp_outlet_remember(); /* this copy starts no process, so it has not done so before */
#ifndef PP_SHARED
    if (!s.elected && !s.other_version &&
        s.own_seen) { /* this library may be closed at any time, so another copy must be the owner */
        const char *path = own_path(); /* before: its search ends the text of a failed one */
        const char *trouble = pp_embedded_load
                                  ? pp_embedded_load()
                                  : "it carries none, as nothing in it was compiled with the plugin and -fPIC";
        if (!trouble)
            dl_iterate_phdr(elect_locked, &s);
        if (trouble || !s.elected)
            pp_complain(
                "%s: its copy of the runtime cannot stay when it is closed, and no other can be loaded (%s); "
                "what it does is not recorded",
                path, trouble ? trouble : "it is not seen");
    }
#endif
    if (s.other_version)
        pp_complain(
            "%s: linked with another version of libprofplug.a (interface %u) than what runs already (%u); "
            "what it does is not recorded",
            own_path(), PP_INTERFACE_VERSION, s.other_version);
    if (!s.elected && s.own_seen) {
        atomic_store_explicit(&pp_owner, &idle, memory_order_release);
        return &idle;
    }
    if (!s.elected) { /* no image is visible: this copy elects itself */
        pp_tls_own();
        s.elected = &pp_rendezvous;
    }
    const struct pp_interface *owner = s.elected->interface;
    atomic_store_explicit(&pp_owner, owner, memory_order_release);
    return owner;
}

extern const char __ehdr_start[] __attribute__((weak, visibility("hidden"))); /* the linker's: where the image begins */

/* An owner must not be unmapped: handlers and other copies point into it. An executable never is. */
static void pin(void)
{
    if (getauxval(AT_PHDR) - (uint64_t)(uintptr_t)__ehdr_start < 4096)
        return;
    Dl_info info;
    struct link_map *map = 0;
    int (*find)(const void *, Dl_info *, void **, int);
    void *(*open)(const char *, int);
    /* By name, because the linker warns of dlopen in a static program. */
    *(void **)&find = symbol("dladdr1");
    *(void **)&open = symbol("dlopen");
    if (find && open && find(&pp_rendezvous, &info, (void **)&map, RTLD_DL_LINKMAP) && map && map->l_name &&
        *map->l_name)
        open(map->l_name, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

/* The objects of this copy's image say whether the program records nothing by default. */
extern struct pp_object __start_profplug_objects[] __attribute__((weak, visibility("hidden")));
extern struct pp_object __stop_profplug_objects[] __attribute__((weak, visibility("hidden")));

#ifdef __GLIBC__
__attribute__((constructor(101))) static void image_load(int count, char **arguments)
{
    pp_program_arguments(count, arguments);
#else
__attribute__((constructor(101))) static void image_load(void)
{
#endif
    is_up = true;
    const struct pp_interface *owner = pp_elected();
    bool objects = &__start_profplug_objects[0] != &__stop_profplug_objects[0];
    if (owner == &pp_interface)
        pin();
    if (objects) {
        owner->start(__start_profplug_objects[0].flags & PP_OBJECT_DEFAULT_OFF);
        if (__start_profplug_objects[0].flags & PP_OBJECT_SEGMENT)
            owner->hits(
                /* registers it before somebody calls a function that does not test `ready` */
                &__start_profplug_objects[0]);
    } else if (pp_environment_speaks())        /* else the first probe of another image decides */
        owner->start(false);
}
