/* SPDX-License-Identifier: MIT */
/* modules.c: which image an address is in. Images are added at the start, when an object registers, and when a sample
 * is in none that is known. A module is the file of an image: it is recorded once as PP_RECORD_MODULE, and keeps its
 * number when it is unloaded and loaded again. This file must not know what an address is used for.
 *
 * The table of images only grows, and an entry is complete before the count includes it. So readers, which may be
 * signal handlers, need no lock. Writers hold `writing` with all signals blocked, or give up. */
#define _GNU_SOURCE
#include "stack/modules.h"
#include "file/datafile.h"
#include "file/memory.h"
#include "system/signal.h"
#include "system/state.h"
#include "system/syscall.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* The table grows by chunks that never move. */
#define CHUNK 256u
#define CHUNKS 512u
#define PATH_BYTES 4352u
#define PATHS_BYTES 32768u

struct module {
    uint64_t hash; /* of path and build-id */
    const char *path;
    struct pp_module record;
    bool recorded; /* in the data file (a fork's child has its parent's records) */
};

/* Images and modules with the same number have nothing to do with each other, but a short process touches one page. */
static struct entry {
    struct pp_image image; /* all that were ever mapped in this process */
    struct module module;  /* distinct files */
} *_Atomic chunk_of[CHUNKS];
static _Atomic uint32_t image_count;
static uint32_t module_count;
static atomic_flag writing = ATOMIC_FLAG_INIT;
/* A fork's child may find `writing` held by a thread that it does not have. */
static pid_t writing_process;
/* By hash of the address: index of the image that was found last, plus 1. A stale hint does no harm, since images that
 * can be unloaded are checked against the loader. */
static _Atomic uint32_t hints[256];
static char *path_room; /* of the next path */
static size_t path_left;

/* The C library's lock-free lookup (glibc 2.35). Resolved at the start, so that no handler makes the loader bind it. */
#if defined DLFO_STRUCT_HAS_EH_DBASE
extern int _dl_find_object(void *address, struct dl_find_object *result) __attribute__((weak));
#define HAVE_FIND_OBJECT 1
#else
#define HAVE_FIND_OBJECT 0
#endif

static struct entry *entry_at(uint32_t i)
{
    return atomic_load_explicit(&chunk_of[i / CHUNK], memory_order_acquire) + i % CHUNK;
}
static struct pp_image *image_at(uint32_t i) { return &entry_at(i)->image; }
static struct module *module_at(uint32_t i) { return &entry_at(i)->module; }

/* Call these with `writing` held: they make room for one more image, or module, and for a path. */
static bool entry_room(uint32_t count)
{
    if (count == CHUNK * CHUNKS)
        return false;
    if (!chunk_of[count / CHUNK])
        atomic_store_explicit(&chunk_of[count / CHUNK], pp_memory(CHUNK * sizeof(struct entry)),
                              memory_order_release);
    return chunk_of[count / CHUNK];
}

static bool path_begin(void)
{
    if (path_left >= PATH_BYTES)
        return true;
    path_room = pp_memory(PATHS_BYTES);
    path_left = path_room ? PATHS_BYTES : 0;
    return path_room;
}

/* ---- building an entry ---- */

/* An image as the loader describes it. */
struct loaded {
    const ElfW(Phdr) * phdr;
    unsigned phdr_count;
    uint64_t bias;
    const char *name;
};

/* Each image with a copy of the runtime says in an ELF note where that copy's code is: samples in it belong to the line
 * that called it, whichever copy is elected. The note has four 64-bit distances, each from its own place: the start and
 * end of two sections. In the shared runtime the note is empty, and means the whole image. */
#define NOTE_NAME "profplug"
#define NOTE_CODE 2 /* type of the note; copies.c has the other type */
#define NOTE_BOUNDS 4
#define NOTE_BYTES (NOTE_BOUNDS * 8)
/* An ELF note: sizes of name and content, type, name, content. */
#define NOTE(bytes, content)                            \
    __asm__(".pushsection .note.profplug,\"a\",%note\n" \
            "\t.balign 4\n"                             \
            "\t.long 9, " bytes ", 2\n"                 \
            "\t.asciz \"profplug\"\n"                   \
            "\t.balign 4\n" content "\t.popsection\n")
