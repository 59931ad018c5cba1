/* SPDX-License-Identifier: MIT */
/* debugsection.c: see debugsection.h. Uses libelf, as image.c does.
 *
 * Sections are read a piece at a time, because those of a large program would fill the memory. The file is never
 * mapped: if it is truncated meanwhile, that gives an error, not a signal. */
#include "symbol/debugsection.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct section {
    Elf_Scn *packed; /* compressed, and not unpacked yet */
    bool gnu;        /* in the older way of .zdebug */
    bool found;
    uint64_t offset, size; /* in the file, of what is not compressed */
    const uint8_t *whole;  /* libelf's, or `owned` */
    uint8_t *owned;
};

struct sections {
    int fd;
    Elf *elf;
    uint64_t file_size;
    const char *path;
    char *error;
    size_t error_size;
    struct section section[SECTION_COUNT];
};

static const char *const names[SECTION_COUNT] = { "info", "abbrev", "line", "str", "line_str", "ranges", "rnglists" };

static void complain(struct sections *s, const char *name, uint32_t how)
{
    if (s->error && !*s->error)
        snprintf(s->error, s->error_size,
                 how && how != ELFCOMPRESS_ZLIB
                     ? "%s: section .debug_%s is compressed in a way that libelf cannot read (%s); expected zlib, as "
                       "-gz=zlib gives"
                     : "%s: corrupt or unreadable section .debug_%s",
                 s->path, name, how == 2 ? "zstd" : "unknown");
}

static void section_take(struct sections *s, Elf_Scn *at, const char *name, const GElf_Shdr *header)
{
    bool gnu = !strncmp(name, ".zdebug_", 8);
    if (!gnu && strncmp(name, ".debug_", 7))
        return;
    for (int id = 0; id < SECTION_COUNT; id++)
        if (!strcmp(name + (gnu ? 8 : 7), names[id]) && !s->section[id].found) {
            bool packed = gnu || header->sh_flags & SHF_COMPRESSED;
            s->section[id] = (struct section){
                .found = true, .gnu = gnu, .packed = packed ? at : NULL, .offset = header->sh_offset
            };
            s->section[id].size = packed ? 0 : header->sh_size;
        }
}

struct sections *sections_open(const char *path, char *error, size_t error_size)
{
    struct sections *s = calloc(1, sizeof *s);
    struct stat status;
    size_t strings;
    if (!s || (s->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) < 0) {
        if (error && !*error)
            snprintf(error, error_size, "%s: %s", path, strerror(errno));
        free(s);
        return NULL;
    }
    s->path = path;
    s->error = error;
    s->error_size = error_size;
    elf_version(EV_CURRENT);
    s->elf = fstat(s->fd, &status) || !S_ISREG(status.st_mode) ? NULL : elf_begin(s->fd, ELF_C_READ, NULL);
    s->file_size = s->elf ? (uint64_t)status.st_size : 0;
    if (!s->elf || elf_kind(s->elf) != ELF_K_ELF || elf_getshdrstrndx(s->elf, &strings))
        return s;
    for (Elf_Scn *at = NULL; (at = elf_nextscn(s->elf, at));) {
        GElf_Shdr header;
        const char *name = gelf_getshdr(at, &header) ? elf_strptr(s->elf, strings, header.sh_name) : NULL;
        if (name && header.sh_type != SHT_NOBITS && header.sh_size > 0 && header.sh_offset <= s->file_size &&
            header.sh_size <= s->file_size - header.sh_offset)
            section_take(s, at, name, &header);
    }
    return s;
}

void sections_close(struct sections *s)
{
    if (!s)
        return;
    for (int id = 0; id < SECTION_COUNT; id++)
        free(s->section[id].owned);
    if (s->elf)
        elf_end(s->elf);
    close(s->fd);
    free(s);
}

static void unpack(struct sections *s, enum section_id id)
{
    struct section *section = &s->section[id];
    GElf_Chdr head = { 0 };
    uint32_t how = !section->gnu && gelf_getchdr(section->packed, &head) ? head.ch_type : 0;
    int result = section->gnu ? elf_compress_gnu(section->packed, 0, 0) : elf_compress(section->packed, 0, 0);
    Elf_Data *data = result < 0 ? NULL : elf_rawdata(section->packed, NULL);
    section->packed = NULL;
    if (!data || !data->d_buf) {
        complain(s, names[id], how);
        return;
    }
    section->whole = data->d_buf;
    section->size = data->d_size;
}

uint64_t section_size(struct sections *s, enum section_id id)
{
    if (s->section[id].packed)
        unpack(s, id);
    return s->section[id].size;
}

