/* SPDX-License-Identifier: MIT */
/* datafile.c: maps, grows and re-homes the data file; the only code that lays out file bytes. It must not know what the
 * extents mean, but for the records that it appends.
 *
 * The file is claimed with an atomic add, given disk blocks, mapped, filled, and published in the directory with one release
 * store: a reader sees whole extents or none, also after SIGKILL. No lock, but for the appending of records. */
#define _GNU_SOURCE
#include "file/datafile.h"
#include "file/memory.h"
#include "process/fault.h"
#include "system/signal.h"
#include "system/state.h"
#include "system/syscall.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Where the extents lie in memory: beside each directory chunk its mirror, so that a fork's child can map its own file at the
 * same addresses. It is private memory: the child's copy is what was there at the fork. */
struct mirror {
    struct pp_directory *directory;
    struct mirror *_Atomic next;
    struct pp_extent own;                                /* of the directory chunk itself */
    _Atomic uint32_t count;                              /* claims, may exceed the array */
    struct pp_mapped entry[PP_DIRECTORY_ENTRIES];
};

static struct {
    int fd;
    dev_t device;
    ino_t inode;
    bool broken;                                         /* no disk block is asked for any more */
    _Atomic uint64_t bytes;                              /* the file is at least that long, unless somebody cut it */
    bool unnamed;                                        /* not yet to be found at pp_run.path */
    struct mirror first;
    struct pp_records *_Atomic records;                  /* the extent that takes the next record */
    uint64_t records_bytes;
    _Atomic uint32_t records_lock;
} file = { .fd = -1 };

#define RECORDS_FIRST_BYTES 16384u
#define RECORDS_NEXT_BYTES 32768u

/* Where the program's memory is limited, what we take of it is what it would miss: a sixteenth is ours; and of what a disk has left. */
#define SHARE 16u
static _Atomic uint64_t taken_bytes = PP_STATIC_BYTES;

bool pp_memory_fits(uint64_t bytes)
{
    static const int which[] = { RLIMIT_AS, RLIMIT_DATA };
    struct rlimit limit;
    if (pp_forbids(PP_FORBIDDEN_MEMORY))
        return false;
    uint64_t whole = atomic_load_explicit(&taken_bytes, memory_order_relaxed) + bytes;
    for (size_t i = 0; i < sizeof which / sizeof *which; i++)
        if (!pp_forbids(PP_FORBIDDEN_LIMITS) && !getrlimit(which[i], &limit) && limit.rlim_cur != RLIM_INFINITY && whole > limit.rlim_cur / SHARE)
            return false;
    atomic_fetch_add_explicit(&taken_bytes, bytes, memory_order_relaxed);
    return true;
}

void *pp_memory(uint64_t bytes)
{
    if (pp_memory_fits(bytes)) {
        void *p = pp_map(0, bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p != MAP_FAILED)
            return p;
    }
    pp_loss(PP_LOSS_MEMORY, 1);
    return 0;
}

static uint64_t pages(uint64_t bytes)
{
    uint64_t page = pp_run.page_bytes;
    return (bytes + page - 1) / page * page;
}

/* A file that was cut must not grow again: its pages would come back as zeros under what we keep in them. */
static bool is_ours(int fd)
{
    struct stat s;
    uint64_t least = atomic_load_explicit(&file.bytes, memory_order_acquire);    /* first: it grows */
    if (fd < 0 || fstat(fd, &s) || s.st_dev != file.device || s.st_ino != file.inode)
        return false;
    if ((uint64_t)s.st_size < least)
        pp_file_lose();
    return true;
}