#ifdef PP_SHARED
NOTE("0", "");
#else
#define BOUND(name) "\t.weak " name "\n\t.hidden " name "\n\t.quad " name " - .\n"
NOTE("32", BOUND("__start_profplug_text") BOUND("__stop_profplug_text") BOUND("__start_profplug_hooks")
               BOUND("__stop_profplug_hooks"));
#endif

static void note_take(const ElfW(Nhdr) * note, const char *content, struct pp_image *image, struct pp_module *record)
{
    if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && !memcmp(note + 1, "GNU", 4) &&
        !record->build_id_size) {
        record->build_id_size = note->n_descsz < sizeof record->build_id ? note->n_descsz : sizeof record->build_id;
        memcpy(record->build_id, content, record->build_id_size);
    } else if (note->n_type == NOTE_CODE && note->n_namesz == sizeof NOTE_NAME &&
               !memcmp(note + 1, NOTE_NAME, sizeof NOTE_NAME)) {
        record->runtime = note->n_descsz == 0;
        for (unsigned i = 0; i < NOTE_BOUNDS && note->n_descsz == NOTE_BYTES; i++) {
            int64_t offset;
            memcpy(&offset, content + 8 * i, 8);
            image->own[i / 2][i % 2] = (uint64_t)(uintptr_t)content + 8 * i + (uint64_t)offset;
        }
    }
}

static void notes_take(const char *at, const char *end, unsigned align, struct pp_image *image,
                       struct pp_module *record)
{
    while ((size_t)(end - at) >= sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
        size_t name = (note->n_namesz + 3u) & ~3u, desc = (note->n_descsz + align - 1u) & ~(size_t)(align - 1);
        if (name > (size_t)(end - at) || sizeof *note + name + note->n_descsz > (size_t)(end - at))
            break;
        note_take(note, (const char *)(note + 1) + name, image, record);
        if (sizeof *note + name + desc > (size_t)(end - at))
            break;
        at += sizeof *note + name + desc;
    }
}

static void loaded_layout(const struct loaded *c, struct pp_image *image, struct pp_module *record)
{
    uint64_t low = UINT64_MAX, high = 0;
    for (unsigned i = 0; i < c->phdr_count; i++) {
        const ElfW(Phdr) *p = &c->phdr[i];
        uint64_t start = c->bias + p->p_vaddr;
        if (p->p_type == PT_LOAD && p->p_memsz) {
            if (start < low)
                low = start;
            if (start + p->p_memsz > high)
                high = start + p->p_memsz;
        } else if (p->p_type == PT_GNU_EH_FRAME) {
            image->frames = start;
        } else if (p->p_type == PT_NOTE) {
            notes_take((const char *)(uintptr_t)start, (const char *)(uintptr_t)start + p->p_memsz,
                       p->p_align == 8 ? 8 : 4, image, record);
        }
    }
    uint64_t page = (pp_run.page_bytes ? pp_run.page_bytes : 4096u) - 1;
    image->low = low & ~page;
    image->high = (high + page) & ~page;
    image->bias = c->bias;
    if (record->runtime) {
        image->own[0][0] = image->low;
        image->own[0][1] = image->high;
    }
}

/* The path of the file that is mapped at an address, from /proc; with system calls only, since it runs in handlers. */
static bool mapping_path(uint64_t address, char *path, size_t size)
{
    PP_FAR static char text[4096 + 128]; /* under `writing` */
    size_t have = 0;
    bool found = false;
    int fd = pp_open("/proc/thread-self/maps", O_RDONLY | O_CLOEXEC, 0);
    for (ssize_t got; fd >= 0 && !found && (got = pp_read(fd, text + have, sizeof text - have)) > 0;) {
        have += (size_t)got;
        char *line = text, *end;
        for (; !found && (end = memchr(line, '\n', (size_t)(text + have - line))); line = end + 1) {
            uint64_t bound[2] = { 0, 0 };
            const char *at = line;
            for (int i = 0; i < 2; i++, at++)
                for (; at < end && *at != '-' && *at != ' '; at++)
                    bound[i] = bound[i] << 4 | (uint64_t)(*at <= '9' ? *at - '0' : *at - 'a' + 10);
            const char *name = memchr(line, '/', (size_t)(end - line));
            if (address - bound[0] >= bound[1] - bound[0] || !name || (size_t)(end - name) >= size)
                continue;
            memcpy(path, name, (size_t)(end - name));
            path[end - name] = 0;
            found = true;
        }
        have = (size_t)(text + have - line);
        memmove(text, line, have);
        if (have == sizeof text)
            break;
    }
    if (fd >= 0)
        pp_close(fd);
    return found;
}

