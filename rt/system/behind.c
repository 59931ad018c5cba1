/* SPDX-License-Identifier: MIT */
/* behind.c: finds the functions behind ours. An executable asks the hash tables of the images that the loader has put
 * behind it, in the loader's order. dlsym finds the same, but takes longer, and the loader's lock: a thread would wait
 * forever for who holds it and waits for that thread. It must not know who is asked for. */
#define _GNU_SOURCE
#include "system/behind.h"
#include "rt.h"
#include "system/syscall.h"
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#pragma weak dlsym /* absent in a fully static program */
#ifdef PP_SHARED
void *pp_behind(const char *name) { return dlsym(RTLD_NEXT, name); }
#else
#pragma weak _r_debug
extern ElfW(Dyn) _DYNAMIC[] __attribute__((weak, visibility("hidden")));

#define BITS (8 * sizeof(ElfW(Addr)))
#define HIDDEN 0x8000 /* in the table of versions: not the default one */

/* *asks is set where only dlsym can tell. The tables are those of DT_GNU_HASH: four numbers, a Bloom filter, the first
 * symbol of each bucket, and the symbols' hashes, of which the last one of a bucket is odd. */
__attribute__((no_sanitize("thread"))) static void *find_in(const struct link_map *image, const char *name,
                                                            uint32_t hash, bool *asks)
{
    ElfW(Addr) table[DT_STRTAB + 2] = { 0 }, hashes = 0, versions = 0;
    for (const ElfW(Dyn) *d = image->l_ld; d && d->d_tag; d++) {
        ElfW(Addr) at = d->d_un.d_ptr + (d->d_un.d_ptr < image->l_addr ? image->l_addr : 0); /* that of the vDSO */
        if (d->d_tag == DT_GNU_HASH)
            hashes = at;
        else if (d->d_tag == DT_VERSYM)
            versions = at;
        else if (d->d_tag > 0 && d->d_tag <= DT_STRTAB + 1)
            table[d->d_tag] = at;
    }
    const uint32_t *head = (const uint32_t *)hashes;
    if (!head) {
        *asks = true;
        return NULL;
    }
    const ElfW(Addr) *filter = (const ElfW(Addr) *)(const void *)(head + 4);
    const uint32_t *first = (const uint32_t *)(const void *)(filter + head[2]), *chain = first + head[0] - head[1];
    ElfW(Addr) word = filter[hash / BITS % head[2]];
    if (!(word >> hash % BITS & word >> (hash >> head[3]) % BITS & 1))
        return NULL;
    for (uint32_t i = first[hash % head[0]]; i >= head[1]; i++) {
        const ElfW(Sym) *symbol = (const ElfW(Sym) *)table[DT_SYMTAB] + i;
        if ((chain[i] | 1) == (hash | 1) && symbol->st_shndx &&
            !(versions && ((const uint16_t *)versions)[i] & HIDDEN) &&
            !strcmp((const char *)table[DT_STRTAB] + symbol->st_name, name)) {
            *asks = ELF64_ST_TYPE(symbol->st_info) != STT_FUNC;
            return (void *)(image->l_addr + symbol->st_value);
        }
        if (chain[i] & 1)
            break;
    }
    return NULL;
}

/* A library may hide our names in it (a version script, --exclude-libs). Then only its own calls come to us, and what
 * it would call without us is what all others call: perhaps an allocator of the program's, or another copy of ours. */
__attribute__((no_sanitize("thread"))) static bool is_hidden(const struct link_map *image, const char *name,
                                                             uint32_t hash)
{
    bool asks = false;
    while (image && image->l_ld != _DYNAMIC)
        image = image->l_next;
    return image && !find_in(image, name, hash, &asks) && !asks;
}

__attribute__((no_sanitize("thread"))) void *pp_behind(const char *name)
{
    uint32_t hash = 5381;
    bool asks = false;
    void *found = NULL;
    for (const char *at = name; *at; at++)
        hash = hash * 33 + (unsigned char)*at;
    const struct link_map *image = &_r_debug ? _r_debug.r_map : NULL;
    if (image && image->l_ld == _DYNAMIC) /* we are in the executable */
        while (!found && !asks && (image = image->l_next))
            found = find_in(image, name, hash, &asks);
    else if (dlsym && is_hidden(image, name, hash))
        found = dlsym(RTLD_DEFAULT, name);
    return found && !asks ? found : dlsym && !pp_is_static() ? dlsym(RTLD_NEXT, name) : NULL;
}
#endif
