/* SPDX-License-Identifier: MIT */
/* binding.c: see binding.h. Everything in the file may be corrupt: all of it is read by image_bytes, which checks. */
#include "symbol/binding.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "store/arena.h"
#include "store/map.h"

#define NAME_BYTES 4096 /* of a symbol's name; longer ones are cut */
#define CALL_BYTES 6    /* the longest form of a call that names its target */

struct slot {
    const char *name;
    uint64_t code;
};

struct bindings {
    struct image *image;
    struct map by_address; /* slots, and entries of the image's symbols */
    struct slot *slot;
    size_t slot_count, slot_capacity;
    struct arena arena;
    bool read;
};

static const char *name_at(struct bindings *b, uint64_t address)
{
    char text[NAME_BYTES];
    size_t used = 0;
    while (used + 1 < sizeof text && image_bytes(b->image, address + used, &text[used], 1) && text[used] &&
           text[used] != '@')
        used++;
    return used ? arena_print(&b->arena, "%.*s", (int)used, text) : NULL;
}

static void slot_add(struct bindings *b, uint64_t address, const char *name, uint64_t code)
{
    uint32_t *found = map_at(&b->by_address, &address, sizeof address);
    if (*found != MAP_FRESH)
        return;
    *found = (uint32_t)b->slot_count;
    *ARRAY_PUSH(b->slot, b->slot_count, b->slot_capacity) = (struct slot){ name, code };
}

static void relocation_take(struct bindings *b, const struct image_relocations *table, const Elf64_Rela *r)
{
    Elf64_Sym symbol;
    switch (ELF64_R_TYPE(r->r_info)) {
    case R_X86_64_JUMP_SLOT:
    case R_X86_64_GLOB_DAT:
        if (table->names &&
            image_bytes(b->image, table->symbols + ELF64_R_SYM(r->r_info) * sizeof symbol, &symbol, sizeof symbol))
            slot_add(b, r->r_offset, name_at(b, table->names + symbol.st_name),
                     symbol.st_shndx == SHN_UNDEF ? 0 : symbol.st_value);
        break;
    case R_X86_64_RELATIVE: /* to code of the image; a chosen variant is known by the function that chooses */
    case R_X86_64_IRELATIVE:
        if (image_is_code(b->image, (uint64_t)r->r_addend))
            slot_add(b, r->r_offset, NULL, (uint64_t)r->r_addend);
        break;
    default: break;
    }
}

static void slots_read(struct bindings *b)
{
    struct image_relocations table;
    Elf64_Rela r;
    b->read = true;
    for (size_t i = 0; image_is_x86_64(b->image) && image_relocations_at(b->image, i, &table); i++)
        for (uint64_t at = 0; table.entry_size == sizeof r && at + sizeof r <= table.size; at += sizeof r)
            if (image_bytes(b->image, table.address + at, &r, sizeof r))
                relocation_take(b, &table, &r);
}

struct bindings *bindings_open(struct image *image)
{
    struct bindings *b = memory_zeroed(1, sizeof *b);
    b->image = image;
    return b;
}

void bindings_close(struct bindings *b)
{
    if (!b)
        return;
    map_free(&b->by_address);
    free(b->slot);
    arena_free(&b->arena);
    free(b);
}

/* ---- instructions ---- */

static uint64_t displaced(uint64_t from, const uint8_t *bytes)
{
    int32_t by;
    memcpy(&by, bytes, sizeof by);
    return from + (uint64_t)(int64_t)by;
}

/* Of names at one address, the one without marks of the library: read, not __libc_read. */
static const char *name_better(const char *one, const char *other)
{
    size_t x = one ? strspn(one, "_") : SIZE_MAX, y = strspn(other, "_");
    return x != y ? (x < y ? one : other) : strlen(one) <= strlen(other) ? one : other;
}

/* The name of the function that begins there; NULL: none does. */
static const char *function_at(struct bindings *b, uint64_t code)
{
    struct image_symbol symbol, alias;
    if (!image_symbol(b->image, code, &symbol) || symbol.address != code)
        return NULL;
    const char *name = symbol.name;
    size_t low = 0, high = SIZE_MAX / 2;
    while (low < high) { /* the first other name at or after the address */
        size_t middle = low + (high - low) / 2;
        if (image_alias_at(b->image, middle, &alias) && alias.address < code)
            low = middle + 1;
        else
            high = middle;
    }
    for (; image_alias_at(b->image, low, &alias) && alias.address == code; low++)
        name = name_better(name, alias.name);
    return arena_copy(&b->arena, name);
}