bool pp_started_by_loader(const char **program)
{
    const ElfW(Phdr) *p = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    if (!p || getauxval(AT_BASE) || !getauxval(AT_EXECFN))
        return false;
    for (uint64_t i = 0; i < getauxval(AT_PHNUM); i++)
        if (p[i].p_type == PT_INTERP) {
            *program = (const char *)getauxval(AT_EXECFN);
            return **program;
        }
    return false;
}

static bool loaded_path(const struct loaded *c, const struct pp_image *image, char *path, size_t size)
{
    uint64_t vdso = getauxval(AT_SYSINFO_EHDR), program = getauxval(AT_PHDR);
    ssize_t length = -1;
    if (vdso >= image->low && vdso < image->high && vdso) {
        strcpy(path, "[vdso]");
        return true;
    }
    const char *name = c->name && *c->name ? c->name : "[unknown]";
    if (program >= image->low && program < image->high) {
        if (pp_started_by_loader(&name) && mapping_path(image->low, path, size))
            return true;
        /* The header has the name, unless it had no room for all of it. */
        const char *known = pp_run.header ? pp_run.header->program : "";
        size_t known_bytes = pp_run.header ? strnlen(known, sizeof pp_run.header->program) + 1 : 0;
        if (*known == '/' && known_bytes < sizeof pp_run.header->program) {
            memcpy(path, known, known_bytes);
            return true;
        }
        length = pp_readlink("/proc/self/exe", path, size - 1);
        if (length > 0)
            path[length] = 0;
        if (length > 0)
            return true;
    }
    /* Loaded by a descriptor: in another process, or when the number is used again, the name would mean another
     * file. */
    if (!strncmp(name, "/proc/", 6) && mapping_path(image->low, path, size))
        return false;
    size_t used = 0;
    if (*name != '/' && *name != '[' && pp_run.header && pp_run.header->directory_path[0]) {
        used = strnlen(pp_run.header->directory_path, sizeof pp_run.header->directory_path - 1);
        memcpy(path, pp_run.header->directory_path, used);
        path[used++] = '/';
    }
    size_t rest = strnlen(name, size - used - 1);
    memcpy(path + used, name, rest);
    path[used + rest] = 0;
    return program >= image->low && program < image->high;
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    for (const uint8_t *b = bytes; size--; b++)
        hash = (hash ^ *b) * UINT64_C(0x100000001b3);
    return hash;
}

static void module_record(struct module *module)
{
    if (!pp_run.header || module->recorded)
        return;
    module->recorded = pp_record_add2(PP_RECORD_MODULE, &module->record, sizeof module->record, module->path,
                                      (uint32_t)strlen(module->path) + 1);
}

/* The path is at path_room. */
static struct module *module_get(const struct pp_module *record)
{
    const char *path = path_room;
    size_t length = strlen(path) + 1;
    uint64_t hash =
        hash_bytes(hash_bytes(UINT64_C(0xcbf29ce484222325), path, length), record->build_id, record->build_id_size);
    for (uint32_t i = 0; i < module_count; i++)
        if (module_at(i)->hash == hash && !strcmp(module_at(i)->path, path))
            return module_at(i);
    if (!entry_room(module_count))
        return NULL;
    struct module *module = module_at(module_count++);
    *module = (struct module){ .hash = hash, .path = path, .record = *record };
    path_room += length;
    path_left -= length;
    module->record.id = module_count;
    return module;
}

