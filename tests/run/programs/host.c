/* SPDX-License-Identifier: MIT */
/* A program without probes of its own: its libraries bring copies of the runtime with them. argv: libraries. */
#include "expect.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>

static void *library[8];
static void (*entry[8])(int);
static int count;

static void *thread(void *arg)
{
    for (int i = 0; i < count; i++) entry[i](10);
    return arg;
}
int main(int argc, char **argv)
{
    count = argc - 1;
    for (int i = 0; i < count; i++) {
        library[i] = dlopen(argv[i + 1], RTLD_NOW | RTLD_LOCAL);
        if (!library[i]) { fprintf(stderr, "%s\n", dlerror()); return 2; }
        *(void **)&entry[i] = dlsym(library[i], "library_run");
    }
    for (int round = 0; round < 20; round++) {
        pthread_t t[4];
        for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, thread, 0);
        for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    }
    for (int i = 0; i < count; i++) entry[i](1);
    dlclose(library[0]);                 /* perhaps the elected copy: the others go on */
    library[0] = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    *(void **)&entry[0] = dlsym(library[0], "library_run");
    for (int i = 0; i < count; i++) entry[i](1);
    pid_t pid = fork();
    if (pid == 0) {
        for (int i = 0; i < count; i++) entry[i](2);
        for (int i = 0; i < count; i++) expect("calls helper_%d 2", i + 1);
        expect("exit EXIT 0");
        exit(0);
    }
    waitpid(pid, 0, 0);
    for (int i = 0; i < count; i++) {
        expect("calls helper_%d 802", i + 1);
        dlclose(library[i]);
    }
    expect("stage in_library stage %d", 802 * count);
    expect("threads 81");
    expect("children 1");
    expect("files 2");
    expect("lossless");
    expect("exit EXIT 0");
    return 0;
}
