/* SPDX-License-Identifier: MIT */
/* embedded.c: the shared runtime within a library, for a process in which only libraries that may be closed have a
 * copy. It must not know which copy is elected.
 *
 * It is large, and an executable does not need it. So the linker takes it from the archive only if an object refers to
 * it by name (PP_LINK_EMBEDDED). The plugin emits that reference in objects for a library. */
#define _GNU_SOURCE
#include "process/copies.h"
#include "system/syscall.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#pragma weak dlsym /* a fully static program has none */

__asm__(".pushsection .rodata\n"
        "\t.balign 64\n"
        "\t.globl " PP_LINK_EMBEDDED "\n"
        "\t.hidden " PP_LINK_EMBEDDED "\n"
        "\t.type " PP_LINK_EMBEDDED ", @object\n" PP_LINK_EMBEDDED ":\n"
        "pp_embedded_start:\n"
        "\t.incbin \"" PP_EMBEDDED "\"\n"
        "pp_embedded_stop:\n"
        "\t.popsection\n");
extern const char pp_embedded_start[] __attribute__((visibility("hidden"))),
    pp_embedded_stop[] __attribute__((visibility("hidden")));

static bool write_all(int fd)
{
    for (uintptr_t at = (uintptr_t)pp_embedded_start, stop = (uintptr_t)pp_embedded_stop;
         at < stop;) { /* the compiler takes start and stop for two objects */
        ssize_t got = pp_write(fd, (const void *)at, stop - at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += (size_t)got;
    }
    return true;
}

const char *pp_embedded_load(void)
{
    void *(*open)(const char *, int);
    char *(*error)(void);
    char path[64];
    *(void **)&open = dlsym ? dlsym(RTLD_DEFAULT, "dlopen") : 0;
    *(void **)&error = dlsym ? dlsym(RTLD_DEFAULT, "dlerror") : 0;
    if (!open || !error)
        return "there is no dlopen";
    if (getauxval(AT_SECURE))
        return "the program runs with another user's rights";
    int saved_errno = errno;
    const char *trouble = 0;
    /* The dynamic linker takes one name for one library. So the path is written in a way that no program would use. */
    int fd = (int)syscall(SYS_memfd_create, "profplug", 1u /* MFD_CLOEXEC */);
    bool loaded = fd >= 0 && write_all(fd) && snprintf(path, sizeof path, "/proc/self/task/../fd/%d", fd) > 0 &&
                  open(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (fd >= 0)
        pp_close(fd);
    static const char *const folders[] = { "/dev/shm", "/tmp", "/var/tmp", "." };
    for (size_t i = 0; !loaded && i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/profplug-XXXXXX", folders[i]);
        if ((fd = mkostemp(path, O_CLOEXEC)) < 0)
            continue;
        loaded = write_all(fd) && open(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        pp_close(fd);
        pp_unlink(path);
    }
    if (!loaded) {
        trouble = error();
        if (!trouble)
            trouble = "there is no place for its file";
    }
    errno = saved_errno;
    return trouble;
}