/* Call it with `writing` held. */
static void image_add(const struct loaded *c, const void *instrumented, bool record_at_once)
{
    struct pp_image image = { 0 };
    struct pp_module record = { 0 };
    loaded_layout(c, &image, &record);
    if (image.low >= image.high)
        return;
    if (!path_begin()) {
        pp_loss(PP_LOSS_OBJECTS, 1);
        return;
    }
    record.low = image.low;
    record.high = image.high;
    record.bias = image.bias;
    image.fixed = loaded_path(c, &image, path_room, PATH_BYTES);
    uint32_t count = atomic_load_explicit(&image_count, memory_order_relaxed), place = count;
    for (uint32_t i = count; i-- > 0;)
        if (image_at(i)->low < image.high && image_at(i)->high > image.low) {
            place = i; /* the newest image that overlaps it */
            break;
        }
    struct module *module = module_get(&record);
    if (!module || !entry_room(count)) {
        pp_loss(PP_LOSS_OBJECTS, 1);
        return;
    }
    uint64_t address = (uint64_t)(uintptr_t)instrumented;
    if (address >= image.low && address < image.high && !module->record.instrumented) {
        module->record.instrumented = 1;
        module->recorded = false; /* if it is in the file already, a second record replaces the first */
    }
    if (record_at_once)
        module_record(module);
    image.id = module->record.id;
    image.instrumented = module->record.instrumented;
    struct pp_image *known = place < count ? image_at(place) : NULL;
    if (!known || known->id != image.id || known->low != image.low || known->high != image.high ||
        known->bias != image.bias) {
        image.mapping = count + 1;
        *image_at(count) = image; /* lookups find the newest entry, so older ones at that address stay */
        atomic_store_explicit(&image_count, count + 1, memory_order_release); /* partner: image_lookup */
        for (unsigned i = 0; i < sizeof hints / sizeof *hints; i++)
            atomic_store_explicit(&hints[i], 0, memory_order_relaxed);
    } else {
        known->frames = image.frames;
        known->instrumented = image.instrumented;
    }
}

static bool write_begin(sigset_t *saved, bool wait)
{
    pp_signals_block(saved);
    pid_t process = (pid_t)syscall(SYS_getpid);
    if (writing_process != process) {
        writing_process = process;
        atomic_flag_clear_explicit(&writing, memory_order_relaxed);
    }
    while (atomic_flag_test_and_set_explicit(&writing, memory_order_acquire) &&
           !atomic_load_explicit(&pp_file_is_lost, memory_order_relaxed)) {
        if (!wait) {
            pp_signals_restore(saved);
            return false;
        }
        atomic_signal_fence(memory_order_acquire);
    }
    return true;
}

static void write_end(const sigset_t *saved)
{
    atomic_flag_clear_explicit(&writing, memory_order_release);
    pp_signals_restore(saved);
}

struct visit {
    const void *instrumented;
    sigset_t saved;
    bool begun;
};

static int image_visit(struct dl_phdr_info *info, size_t size, void *context)
{
    struct visit *v = context;
    struct loaded c = { info->dlpi_phdr, info->dlpi_phnum, info->dlpi_addr, info->dlpi_name };
    if (!v->begun) /* the loader holds its lock here: it is always taken before ours */
        v->begun = write_begin(&v->saved, true);
    image_add(&c, v->instrumented, false);
    return 0;
}

/* All images, the one at the address, unless it is NULL, as instrumented. */
static void images_visit(const void *instrumented)
{
    struct visit v = { .instrumented = instrumented };
    dl_iterate_phdr(image_visit, &v);
    if (v.begun)
        write_end(&v.saved);
}

/* ---- finding ---- */

static int image_lookup(uint64_t address)
{
    uint32_t count = atomic_load_explicit(&image_count, memory_order_acquire); /* partner: image_add */
    _Atomic uint32_t *hint = &hints[(address >> 14 ^ address >> 22) & 255];
    uint32_t place = atomic_load_explicit(hint, memory_order_relaxed);
    if (place - 1 < count && address - image_at(place - 1)->low < image_at(place - 1)->high - image_at(place - 1)->low)
        return (int)place - 1;
    for (uint32_t i = count; i-- > 0;)
        if (address - image_at(i)->low < image_at(i)->high - image_at(i)->low) {
            atomic_store_explicit(hint, i + 1, memory_order_relaxed);
            return (int)i;
        }
    return -1;
}

