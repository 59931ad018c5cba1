/* SPDX-License-Identifier: MIT */
/* enter.c: starts a program under a fault: enter KEY=VALUE... -- PROGRAM ARGUMENTS. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static void die(const char *what)
{
    fprintf(stderr, "enter: %s: %s\n", what, strerror(errno));
    exit(96);
}

static const struct { const char *name; int number; } limits[] = {
    { "fsize", RLIMIT_FSIZE }, { "as", RLIMIT_AS }, { "data", RLIMIT_DATA }, { "stack", RLIMIT_STACK }, { "nofile", RLIMIT_NOFILE },
    { "nproc", RLIMIT_NPROC }, { "sigpending", RLIMIT_SIGPENDING }, { "memlock", RLIMIT_MEMLOCK }, { "cpu", RLIMIT_CPU }, { "core", RLIMIT_CORE },
};
static const struct { const char *name; int number; } calls[] = {
    { "perf_event_open", SYS_perf_event_open }, { "timer_create", SYS_timer_create }, { "fallocate", SYS_fallocate },
    { "prctl", SYS_prctl }, { "getrusage", SYS_getrusage }, { "openat", SYS_openat }, { "fcntl", SYS_fcntl }, { "ioctl", SYS_ioctl },
    { "rt_sigaction", SYS_rt_sigaction }, { "readlink", SYS_readlink }, { "madvise", SYS_madvise }, { "pwrite64", SYS_pwrite64 },
    { "pread64", SYS_pread64 }, { "uname", SYS_uname }, { "getcwd", SYS_getcwd }, { "timer_settime", SYS_timer_settime }, { "tgkill", SYS_tgkill }, { "process_vm_readv", SYS_process_vm_readv },
};

/* forbid=CALL,CALL:ACTION */
static void forbid(char *value)
{
    struct sock_filter code[80];
    int n = 0;
    char *colon = strchr(value, ':');
    unsigned action = !strcmp(colon + 1, "kill") ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | (unsigned)(!strcmp(colon + 1, "enosys") ? ENOSYS : EPERM);
    *colon = 0;
    code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (char *name = strtok(value, ","); name; name = strtok(0, ",")) {
        size_t i = 0;
        while (i < sizeof calls / sizeof *calls && strcmp(calls[i].name, name))
            i++;
        if (i == sizeof calls / sizeof *calls)
            die(name);
        code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i].number, 0, 1);
        code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
    }
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = { (unsigned short)n, code };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0))
        die("seccomp");
}

int main(int argc, char **argv)
{
    int at = 1;
    char *none[] = { 0 }, **environment = environ, **arguments;
    for (; at < argc && strcmp(argv[at], "--"); at++) {
        char *value = strchr(argv[at], '=');
        if (!value)
            die(argv[at]);
        *value++ = 0;
        const char *key = argv[at];
        if (!strcmp(key, "close")) {
            for (; *value; value++)
                close(*value - '0');
        } else if (!strcmp(key, "hide")) {               /* an empty folder over it */
            if (unshare(CLONE_NEWNS) || mount("none", "/", 0, MS_REC | MS_PRIVATE, 0) || mount("none", value, "tmpfs", 0, "size=4k"))
                die(value);
        } else if (!strcmp(key, "chroot")) {
            if (chroot(value) || chdir("/"))
                die(value);
        } else if (!strcmp(key, "forbid")) {
            forbid(value);
        } else if (!strcmp(key, "uid")) {
            if (setgid((gid_t)atoi(value)) || setuid((uid_t)atoi(value)))
                die(value);
        } else if (!strcmp(key, "arguments")) {
            argv[argc] = 0, arguments = none, at++;
            execve(argv[at + 1], arguments, environment);
            die(argv[at + 1]);
        } else if (!strcmp(key, "environment")) {
            environment = none;
        } else if (!strcmp(key, "personality")) {
            personality(ADDR_NO_RANDOMIZE);
        } else if (!strcmp(key, "ignore")) {
            signal(atoi(value), SIG_IGN);
        } else {
            size_t i = 0;
            while (i < sizeof limits / sizeof *limits && strcmp(limits[i].name, key))
                i++;
            struct rlimit limit = { strtoul(value, 0, 0), strtoul(value, 0, 0) };
            if (i == sizeof limits / sizeof *limits || setrlimit((unsigned)limits[i].number, &limit))
                die(key);
        }
    }
    if (at + 1 >= argc)
        die("no program");
    execve(argv[at + 1], argv + at + 1, environment);
    die(argv[at + 1]);
}