static bool copy(const struct sections *s, uint64_t offset, size_t size, uint8_t *to)
{
    while (size) {
        ssize_t got = pread(s->fd, to, size, (off_t)offset);
        if (got <= 0 && !(got < 0 && errno == EINTR))
            return false;
        if (got > 0)
            to += got, offset += (uint64_t)got, size -= (size_t)got;
    }
    return true;
}

const uint8_t *section_piece(struct sections *s, enum section_id id, uint64_t at, size_t size,
                             struct section_window *window)
{
    const struct section *section = &s->section[id];
    uint64_t whole = section_size(s, id);
    if (!size || at > whole || size > whole - at)
        return NULL;
    if (section->whole)
        return section->whole + at;
    if (size > window->capacity) {
        uint8_t *buffer = malloc(size);
        if (!buffer)
            return NULL;
        free(window->buffer);
        *window = (struct section_window){ buffer, size };
    }
    return copy(s, section->offset + at, size, window->buffer) ? window->buffer : NULL;
}

const uint8_t *section_whole(struct sections *s, enum section_id id, size_t *size)
{
    struct section *section = &s->section[id];
    *size = (size_t)section_size(s, id);
    if (*size && !section->whole) {
        section->owned = malloc(*size);
        if (section->owned && copy(s, section->offset, *size, section->owned))
            section->whole = section->owned;
        else
            complain(s, names[id], 0);
    }
    *size = section->whole ? *size : 0;
    return section->whole;
}

void section_window_close(struct section_window *window)
{
    free(window->buffer);
    *window = (struct section_window){ 0 };
}

/* ---- DWARF 5 lists, which are a chain of tables ---- */

static uint64_t number(const uint8_t *bytes, size_t size)
{
    uint64_t value = 0;
    while (size-- > 0)
        value = value << 8 | bytes[size];
    return value;
}

/* Table: length (4 bytes, or 0xffffffff and 8), version (2) 5, address size, selector size, count (4) of offsets, the
 * offsets, the lists. */
static bool tables_sound(const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        size_t width = size - at >= 4 && number(bytes + at, 4) == 0xffffffff ? 8 : 4, head = (width == 8 ? 12 : 4) + 8;
        uint64_t length, count;
        if (size - at < head)
            return false;
        length = number(bytes + at + (width == 8 ? 4 : 0), width);
        count = number(bytes + at + head - 4, 4);
        if (length < 8 || length > size - at - (head - 8) || number(bytes + at + head - 8, 2) != 5 ||
            bytes[at + head - 6] != 8 || bytes[at + head - 5] != 0 || count > (length - 8) / width)
            return false;
        at += head - 8 + length;
    }
    return true;
}

bool section_lists_sound(const char *path, char *error, size_t error_size)
{
    static const char *const lists[] = { ".debug_rnglists", ".debug_loclists", ".debug_rnglists.dwo",
                                         ".debug_loclists.dwo" };
    *error = 0;
    struct sections *s = sections_open(path, error, error_size);
    size_t strings;
    bool sound = s && s->elf && !elf_getshdrstrndx(s->elf, &strings);
    if (s && !sound) /* a failure to open has its line */
        snprintf(error, error_size, "%s: corrupt ELF file: %s", path, elf_errmsg(-1));
    for (Elf_Scn *at = NULL; sound && (at = elf_nextscn(s->elf, at));) {
        GElf_Shdr header;
        GElf_Chdr compression;
        const char *name = gelf_getshdr(at, &header) ? elf_strptr(s->elf, strings, header.sh_name) : NULL;
        for (size_t i = 0; name && sound && i < sizeof lists / sizeof *lists; i++) {
            if (strcmp(name, lists[i]) || header.sh_type == SHT_NOBITS || !header.sh_size)
                continue;
            bool packed = header.sh_flags & SHF_COMPRESSED;
            uint32_t how = packed && gelf_getchdr(at, &compression) ? compression.ch_type : ELFCOMPRESS_ZLIB;
            Elf_Data *data = packed && elf_compress(at, 0, 0) < 0 ? NULL : elf_getdata(at, NULL);
            sound = data && tables_sound(data->d_buf, data->d_buf ? data->d_size : 0);
            if (!sound && !data && how != ELFCOMPRESS_ZLIB)
                complain(s, name + 7, how);
            else if (!sound)
                snprintf(error, error_size,
                         "%s: corrupt or unreadable section %s; expected tables of DWARF 5 for addresses of 8 bytes",
                         path, name);
        }
    }
    sections_close(s);
    return sound;
}