#if HAVE_FIND_OBJECT
static int (*find_object)(void *, struct dl_find_object *);

/* Adds the image that the loader found, without its lock: the ELF header and program headers are read from memory. */
static bool image_learn(const struct dl_find_object *found, const void *instrumented, bool wait)
{
    const struct link_map *map = found->dlfo_link_map;
    const ElfW(Ehdr) *elf = found->dlfo_map_start;
    if (!map || memcmp(elf->e_ident, ELFMAG, SELFMAG) || elf->e_phoff > 4096 ||
        elf->e_phentsize != sizeof(ElfW(Phdr)) || elf->e_phoff + (uint64_t)elf->e_phnum * sizeof(ElfW(Phdr)) > 4096)
        return false;
    struct loaded c = { (const ElfW(Phdr) *)((const char *)elf + elf->e_phoff), elf->e_phnum, map->l_addr,
                        map->l_name };
    sigset_t saved;
    if (pp_forbids(PP_FORBIDDEN_CORE | PP_FORBIDDEN_LOOKS) || !write_begin(&saved, wait))
        return false;
    image_add(&c, instrumented, !instrumented);
    write_end(&saved);
    return true;
}
#endif

bool pp_image_find(uint64_t address, struct pp_image *image)
{
    int place = image_lookup(address);
    if (place >= 0 && image_at((uint32_t)place)->fixed) {
        *image = *image_at((uint32_t)place);
        return true;
    }
#if HAVE_FIND_OBJECT
    struct dl_find_object found;
    if (find_object) {
        if (find_object((void *)(uintptr_t)address, &found))
            return false; /* unloaded, or never there */
        if (place >= 0 && image_at((uint32_t)place)->low == (uint64_t)(uintptr_t)found.dlfo_map_start &&
            (!image_at((uint32_t)place)->frames ||
             image_at((uint32_t)place)->frames == (uint64_t)(uintptr_t)found.dlfo_eh_frame)) {
            *image = *image_at((uint32_t)place);
            return true;
        }
        if (!image_learn(&found, NULL, false))
            return false;
        place = image_lookup(address);
    }
#endif
    if (place < 0)
        return false;
    *image = *image_at((uint32_t)place);
    return true;
}

#pragma weak dladdr /* absent in a fully static program */

uint64_t pp_image_low(const void *address)
{
#if HAVE_FIND_OBJECT
    struct dl_find_object found; /* dladdr searches all symbols of the image, which takes 30 us */
    if (_dl_find_object)
        return _dl_find_object((void *)(uintptr_t)address, &found) ? 0 : (uint64_t)(uintptr_t)found.dlfo_map_start;
#endif
    Dl_info info;
    return dladdr && dladdr(address, &info) ? (uint64_t)(uintptr_t)info.dli_fbase : 0;
}

uint32_t pp_module_find(const void *address)
{
    struct pp_image image;
    return pp_image_find((uint64_t)(uintptr_t)address, &image) ? image.id : 0;
}

static void modules_record(void)
{
    sigset_t saved;
    write_begin(&saved, true);
    for (uint32_t i = 0; i < module_count; i++)
        module_record(module_at(i));
    write_end(&saved);
}

void pp_modules_scan(void)
{
#if HAVE_FIND_OBJECT
    find_object = _dl_find_object;
#endif
    images_visit(NULL);
}

/* If the loader can be asked without its lock, only this image is added here, and samples add the others. */
void pp_modules_instrumented(const void *address)
{
    bool met = false;
#if HAVE_FIND_OBJECT
    struct dl_find_object found;
    if (find_object)
        met = !find_object((void *)(uintptr_t)address, &found) && image_learn(&found, address, true);
    else
        find_object = _dl_find_object;
#endif
    if (!met)
        images_visit(address);
    modules_record(); /* not earlier: now most images with objects are known to be instrumented */
}