static bool slot_follow(struct bindings *b, uint64_t address, struct binding *to)
{
    if (!b->read)
        slots_read(b);
    uint32_t at = map_get(&b->by_address, (const char *)&address, sizeof address);
    uint64_t code;
    if (at != MAP_FRESH)
        *to = (struct binding){ b->slot[at].name, b->slot[at].code };
    else if (image_bytes(b->image, address, &code, sizeof code) && image_is_code(b->image, code))
        *to = (struct binding){ NULL, code };
    else
        return false;
    if (!to->name && to->code)
        to->name = function_at(b, to->code);
    return to->name || to->code;
}

/* An entry of the procedure linkage table is an indirect jump, maybe behind a landing mark and a prefix. */
static bool entry_follow(struct bindings *b, uint64_t code, struct binding *to)
{
    static const uint8_t mark[] = { 0xf3, 0x0f, 0x1e, 0xfa };
    uint8_t bytes[6]; /* no more: the section may end there */
    if (image_bytes(b->image, code, bytes, sizeof mark) && memcmp(bytes, mark, sizeof mark) == 0)
        code += sizeof mark;
    if (image_bytes(b->image, code, bytes, 1) && bytes[0] == 0xf2)
        code++;
    return image_bytes(b->image, code, bytes, sizeof bytes) && bytes[0] == 0xff && bytes[1] == 0x25 &&
           slot_follow(b, displaced(code + sizeof bytes, bytes + 2), to);
}

static bool code_follow(struct bindings *b, uint64_t code, struct binding *to)
{
    if (!image_is_code(b->image, code))
        return false;
    *to = (struct binding){ function_at(b, code), code };
    return to->name || entry_follow(b, code, to); /* a function may begin as an entry does; entries have no names */
}

bool binding_before(struct bindings *b, uint64_t end, struct binding *to)
{
    uint8_t bytes[CALL_BYTES];
    *to = (struct binding){ 0 };
    if (!image_is_x86_64(b->image) || !image_bytes(b->image, end - sizeof bytes, bytes, sizeof bytes))
        return false;
    if (bytes[0] == 0xff && (bytes[1] == 0x15 || bytes[1] == 0x25) && slot_follow(b, displaced(end, bytes + 2), to))
        return true;
    if (bytes[0] == 0xe9 && bytes[5] == 0x90 && code_follow(b, displaced(end - 1, bytes + 1), to))
        return true; /* what the linker made of a jump through a slot */
    if (bytes[0] == 0x0f && (bytes[1] & 0xf0) == 0x80 && code_follow(b, displaced(end, bytes + 2), to))
        return true;
    return (bytes[1] == 0xe8 || bytes[1] == 0xe9) && code_follow(b, displaced(end, bytes + 2), to);
}

/* ---- names ---- */

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

const char *binding_plain(struct arena *arena, const char *name)
{
    static const char *const before[] = { "__wrap_", "__real_",          "__libc_", "__GI_",
                                          "__new_",  "__profplug_wrap_", "__old_",  "__builtin_" };
    static const char *const after[] = { "_chk",  "_avx",   "_sse", "_evex",      "_erms",
                                         "_ssse", "_ifunc", "_rtm", "_unaligned", "_nocancel" };
    const char *end = name + strcspn(name, "@");
    bool is_library = begins(name, "__");
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        if (begins(name, before[i]))
            name += strlen(before[i]);
    if (begins(name, "__isoc") && strchr(name + 6, '_'))
        name = strchr(name + 6, '_') + 1;
    for (size_t i = 0; is_library && i < sizeof after / sizeof *after; i++) {
        const char *found = strstr(name, after[i]);
        end = found && found > name && found < end ? found : end;
    }
    if (is_library && begins(name, "__") && !begins(name, "__cxa") && end > name + 2)
        name += 2;
    return arena_print(arena, "%.*s", (int)(end - name), name);
}
