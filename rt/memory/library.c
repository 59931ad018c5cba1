/* SPDX-License-Identifier: MIT */
/* library.c: words of the C library through which it calls malloc and the like itself, as in regcomp and strdup. The
 * loader has them hold the program's functions, which are ours. Those are jumps, which are left out so. It must not
 * know what the words are to hold.
 *
 * A word is known by its relocation, whose symbol is the C library's own function. Some of them are read-only since the
 * loader is done, and are written to at the start of recording only. */
#include "memory/library.h"
#include "stack/modules.h"
#include "system/state.h"
#include "system/syscall.h"

#include <link.h>
#include <stdlib.h>

void pp_library_follow(const uintptr_t *behind, const volatile uintptr_t *named, const uintptr_t *effective)
{
    uintptr_t image = pp_image_low((void *)behind[0]), low = image, end = image, value[DT_JMPREL + 1] = { 0 };
    const ElfW(Ehdr) *head = (const void *)image;
    if (!image || pp_forbids(PP_FORBIDDEN_HEAP))
        return;
    const ElfW(Phdr) *part = (const void *)(image + head->e_phoff);
    for (unsigned i = 0; i < head->e_phnum; i++, part++) {
        const ElfW(Dyn) *d = (const void *)(image + part->p_vaddr);
        if (part->p_type == PT_GNU_RELRO) {
            low = (uintptr_t)d & -(uintptr_t)pp_run.page_bytes;
            end = ((uintptr_t)d + part->p_memsz) & -(uintptr_t)pp_run.page_bytes;
        }
        for (; part->p_type == PT_DYNAMIC && d->d_tag != DT_NULL; d++)
            if ((uintptr_t)d->d_tag <= DT_JMPREL)
                value[d->d_tag] = d->d_un.d_val;
    }
    /* The loader has added the image's address to those in the section, where it can write to it. */
    if (value[DT_SYMTAB] < image || pp_protect((void *)low, end - low, PROT_READ | PROT_WRITE))
        return;
    for (unsigned late = 0; late < 2; late++) {
        uintptr_t at = value[late ? DT_JMPREL : DT_RELA], stop = at + value[late ? DT_PLTRELSZ : DT_RELASZ];
        for (; at < stop; at += sizeof(ElfW(Rela))) {
            const ElfW(Rela) *r = (const void *)at;
            const ElfW(Sym) *symbol = (const ElfW(Sym) *)value[DT_SYMTAB] + ELF64_R_SYM(r->r_info);
            uintptr_t *word = (uintptr_t *)(image + r->r_offset);
            for (unsigned i = 0; i < 4; i++)
                /* Not where somebody else has put his own. A call that is still to be bound goes on within the image,
                 * and an auditor wants to see it bound. */
                if (image + symbol->st_value == behind[i] &&
                    (*word == named[i] || (*word - image < low - image && !getenv("LD_AUDIT"))))
                    *word = effective[i];
        }
    }
    pp_protect((void *)low, end - low, PROT_READ);
}
