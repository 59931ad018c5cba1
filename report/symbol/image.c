/* SPDX-License-Identifier: MIT */
/* image.c: the only user of libelf: an ELF file's identity, its symbols, and where its debug information is. See
 * image.h. Must not know DWARF.
 *
 * Files are read, never mapped: if a file is truncated meanwhile, that gives an error, not a signal. Every offset from
 * the file is checked against the file's size before libelf follows it. */
#include "symbol/debuglink.h"
#include "symbol/image.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define BUILD_ID_MAX 64
#define PATH_SIZE 4096
#define DIRECTORIES_MAX 8

struct code_range {
    uint64_t low, high;
};

struct elf_file {
    int fd;
    Elf *elf;
    uint64_t size;
    uint8_t build_id[BUILD_ID_MAX];
    size_t build_id_size;
    bool has_debug_info, has_symtab;
    uint16_t type; /* ET_* */
};

struct symbol {
    uint64_t address, size;
    uint64_t limit; /* end of its section */
    uint64_t reach; /* largest end of it and of all before it */
    const char *name;
    uint8_t rank;
};

struct image {
    char path[PATH_SIZE], debug_path[PATH_SIZE], alt_path[PATH_SIZE], missing[PATH_SIZE + 256];
    struct elf_file file, debug; /* debug.elf is NULL if the image contains its own */
    struct code_range *code;
    size_t code_count;
    struct code_range *stub;
    size_t stub_count;
    struct symbol *symbols, *aliases; /* aliases: other names at the address of a symbol, by address */
    size_t symbol_count, alias_count;
    bool symbols_read;
};

static char directories[DIRECTORIES_MAX][PATH_SIZE];
static size_t directory_count;

void image_debug_directory(const char *path)
{
    if (directory_count < DIRECTORIES_MAX - 1)
        snprintf(directories[directory_count++], PATH_SIZE, "%s", path);
}

/* The folder at `index`: first those that were added, then the system's. NULL after the last. */
static const char *debug_directory(size_t index)
{
    return index < directory_count ? directories[index] : index == directory_count ? "/usr/lib/debug" : NULL;
}

__attribute__((format(printf, 3, 4))) static void say(char *error, size_t size, const char *format, ...)
{
    va_list list;
    if (!error || !size)
        return;
    va_start(list, format);
    vsnprintf(error, size, format, list);
    va_end(list);
}

static void hex(const uint8_t *bytes, size_t size, char *text)
{
    for (size_t i = 0; i < size; i++)
        sprintf(text + 2 * i, "%02x", bytes[i]);
    text[2 * size] = 0;
}

static void elf_file_close(struct elf_file *file)
{
    if (file->elf) {
        elf_end(file->elf);
        close(file->fd);
    }
    memset(file, 0, sizeof *file);
}

/* ---- reading one file ---- */

static void take_note(struct elf_file *file, Elf_Data *data)
{
    GElf_Nhdr note;
    size_t offset = 0, next, name, desc;
    while (data && !file->build_id_size && (next = gelf_getnote(data, offset, &note, &name, &desc)) > 0) {
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp((char *)data->d_buf + name, "GNU", 4) &&
            note.n_descsz > 0 && note.n_descsz <= BUILD_ID_MAX) {
            memcpy(file->build_id, (char *)data->d_buf + desc, note.n_descsz);
            file->build_id_size = note.n_descsz;
        }
        offset = next;
    }
}

static bool inside(const struct elf_file *file, uint64_t offset, uint64_t size)
{
    return offset <= file->size && size <= file->size - offset;
}

static Elf_Scn *section_named(const struct elf_file *file, const char *wanted)
{
    size_t names;
    Elf_Scn *section = NULL;
    if (elf_getshdrstrndx(file->elf, &names))
        return NULL;
    while ((section = elf_nextscn(file->elf, section))) {
        GElf_Shdr header;
        const char *name = gelf_getshdr(section, &header) ? elf_strptr(file->elf, names, header.sh_name) : NULL;
        if (name && !strcmp(name, wanted) && header.sh_type != SHT_NOBITS && header.sh_size > 0)
            return section;
    }
    return NULL;
}