/* The program may have closed our descriptor, or put a file of its own at its number. */
static int descriptor(bool *opened)
{
    *opened = false;
    if (is_ours(file.fd))
        return file.fd;
    if (pp_forbids(PP_FORBIDDEN_LOOKS))
        return -1;
    int fd = pp_open(pp_run.path, O_RDWR | O_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    if (!is_ours(fd)) {
        pp_close(fd);
        return -1;
    }
    *opened = true;
    return fd;
}

/* Disk blocks for a range, so that writing to the mapping cannot raise SIGBUS. */
static bool give_blocks(int fd, uint64_t offset, uint64_t bytes)
{
    struct rlimit limit;
    if (!pp_forbids(PP_FORBIDDEN_LIMITS) && !getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY && offset + bytes > limit.rlim_cur) {
        errno = EFBIG;                                   /* asking would raise SIGXFSZ */
        return false;
    }
    struct statfs disk;
    if (!pp_forbids(PP_FORBIDDEN_LIMITS) && !syscall(SYS_fstatfs, fd, &disk) && disk.f_blocks && bytes / (uint64_t)disk.f_bsize > disk.f_bavail / SHARE) {
        errno = ENOSPC;                                  /* what is left is the program's */
        return false;
    }
    for (;;) {
        if (!syscall(SYS_fallocate, fd, 0, (off_t)offset, (off_t)bytes))
            return true;
        if (errno != EINTR)
            break;
    }
    if (errno != EOPNOTSUPP && errno != ENOSYS)
        return false;
    static char zero[4096];                              /* never written to; not const, so that it takes no room in the file */
    for (uint64_t at = offset; at < offset + bytes; at += sizeof zero)
        if (pp_pwrite(fd, zero, sizeof zero, at) != (ssize_t)sizeof zero)
            return false;
    return true;
}

static void size_note(uint64_t end)
{
    uint64_t seen = atomic_load_explicit(&file.bytes, memory_order_relaxed);
    while (seen < end && !atomic_compare_exchange_weak_explicit(&file.bytes, &seen, end, memory_order_release, memory_order_relaxed)) { }
}

static void *map_new(uint64_t offset, uint64_t bytes)
{
    bool opened;
    int fd = descriptor(&opened);
    if (fd < 0)
        return 0;
    void *p = MAP_FAILED;
    if (!atomic_load_explicit(&pp_file_is_lost, memory_order_relaxed) && give_blocks(fd, offset, bytes)) {
        size_note(offset + bytes);
        p = pp_map(0, bytes, MAP_SHARED, fd, (off_t)offset);
    }
    if (opened)
        pp_close(fd);
    return p == MAP_FAILED ? 0 : p;
}

bool pp_extent_claim(struct pp_extent *extent, uint64_t bytes)
{
    int saved_errno = errno;
    extent->size = pages(bytes);
    extent->offset = 0;
    extent->address = 0;
    struct pp_header *header = pp_run.header;
    if (header && !file.broken && !pp_forbids(PP_FORBIDDEN_FILE) && pp_memory_fits(extent->size)) {
        _Atomic uint64_t *end = (_Atomic uint64_t *)&header->file_end;
        if (atomic_load_explicit(end, memory_order_relaxed) + extent->size <= pp_run.options.max_file_bytes) {
            uint64_t offset = atomic_fetch_add_explicit(end, extent->size, memory_order_relaxed);
            extent->address = map_new(offset, extent->size);
            if (extent->address)
                extent->offset = offset;
        }
    }
    if (!extent->address) {
        pp_loss(PP_LOSS_DISK, 1);
        extent->address = pp_memory(extent->size);
    }
    errno = saved_errno;
    return extent->address;
}

static struct mirror *mirror_next(struct mirror *m)
{
    struct mirror *next = atomic_load_explicit(&m->next, memory_order_acquire);
    if (next)
        return next;
    struct mirror *made = pp_memory(sizeof *made);
    struct pp_extent chunk;
    if (!made || !pp_extent_claim(&chunk, PP_DIRECTORY_SIZE))
        return 0;
    made->directory = chunk.address;
    made->own = chunk;
    if (atomic_compare_exchange_strong_explicit(&m->next, &next, made, memory_order_acq_rel, memory_order_acquire)) {
        if (chunk.offset)                                /* an anonymous chunk hides what follows it: only when the disk is full */
            atomic_store_explicit((_Atomic uint64_t *)&m->directory->next, chunk.offset, memory_order_release);   /* partner: reader */
        return made;
    }
    pp_unmap(made, sizeof *made);                          /* another thread was first; the claimed page stays unused */
    pp_unmap(chunk.address, chunk.size);
    return next;
}

void pp_extent_publish(const struct pp_extent *extent, enum pp_extent_kind kind, uint32_t thread)
{
    for (struct mirror *m = &file.first; m; m = mirror_next(m)) {
        uint32_t i = atomic_fetch_add_explicit(&m->count, 1, memory_order_relaxed);
        if (i >= PP_DIRECTORY_ENTRIES) {
            atomic_store_explicit(&m->count, PP_DIRECTORY_ENTRIES, memory_order_relaxed);
            continue;
        }
        m->entry[i].extent = *extent;
        m->entry[i].thread = thread;
        atomic_store_explicit((_Atomic uint32_t *)&m->entry[i].kind, (uint32_t)kind, memory_order_release);   /* partner: pp_extent_each */
        struct pp_directory_entry *e = &m->directory->entry[i];
        if (extent->offset) {
            e->offset = extent->offset;
            e->size = extent->size;
            e->thread = thread;
            _Atomic uint32_t *count = (_Atomic uint32_t *)&m->directory->count;
            uint32_t seen = atomic_load_explicit(count, memory_order_relaxed);
            while (seen < i + 1 && !atomic_compare_exchange_weak_explicit(count, &seen, i + 1, memory_order_relaxed, memory_order_relaxed)) { }
            atomic_store_explicit((_Atomic uint32_t *)&e->kind, (uint32_t)kind, memory_order_release);        /* partner: reader */
        }
        return;
    }
    pp_loss(PP_LOSS_DISK, 1);
}

void pp_extent_withdraw(const struct pp_mapped *mapped)
{
    for (struct mirror *m = &file.first; m; m = atomic_load_explicit(&m->next, memory_order_acquire))
        if (mapped >= m->entry && mapped < m->entry + PP_DIRECTORY_ENTRIES) {
            m->entry[mapped - m->entry].kind = PP_EXTENT_NONE;
            m->directory->entry[mapped - m->entry].kind = PP_EXTENT_NONE;
        }
}

void pp_extent_each(void (*visit)(const struct pp_mapped *mapped, void *context), void *context)
{
    for (struct mirror *m = &file.first; m; m = atomic_load_explicit(&m->next, memory_order_acquire))
        for (uint32_t i = 0; i < PP_DIRECTORY_ENTRIES; i++)
            if (atomic_load_explicit((_Atomic uint32_t *)&m->entry[i].kind, memory_order_acquire))
                visit(&m->entry[i], context);
}

/* ---- opening ---- */

/* A file is born without a name, and gets it when it is valid: whoever is killed before leaves nothing behind. -1 where the file
 * system, or the absence of /proc, does not allow that: it is then named at once, and the header's magic comes last. */
static int open_unnamed(const char *path)
{
    char folder[1400];
    strcpy(folder, path);
    char *slash = strrchr(folder, '/');
    if (!slash)
        return -1;
    slash[slash == folder] = 0;
    return pp_open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
}

static bool name_give(int fd, const char *path)
{
    char link[32] = "/proc/self/fd/", *d = link + sizeof link - 1;
    unsigned v = (unsigned)fd;
    *d = 0;
    do
        *--d = (char)('0' + v % 10);
    while (v /= 10);
    memmove(link + 14, d, strlen(d) + 1);
    return !linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

/* Takes the path, or the first free one of .1, .2 ... (before the extension), for `fd`, or where that is -1 for a new file. */
static int name_take(char path[static 1400], int fd)
{
    char plain[1400];
    strcpy(plain, path);
    size_t length = strlen(plain), stem = length;
    static const char extension[] = ".profplug";
    if (length > sizeof extension - 1 && !strcmp(plain + length - (sizeof extension - 1), extension))
        stem = length - (sizeof extension - 1);
    for (unsigned n = 0; n < 100000; n++) {
        if (n) {
            char digits[12], *d = digits + sizeof digits;
            *--d = 0;
            for (unsigned v = n; v; v /= 10)
                *--d = (char)('0' + v % 10);
            size_t count = strlen(d);
            if (length + count + 2 > 1400)
                return -1;
            path[stem] = '.';
            memcpy(path + stem + 1, d, count);
            strcpy(path + stem + 1 + count, plain + stem);
        }
        int got = fd < 0 ? pp_open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666) : name_give(fd, path) ? fd : -1;
        if (got >= 0 || errno != EEXIST)
            return got;
    }
    return -1;
}

/* A new file for pp_run.path; *unnamed: it gets that name later. */
static int open_new(char path[static 1400], bool *unnamed)
{
    struct stat status;
    *unnamed = false;
    if (!stat(path, &status) && !S_ISREG(status.st_mode)) {              /* no name beside it either: /dev/null.1 is nothing anybody asked for */
        errno = S_ISDIR(status.st_mode) ? EISDIR : EEXIST;
        return -1;
    }
    int fd = open_unnamed(path);
    if (fd >= 0 && fd < 3) {                                             /* it would have to be closed, and opened by its name */
        int low = fd;
        fd = pp_fcntl(low, F_DUPFD_CLOEXEC, 3);
        pp_close(low);
    }
    if (fd >= 0 && !name_give(fd, "/") && errno == EEXIST) {             /* what it says when it could */
        *unnamed = true;
        return fd;
    }
    if (fd >= 0)
        pp_close(fd);
    return name_take(path, -1);
}

/* Out of the way of programs that count on low numbers, or close them. Never on 0 to 2, where the program writes whether or not they
 * are open: where nothing else is to be had it is closed (-1), and opened by its name when it is wanted. */
static int move_high(int fd)
{
    static const int lowest[] = { 500, 300, 100, 16, 3 };
    int high = -1;
    for (size_t i = 0; i < sizeof lowest / sizeof *lowest && high < 0; i++)
        high = pp_fcntl(fd, F_DUPFD_CLOEXEC, lowest[i]);
    if (high < 0 && fd > 2)
        return fd;
    pp_close(fd);
    return high;
}

/* The descriptor of a new file, before it is moved. */
static void remember(int fd)
{
    struct stat s;
    file.device = 0;
    file.inode = 0;
    if (!fstat(fd, &s)) {
        file.device = s.st_dev;
        file.inode = s.st_ino;
    }
    file.fd = move_high(fd);
}

struct pp_header *pp_file_create(void)
{
    int fd = open_new(pp_run.path, &file.unnamed);
    if (fd < 0)
        return 0;
    remember(fd);
    uint64_t bytes = pages(PP_HEADER_SIZE + PP_DIRECTORY_SIZE);
    char *p = map_new(0, bytes);
    if (!p) {
        int why = errno ? errno : EFBIG;
        pp_file_abandon();
        errno = why;
        return 0;
    }
    struct pp_header *header = (struct pp_header *)p;
    header->version = PP_FORMAT_VERSION;
    header->header_size = PP_HEADER_SIZE;
    memcpy(p + PP_LAYOUT_OFFSET, &(uint64_t){ PP_LAYOUT }, sizeof(uint64_t));
    header->file_end = bytes;
    header->directory = PP_HEADER_SIZE;
    file.first.directory = (struct pp_directory *)(p + PP_HEADER_SIZE);
    file.first.own = (struct pp_extent){ p, 0, bytes };
    return header;                                       /* the magic comes last: pp_file_open_to_readers */
}

bool pp_file_open_to_readers(void)
{
    atomic_thread_fence(memory_order_release);           /* partner: a reader that has seen the magic */
    memcpy(pp_run.header->magic, PP_MAGIC, 8);
    if (file.unnamed && name_take(pp_run.path, file.fd) < 0)
        return false;
    file.unnamed = false;
    return true;
}

void pp_file_abandon(void)
{
    if (is_ours(file.fd))
        pp_close(file.fd);
    file.fd = -1;
    if (!file.unnamed)
        unlink(pp_run.path);
    file.unnamed = false;
}

static bool holds(const struct pp_extent *e, uint64_t address)
{
    return (e->offset || e == &file.first.own) && address - (uint64_t)(uintptr_t)e->address < e->size;
}

bool pp_file_holds(uint64_t address)
{
    for (struct mirror *m = &file.first; m; m = atomic_load_explicit(&m->next, memory_order_acquire)) {
        if (holds(&m->own, address))
            return true;
        for (uint32_t i = 0; i < PP_DIRECTORY_ENTRIES; i++)
            if (atomic_load_explicit((_Atomic uint32_t *)&m->entry[i].kind, memory_order_acquire) && holds(&m->entry[i].extent, address))
                return true;
    }
    return false;
}

const char *pp_file_trouble(void)
{
    struct stat s;
    bool ours = is_ours(file.fd);
    if (atomic_load_explicit(&pp_file_is_lost, memory_order_relaxed))
        return "was cut short, or had no room after all, while the program ran; what was recorded is lost";
    return ours && !file.unnamed && !fstat(file.fd, &s) && !s.st_nlink ? "was removed while the program ran; what was recorded is lost" : 0;
}

/* ---- records ---- */

/* Called with all signals blocked. */
static void records_lock(void)
{
    while (atomic_exchange_explicit(&file.records_lock, 1, memory_order_acquire) && !atomic_load_explicit(&pp_file_is_lost, memory_order_relaxed))
        syscall(SYS_sched_yield);
}

static void records_unlock(void)
{
    atomic_store_explicit(&file.records_lock, 0, memory_order_release);
}

static struct pp_record *record_reserve(uint32_t size)
{
    uint64_t need = sizeof(struct pp_record) + ((uint64_t)size + 7) / 8 * 8;
    struct pp_records *r = atomic_load_explicit(&file.records, memory_order_relaxed);
    if (!r || sizeof *r + r->used + need > file.records_bytes) {
        struct pp_extent extent;
        uint64_t bytes = r ? RECORDS_NEXT_BYTES : RECORDS_FIRST_BYTES;
        if (bytes < need + sizeof *r)
            bytes = need + sizeof *r;
        if (!pp_extent_claim(&extent, bytes))
            return 0;
        r = extent.address;
        file.records_bytes = extent.size;
        atomic_store_explicit(&file.records, r, memory_order_relaxed);
        pp_extent_publish(&extent, PP_EXTENT_RECORDS, 0);
    }
    return (struct pp_record *)((char *)(r + 1) + r->used);
}

static void record_commit(struct pp_record *record)
{
    struct pp_records *r = atomic_load_explicit(&file.records, memory_order_relaxed);
    uint64_t used = (uint64_t)((char *)(record + 1) - (char *)(r + 1)) + ((uint64_t)record->size + 7) / 8 * 8;
    atomic_store_explicit((_Atomic uint64_t *)&r->used, used, memory_order_release);     /* partner: reader */
}

bool pp_record_add2(enum pp_record_kind kind, const void *head, uint32_t head_size, const void *tail, uint32_t tail_size)
{
    if (!pp_run.header)
        return false;
    if (pp_forbids(PP_FORBIDDEN_CORE)) {                 /* a handler could come in between */
        pp_loss(PP_LOSS_RECORDS, 1);
        return false;
    }
    sigset_t saved;
    pp_signals_block(&saved);
    records_lock();
    struct pp_record *record = record_reserve(head_size + tail_size);
    if (record) {
        record->kind = kind;
        record->size = head_size + tail_size;
        memcpy(record + 1, head, head_size);
        if (tail_size)
            memcpy((char *)(record + 1) + head_size, tail, tail_size);
        record_commit(record);
    } else {
        pp_loss(PP_LOSS_RECORDS, 1);
    }
    records_unlock();
    pp_signals_restore(&saved);
    return record;
}

bool pp_record_add(enum pp_record_kind kind, const void *payload, uint32_t size)
{
    return pp_record_add2(kind, payload, size, 0, 0);
}

/* ---- fork: all of this runs with every signal blocked ---- */

/* The forking thread's own block as it is at the fork: the parent's thread goes on writing to the shared pages while the child
 * still copies. Kept from fork to fork. */
static struct { char *at; uint64_t bytes, room; uint32_t thread; } snapshot;

static bool is_own(const struct pp_mapped *m)
{
    return snapshot.thread && m->thread == snapshot.thread &&
           (m->kind == PP_EXTENT_THREAD || m->kind == PP_EXTENT_NODES || m->kind == PP_EXTENT_STAGES || m->kind == PP_EXTENT_FRAMES);
}

static void snapshot_measure(const struct pp_mapped *m, void *unused)
{
    if (is_own(m))
        snapshot.bytes += m->extent.size;
}

static void snapshot_copy(const struct pp_mapped *m, void *at)
{
    char **to = at;
    if (!is_own(m))
        return;
    memcpy(*to, m->extent.address, m->extent.size);
    *to += m->extent.size;
}

static void snapshot_restore(const struct pp_mapped *m, void *at)
{
    char **from = at;
    if (!is_own(m))
        return;
    memcpy(m->extent.address, *from, m->extent.size);
    *from += m->extent.size;
}

static void snapshot_take(uint32_t thread)
{
    snapshot.thread = thread;
    snapshot.bytes = 0;
    pp_extent_each(snapshot_measure, 0);
    if (snapshot.bytes > snapshot.room) {
        if (snapshot.at)
            pp_unmap(snapshot.at, snapshot.room);
        snapshot.at = pp_memory(snapshot.bytes * 2);
        snapshot.room = snapshot.at ? snapshot.bytes * 2 : 0;
    }
    char *at = snapshot.at;
    if (at)
        pp_extent_each(snapshot_copy, &at);
    else
        snapshot.thread = 0;
}

/* In the parent, before: room for the child's name, which only the child can fill in. Its lock is kept over the fork. */
struct pp_child *pp_file_fork_prepare(uint32_t path_room, uint32_t thread)
{
    snapshot_take(thread);
    records_lock();
    uint32_t size = (uint32_t)sizeof(struct pp_child) + path_room;
    struct pp_record *record = record_reserve(size);
    if (!record) {
        pp_loss(PP_LOSS_RECORDS, 1);
        return 0;
    }
    record->kind = PP_RECORD_CHILD;
    record->size = size;
    memset(record + 1, 0, size);
    record_commit(record);
    return (struct pp_child *)(record + 1);
}

void pp_file_fork_done(void)
{
    records_unlock();
}

struct move { int fd; bool failed; uint64_t end; };

static void copy_out(const struct pp_extent *e, struct move *m)
{
    if (m->failed || (!e->offset && e != &file.first.own))
        return;
    if (e->offset + e->size > m->end)
        m->end = e->offset + e->size;
    if (!give_blocks(m->fd, e->offset, e->size)) {
        m->failed = true;
        return;
    }
    for (uint64_t done = 0; done < e->size; ) {
        ssize_t put = pp_pwrite(m->fd, (char *)e->address + done, e->size - done, e->offset + done);
        if (put <= 0) {
            m->failed = true;
            return;
        }
        done += (uint64_t)put;
    }
}

/* Puts the extent's own memory at its address: the new file's, or private memory with the same bytes. */
static void map_over(struct pp_extent *e, struct move *m)
{
    if (!e->offset && e != &file.first.own)
        return;
    if (!m->failed) {
        if (pp_map(e->address, e->size, MAP_SHARED | MAP_FIXED, m->fd, (off_t)e->offset) != MAP_FAILED)
            return;
        pp_loss(PP_LOSS_DISK, 1);
    }
    void *copy = pp_map(0, e->size, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED)
        return;                                          /* no memory at all: it goes on into the parent's page */
    memcpy(copy, e->address, e->size);
    pp_remap(copy, e->size, e->size, MREMAP_MAYMOVE | MREMAP_FIXED, e->address);
}

static void each_own(void (*visit)(struct pp_extent *, struct move *), struct move *m)
{
    for (struct mirror *c = &file.first; c; c = atomic_load(&c->next)) {
        visit(&c->own, m);
        for (uint32_t i = 0; i < PP_DIRECTORY_ENTRIES; i++)
            if (c->entry[i].kind)
                visit(&c->entry[i].extent, m);
    }
}

static void copy_each(struct pp_extent *e, struct move *m) { copy_out(e, m); }

/* The child's name in its parent's file, which the child maps a second time: where it was mapped comes the child's own file. */
static struct { struct pp_child *told; void *at; uint64_t bytes; } parent;

static void parent_keep(struct pp_child *child)
{
    uint64_t page = pp_run.page_bytes, from = (uint64_t)(uintptr_t)child / page * page;
    parent.told = 0;
    if (!child)
        return;
    parent.bytes = pages((uint64_t)(uintptr_t)child + sizeof *child + sizeof pp_run.path - from);
    parent.at = pp_remap((void *)(uintptr_t)from, 0, parent.bytes, MREMAP_MAYMOVE, 0);
    if (parent.at != MAP_FAILED)                         /* refused for private memory: then there is nobody to tell */
        parent.told = (struct pp_child *)((char *)parent.at + ((uint64_t)(uintptr_t)child - from));
}

static void parent_release(void)
{
    if (parent.told)
        pp_unmap(parent.at, parent.bytes);
    parent.told = 0;
}

bool pp_file_fork_named(uint32_t pid)
{
    bool named = !file.broken && (!file.unnamed || name_take(pp_run.path, file.fd) >= 0);
    file.unnamed = false;
    if (named && parent.told) {
        strcpy(parent.told->path, pp_run.path);
        atomic_store_explicit((_Atomic uint32_t *)&parent.told->pid, pid, memory_order_release);     /* partner: reader */
    }
    parent_release();
    return named;
}

void pp_file_fork_child(struct pp_child *child)
{
    int parent_fd = is_ours(file.fd) ? file.fd : -1;
    struct move m = { pp_run.path[0] ? open_new(pp_run.path, &file.unnamed) : -1, false, 0 };
    m.failed = m.fd < 0;
    parent_keep(child);
    each_own(copy_each, &m);
    each_own(map_over, &m);
    char *from = snapshot.at;
    if (snapshot.thread)
        pp_extent_each(snapshot_restore, &from);
    if (parent_fd >= 0)
        pp_close(parent_fd);
    file.fd = -1;
    if (m.failed) {
        file.broken = true;
        if (m.fd >= 0) {
            pp_close(m.fd);
            if (!file.unnamed)
                unlink(pp_run.path);
        }
        return;
    }
    remember(m.fd);
    file.broken = false;
    atomic_store_explicit(&file.bytes, m.end, memory_order_relaxed);
    pp_run.header->file_end = m.end;
    /* What other threads of the parent published after the fork is in the copied directory, but not ours. */
    for (struct mirror *c = &file.first; c; c = atomic_load(&c->next)) {
        struct mirror *next = atomic_load(&c->next);
        c->directory->next = next ? next->own.offset : 0;
        for (uint32_t i = 0; i < PP_DIRECTORY_ENTRIES; i++)
            if (!c->entry[i].kind)
                memset(&c->directory->entry[i], 0, sizeof c->directory->entry[i]);
    }
}