static enum image_result elf_file_read(struct elf_file *file, const char *path, char *error, size_t error_size)
{
    GElf_Ehdr header;
    GElf_Phdr segment;
    size_t count;
    Elf_Scn *section = NULL;
    if (!gelf_getehdr(file->elf, &header))
        return say(error, error_size, "%s: corrupt ELF header: %s", path, elf_errmsg(-1)), IMAGE_CORRUPT;
    file->type = header.e_type;
    if (!inside(file, header.e_shoff, (uint64_t)header.e_shnum * header.e_shentsize) ||
        !inside(file, header.e_phoff, (uint64_t)header.e_phnum * header.e_phentsize))
        return say(error, error_size, "%s: truncated: its headers reach past its %llu bytes", path,
                   (unsigned long long)file->size),
               IMAGE_CORRUPT;
    while ((section = elf_nextscn(file->elf, section))) {
        GElf_Shdr sh;
        if (!gelf_getshdr(section, &sh))
            return say(error, error_size, "%s: corrupt section header %zu: %s", path, elf_ndxscn(section),
                       elf_errmsg(-1)),
                   IMAGE_CORRUPT;
        if (sh.sh_type != SHT_NOBITS && sh.sh_type != SHT_NULL && !inside(file, sh.sh_offset, sh.sh_size))
            return say(error, error_size, "%s: truncated: section %zu reaches past its %llu bytes", path,
                       elf_ndxscn(section), (unsigned long long)file->size),
                   IMAGE_CORRUPT;
        if (sh.sh_type == SHT_NOTE)
            take_note(file, elf_getdata(section, NULL));
        if (sh.sh_type == SHT_SYMTAB)
            file->has_symtab = true;
    }
    if (elf_getphdrnum(file->elf, &count))
        return say(error, error_size, "%s: corrupt program headers: %s", path, elf_errmsg(-1)), IMAGE_CORRUPT;
    for (size_t i = 0; i < count; i++)
        if (gelf_getphdr(file->elf, (int)i, &segment) && segment.p_type == PT_NOTE &&
            inside(file, segment.p_offset, segment.p_filesz))
            take_note(file, elf_getdata_rawchunk(file->elf, (int64_t)segment.p_offset, segment.p_filesz,
                                                 segment.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR));
    file->has_debug_info = section_named(file, ".debug_info") || section_named(file, ".zdebug_info");
    return IMAGE_OK;
}

static enum image_result elf_file_open(struct elf_file *file, const char *path, char *error, size_t error_size)
{
    struct stat status;
    unsigned char magic[SELFMAG] = "";
    enum image_result result;
    memset(file, 0, sizeof *file);
    file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file->fd < 0)
        return say(error, error_size, "%s: %s; expected an ELF program or shared object", path, strerror(errno)),
               errno == ENOENT || errno == ENOTDIR ? IMAGE_MISSING : IMAGE_UNREADABLE;
    if (fstat(file->fd, &status) || !S_ISREG(status.st_mode)) {
        say(error, error_size, "%s: not a regular file, expected an ELF program or shared object", path);
        close(file->fd);
        return IMAGE_UNREADABLE;
    }
    file->size = (uint64_t)status.st_size;
    if (pread(file->fd, magic, SELFMAG, 0) != SELFMAG || memcmp(magic, ELFMAG, SELFMAG)) {
        say(error, error_size, "%s: not an ELF file, expected a program or shared object", path);
        close(file->fd);
        return IMAGE_NOT_ELF;
    }
    elf_version(EV_CURRENT);
    file->elf = elf_begin(file->fd, ELF_C_READ, NULL);
    if (!file->elf || elf_kind(file->elf) != ELF_K_ELF) {
        say(error, error_size, "%s: corrupt ELF file: %s", path,
            file->elf ? "unknown class or encoding" : elf_errmsg(-1));
        result = IMAGE_CORRUPT;
    } else {
        result = elf_file_read(file, path, error, error_size);
    }
    if (result != IMAGE_OK) {
        if (file->elf)
            elf_end(file->elf);
        close(file->fd);
        memset(file, 0, sizeof *file);
    }
    return result;
}

/* ---- the way to the debug information ---- */

static bool has_build_id(const struct elf_file *file, const uint8_t *build_id, size_t size)
{
    return file->build_id_size == size && !memcmp(file->build_id, build_id, size);
}

/* Opens the first file of that build-id in the debug folders; `suffix` is ".debug", or "" for a whole program. */
static bool open_by_build_id(struct elf_file *file, const uint8_t *build_id, size_t size, const char *suffix,
                             bool need_debug, char *path)
{
    char name[2 * BUILD_ID_MAX + 1];
    const char *directory;
    if (size < 2 || size > BUILD_ID_MAX)
        return false;
    hex(build_id, size, name);
    for (size_t i = 0; (directory = debug_directory(i)); i++) {
        snprintf(path, PATH_SIZE, "%s/.build-id/%.2s/%s%s", directory, name, name + 2, suffix);
        if (elf_file_open(file, path, NULL, 0) != IMAGE_OK)
            continue;
        if (has_build_id(file, build_id, size) && (file->has_debug_info || !need_debug))
            return true;
        elf_file_close(file);
    }
    return false;
}

static const char *section_text(const struct elf_file *file, const char *name, size_t *size)
{
    Elf_Scn *section = section_named(file, name);
    Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
    if (!data || !data->d_buf || !memchr(data->d_buf, 0, data->d_size))
        return NULL;
    *size = data->d_size;
    return data->d_buf;
}

/* The folder of a path, with symbolic links resolved, without the last slash ("" for the root). */
static void folder_of(const char *path, char *folder)
{
    char *real = realpath(path, NULL), *slash;
    snprintf(folder, PATH_SIZE, "%s", real ? real : path);
    free(real);
    slash = strrchr(folder, '/');
    if (slash)
        *slash = 0;
    else
        strcpy(folder, ".");
}

/* Follows .gnu_debuglink: next to the image, in .debug there, and under the debug folders. Returns why it failed, or
 * NULL. */
static const char *open_by_link(struct image *image, char *path)
{
    size_t size = 0, at;
    uint32_t expected, found;
    char folder[PATH_SIZE];
    const char *link = section_text(&image->file, ".gnu_debuglink", &size), *directory;
    const char *why = "the file its debug link names is not there";
    if (!link)
        return "it was compiled without -g or stripped";
    at = (strlen(link) + 4) & ~(size_t)3;
    if (at + 4 > size || !*link || strchr(link, '/'))
        return "its debug link is corrupt";
    memcpy(&expected, link + at, 4);
    folder_of(image->path, folder);
    for (size_t i = 0;; i++) {
        int length;
        if (i < 2) {
            length = snprintf(path, PATH_SIZE, "%s/%s%s", folder, i ? ".debug/" : "", link);
        } else {
            if (!(directory = debug_directory(i - 2)))
                return why;
            length = snprintf(path, PATH_SIZE, "%s%s/%s", directory, folder, link);
        }
        if (length >= PATH_SIZE || elf_file_open(&image->debug, path, NULL, 0) != IMAGE_OK)
            continue;
        if (image->debug.has_debug_info && debuglink_checksum(image->debug.fd, &found) && found == expected)
            return NULL;
        why = "the file its debug link names belongs to another build";
        elf_file_close(&image->debug);
    }
}

/* dwz moves what several files share into one more file. */
static void find_alt(struct image *image)
{
    const struct elf_file *holder = image->debug.elf ? &image->debug : &image->file;
    struct elf_file alt;
    size_t size = 0, name_size;
    char folder[PATH_SIZE], path[PATH_SIZE];
    const char *link = section_text(holder, ".gnu_debugaltlink", &size);
    const uint8_t *build_id;
    if (!link || !*link)
        return;
    name_size = strlen(link) + 1;
    build_id = (const uint8_t *)link + name_size;
    folder_of(image->debug_path, folder);
    if (snprintf(path, sizeof path, "%s%s%s", *link == '/' ? "" : folder, *link == '/' ? "" : "/", link) < PATH_SIZE &&
        elf_file_open(&alt, path, NULL, 0) == IMAGE_OK) {
        if (has_build_id(&alt, build_id, size - name_size))
            snprintf(image->alt_path, PATH_SIZE, "%s", path);
        elf_file_close(&alt);
    }
    if (!*image->alt_path && open_by_build_id(&alt, build_id, size - name_size, ".debug", true, path)) {
        snprintf(image->alt_path, PATH_SIZE, "%s", path);
        elf_file_close(&alt);
    }
}

static void find_debug(struct image *image)
{
    const char *why = NULL;
    if (image->file.has_debug_info)
        snprintf(image->debug_path, PATH_SIZE, "%s", image->path);
    else if (!open_by_build_id(&image->debug, image->file.build_id, image->file.build_id_size, ".debug", true,
                               image->debug_path))
        why = open_by_link(image, image->debug_path);
    if (why) {
        char name[2 * BUILD_ID_MAX + 1];
        image->debug_path[0] = 0;
        hex(image->file.build_id, image->file.build_id_size, name);
        say(image->missing, sizeof image->missing,
            "%s: no debug information: %s%s%.8s; expected a program compiled with -g, or its debug file", image->path,
            why, *name ? ", and no debug file has its build-id " : "", name);
        return;
    }
    find_alt(image);
}

const uint8_t *image_section(const struct image *image, const char *name, size_t *size)
{
    const struct elf_file *file = section_named(&image->file, name) || !image->debug.elf ? &image->file : &image->debug;
    Elf_Scn *section = section_named(file, name);
    Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
    *size = data && data->d_buf ? data->d_size : 0;
    return *size ? data->d_buf : NULL;
}

bool image_section_place(const struct image *image, const char *name, uint64_t *address, uint64_t *size)
{
    GElf_Shdr header;
    Elf_Scn *section = section_named(&image->file, name);
    if (!section || !gelf_getshdr(section, &header))
        return false;
    *address = header.sh_addr;
    *size = header.sh_size;
    return true;
}

/* ---- opening ---- */

static void read_code(struct image *image)
{
    size_t count = 0;
    GElf_Phdr segment;
    if (elf_getphdrnum(image->file.elf, &count) || !count)
        return;
    image->code = calloc(count, sizeof *image->code);
    for (size_t i = 0; image->code && i < count; i++)
        if (gelf_getphdr(image->file.elf, (int)i, &segment) && segment.p_type == PT_LOAD && segment.p_flags & PF_X &&
            segment.p_memsz <= UINT64_MAX - segment.p_vaddr)
            image->code[image->code_count++] =
                (struct code_range){ segment.p_vaddr, segment.p_vaddr + segment.p_memsz };
}

/* .plt, .plt.sec, .plt.got */
static void read_stubs(struct image *image)
{
    size_t names, count = 0;
    GElf_Shdr header;
    if (elf_getshdrstrndx(image->file.elf, &names) || elf_getshdrnum(image->file.elf, &count) || !count)
        return;
    image->stub = calloc(count, sizeof *image->stub);
    for (Elf_Scn *section = NULL; image->stub && (section = elf_nextscn(image->file.elf, section));) {
        const char *name =
            gelf_getshdr(section, &header) ? elf_strptr(image->file.elf, names, header.sh_name) : NULL;
        if (name && !strncmp(name, ".plt", 4) && header.sh_flags & SHF_EXECINSTR && image->stub_count < count &&
            header.sh_size <= UINT64_MAX - header.sh_addr)
            image->stub[image->stub_count++] =
                (struct code_range){ header.sh_addr, header.sh_addr + header.sh_size };
    }
}

enum image_result image_open(const char *path, const uint8_t *build_id, size_t build_id_size, struct image **image_out,
                             char *error, size_t error_size)
{
    struct image *image = calloc(1, sizeof *image);
    enum image_result result;
    *image_out = NULL;
    if (!image)
        return say(error, error_size, "%s: out of memory", path), IMAGE_UNREADABLE;
    snprintf(image->path, PATH_SIZE, "%s", path);
    result = elf_file_open(&image->file, path, error, error_size);
    if (result == IMAGE_OK && image->file.type != ET_EXEC && image->file.type != ET_DYN) {
        say(error, error_size, "%s: ELF of type %u, expected a program or a shared object", path, image->file.type);
        elf_file_close(&image->file);
        result = IMAGE_NOT_ELF;
    }
    if (result == IMAGE_OK && build_id_size && !has_build_id(&image->file, build_id, build_id_size)) {
        char expected[2 * BUILD_ID_MAX + 1], found[2 * BUILD_ID_MAX + 1];
        hex(build_id, build_id_size < BUILD_ID_MAX ? build_id_size : BUILD_ID_MAX, expected);
        hex(image->file.build_id, image->file.build_id_size, found);
        say(error, error_size, "%s: rebuilt since the run: its build-id is %.8s, expected %.8s", path,
            *found ? found : "absent", expected);
        elf_file_close(&image->file);
        result = IMAGE_REBUILT;
    }
    if (result != IMAGE_OK && build_id_size &&
        (open_by_build_id(&image->file, build_id, build_id_size, "", false, image->path) ||
         open_by_build_id(&image->file, build_id, build_id_size, ".debug", true, image->path)))
        result = IMAGE_OK;
    if (result != IMAGE_OK) {
        free(image);
        return result;
    }
    if (error && error_size)
        *error = 0;
    read_code(image);
    read_stubs(image);
    find_debug(image);
    *image_out = image;
    return IMAGE_OK;
}

void image_close(struct image *image)
{
    if (!image)
        return;
    elf_file_close(&image->file);
    elf_file_close(&image->debug);
    free(image->code);
    free(image->stub);
    free(image->symbols);
    free(image->aliases);
    free(image);
}

const char *image_path(const struct image *image) { return image->path; }
const char *image_debug_path(const struct image *image) { return *image->debug_path ? image->debug_path : NULL; }
const char *image_debug_missing(const struct image *image) { return *image->missing ? image->missing : NULL; }
const char *image_debug_alt_path(const struct image *image) { return *image->alt_path ? image->alt_path : NULL; }

size_t image_build_id(const struct image *image, const uint8_t **bytes)
{
    *bytes = image->file.build_id;
    return image->file.build_id_size;
}

static bool ranges_hold(const struct code_range *range, size_t count, uint64_t address)
{
    for (size_t i = 0; i < count; i++)
        if (address >= range[i].low && address < range[i].high)
            return true;
    return false;
}

bool image_is_code(const struct image *image, uint64_t address)
{
    return ranges_hold(image->code, image->code_count, address);
}

bool image_is_stub(const struct image *image, uint64_t address)
{
    return ranges_hold(image->stub, image->stub_count, address);
}

/* ---- contents ---- */

bool image_bytes(const struct image *image, uint64_t address, void *to, size_t size)
{
    GElf_Shdr header;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(image->file.elf, section));) {
        if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC) || header.sh_type == SHT_NOBITS ||
            address < header.sh_addr || address - header.sh_addr >= header.sh_size)
            continue;
        Elf_Data *data = elf_rawdata(section, NULL);
        uint64_t at = address - header.sh_addr;
        if (!data || !data->d_buf || at > data->d_size || size > data->d_size - at)
            return false;
        memcpy(to, (const char *)data->d_buf + at, size);
        return true;
    }
    return false;
}

bool image_relocations_at(const struct image *image, size_t index, struct image_relocations *table)
{
    GElf_Shdr header, symbols = { 0 }, names = { 0 };
    for (Elf_Scn *section = NULL; (section = elf_nextscn(image->file.elf, section));) {
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA || !(header.sh_flags & SHF_ALLOC) || index--)
            continue;
        Elf_Scn *linked = header.sh_link ? elf_getscn(image->file.elf, header.sh_link) : NULL;
        if (linked && gelf_getshdr(linked, &symbols) && symbols.sh_flags & SHF_ALLOC)
            linked = elf_getscn(image->file.elf, symbols.sh_link);
        if (!linked || !gelf_getshdr(linked, &names) || !(names.sh_flags & SHF_ALLOC))
            symbols.sh_addr = names.sh_addr = 0;
        *table = (struct image_relocations){ header.sh_addr, header.sh_size, header.sh_entsize, symbols.sh_addr,
                                             names.sh_addr };
        return true;
    }
    return false;
}

bool image_is_x86_64(const struct image *image)
{
    GElf_Ehdr header;
    return gelf_getehdr(image->file.elf, &header) && header.e_machine == EM_X86_64 &&
           header.e_ident[EI_CLASS] == ELFCLASS64;
}

/* ---- symbols ---- */

static int symbol_order(const void *left, const void *right)
{
    const struct symbol *a = left, *b = right;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank > b->rank ? -1 : 1;
    return strcmp(a->name, b->name); /* so that the choice among equals does not depend on the table's order */
}

/* Chooses among symbols at one address: one with a size, one of a function; one that others can call before a hidden
 * one and that before a local one, global before weak. */
static uint8_t rank_of(const GElf_Sym *symbol)
{
    int bind = GELF_ST_BIND(symbol->st_info), type = GELF_ST_TYPE(symbol->st_info);
    uint8_t reach = bind == STB_LOCAL ? 0 : bind == STB_WEAK ? 2 : 3;
    if (reach && GELF_ST_VISIBILITY(symbol->st_other) != STV_DEFAULT)
        reach = 1;
    return (uint8_t)((symbol->st_size ? 8 : 0) + (type == STT_NOTYPE ? 0 : 4) + reach);
}

static uint64_t section_end(const struct elf_file *file, size_t index, uint64_t fallback)
{
    GElf_Shdr header;
    Elf_Scn *section = elf_getscn(file->elf, index);
    return section && gelf_getshdr(section, &header) && header.sh_size <= UINT64_MAX - header.sh_addr
               ? header.sh_addr + header.sh_size
               : fallback;
}

static bool read_table(struct image *image, const struct elf_file *file, uint32_t type)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header = { 0 };
    Elf_Data *data;
    size_t count;
    while ((section = elf_nextscn(file->elf, section)))
        if (gelf_getshdr(section, &header) && header.sh_type == type)
            break;
    data = section && header.sh_entsize ? elf_getdata(section, NULL) : NULL;
    if (!data)
        return false;
    count = data->d_size / header.sh_entsize;
    image->symbols = calloc(count ? count : 1, sizeof *image->symbols);
    for (size_t i = 0; image->symbols && i < count; i++) {
        GElf_Sym symbol;
        const char *name;
        int kind;
        if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS)
            continue;
        kind = GELF_ST_TYPE(symbol.st_info);
        if ((kind != STT_FUNC && kind != STT_GNU_IFUNC && kind != STT_NOTYPE) ||
            !image_is_code(image, symbol.st_value) || !(name = elf_strptr(file->elf, header.sh_link, symbol.st_name)) ||
            !*name)
            continue;
        image->symbols[image->symbol_count++] = (struct symbol){
            symbol.st_value, symbol.st_size, section_end(file, symbol.st_shndx, symbol.st_value), 0, name,
            rank_of(&symbol)
        };
    }
    return image->symbol_count > 0;
}

static void read_symbols(struct image *image)
{
    size_t kept = 0;
    uint64_t reach = 0;
    if (image->symbols_read)
        return;
    image->symbols_read = true;
    if (!(image->file.has_symtab && read_table(image, &image->file, SHT_SYMTAB))) {
        free(image->symbols), image->symbols = NULL;
        if (!(image->debug.elf && read_table(image, &image->debug, SHT_SYMTAB))) {
            free(image->symbols), image->symbols = NULL;
            read_table(image, &image->file, SHT_DYNSYM);
        }
    }
    image->aliases = calloc(image->symbol_count + 1, sizeof *image->aliases);
    if (image->symbol_count)
        qsort(image->symbols, image->symbol_count, sizeof *image->symbols, symbol_order);
    for (size_t i = 0; i < image->symbol_count; i++) {
        struct symbol *symbol = &image->symbols[i];
        if (kept && image->symbols[kept - 1].address == symbol->address) {
            if (image->aliases)
                image->aliases[image->alias_count++] = *symbol;
            continue;
        }
        if (symbol->size > UINT64_MAX - symbol->address)
            symbol->size = 0;
        if (!symbol->size) { /* an assembly symbol extends to the next symbol, within its section */
            size_t next = i + 1;
            while (next < image->symbol_count && image->symbols[next].address == symbol->address)
                next++;
            if (next < image->symbol_count && image->symbols[next].address < symbol->limit)
                symbol->limit = image->symbols[next].address;
            if (symbol->limit > symbol->address)
                symbol->size = symbol->limit - symbol->address;
        }
        if (symbol->address + symbol->size > reach)
            reach = symbol->address + symbol->size;
        symbol->reach = reach;
        image->symbols[kept++] = *symbol;
    }
    image->symbol_count = kept;
}

static bool symbol_give(const struct symbol *list, size_t count, size_t index, struct image_symbol *symbol)
{
    if (index >= count)
        return false;
    *symbol = (struct image_symbol){ list[index].name, list[index].address, list[index].size, !(list[index].rank & 3) };
    return true;
}

bool image_symbol_at(struct image *image, size_t index, struct image_symbol *symbol)
{
    read_symbols(image);
    return symbol_give(image->symbols, image->symbol_count, index, symbol);
}

bool image_alias_at(struct image *image, size_t index, struct image_symbol *symbol)
{
    read_symbols(image);
    return symbol_give(image->aliases, image->alias_count, index, symbol);
}

bool image_symbol(struct image *image, uint64_t address, struct image_symbol *symbol)
{
    size_t low = 0, high;
    read_symbols(image);
    high = image->symbol_count;
    while (low < high) { /* finds the first symbol after the address */
        size_t middle = low + (high - low) / 2;
        if (image->symbols[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || !image_is_code(image, address))
        return false;
    for (size_t i = low; i-- > 0 && image->symbols[i].reach > address;)
        if (address - image->symbols[i].address < image->symbols[i].size)
            return image_symbol_at(image, i, symbol);
    return false;
}
