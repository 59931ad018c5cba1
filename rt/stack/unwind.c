/* SPDX-License-Identifier: MIT */
/* unwind.c: call frame information (DWARF 5 section 6.4, with the .eh_frame layout of the Linux Standard Base) read in
 * place. Runs in a signal handler: no lock, no allocation, no library call. The tables are those of images that are on
 * the stack, so they stay mapped; stack memory is proved readable first, because the tables may be wrong. */
#define _GNU_SOURCE                                     /* names of the registers in a signal context */
#include "stack/unwind.h"
#include "stack/cfi.h"
#include "system/state.h"

#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/* saved: what functions keep for their callers, the return address last. */
#if defined __x86_64__
enum { STACK = 7, RETURN = 16, COLUMNS = 17 };
static const uint8_t saved[] = { 3, 6, 12, 13, 14, 15, RETURN };
#elif defined __aarch64__
enum { STACK = 31, RETURN = 30, COLUMNS = 32 };
static const uint8_t saved[] = { 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, RETURN };
#else
enum { STACK = 0, RETURN = 0, COLUMNS = 1 };
static const uint8_t saved[] = { RETURN };
#endif
enum { SAVED = sizeof saved };
_Static_assert(SAVED <= PP_ROW_WORDS, "room in struct pp_row");

enum rule_kind { SAME, UNDEFINED, OFFSET, VALUE_OFFSET, REGISTER, EXPRESSION, VALUE_EXPRESSION };
struct rule { int32_t value; uint32_t kind; };          /* value: offset, register, or the expression's distance from the CIE */
struct row {
    struct rule reg[COLUMNS];
    int64_t cfa_offset;
    uint32_t cfa_reg;
    int32_t cfa_expression;                             /* distance from the CIE, 0 for none */
};
#define REMEMBERED 4                                    /* GCC nests one deep */

/* A checked walk over bytes that the linker wrote: `bad` once it passed the end. */
struct bytes { const uint8_t *at, *end; bool bad; };

static uint64_t bytes_fixed(struct bytes *b, unsigned size) {
    uint64_t value = 0;
    if (b->bad || (size_t)(b->end - b->at) < size) { b->bad = true; return 0; }
    memcpy(&value, b->at, size);
    b->at += size;
    return value;
}

static uint64_t bytes_uleb(struct bytes *b) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint64_t byte = bytes_fixed(b, 1);
        value |= (byte & 0x7f) << shift;
        if (!(byte & 0x80)) return value;
    }
    b->bad = true;
    return 0;
}

static int64_t bytes_sleb(struct bytes *b) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64;) {
        uint64_t byte = bytes_fixed(b, 1);
        value |= (byte & 0x7f) << shift;
        shift += 7;
        if (!(byte & 0x80)) {
            if (shift < 64 && (byte & 0x40)) value |= ~UINT64_C(0) << shift;
            return (int64_t)value;
        }
    }
    b->bad = true;
    return 0;
}

/* DW_EH_PE_*: how an address is written. Only what linkers put into executables; anything else is bad. */
static uint64_t bytes_encoded(struct bytes *b, uint8_t encoding, uint64_t data_base) {
    uint64_t place = (uint64_t)(uintptr_t)b->at, value;
    switch (encoding & 0x0f) {
    case 0x00: case 0x04: case 0x0c: value = bytes_fixed(b, 8); break;
    case 0x02: value = bytes_fixed(b, 2); break;
    case 0x03: value = bytes_fixed(b, 4); break;
    case 0x0a: value = (uint64_t)(int64_t)(int16_t)bytes_fixed(b, 2); break;
    case 0x0b: value = (uint64_t)(int64_t)(int32_t)bytes_fixed(b, 4); break;
    case 0x01: value = bytes_uleb(b); break;
    case 0x09: value = (uint64_t)bytes_sleb(b); break;
    default: b->bad = true; return 0;
    }
    switch (encoding & 0x70) {
    case 0x00: break;
    case 0x10: value += place; break;
    case 0x30: value += data_base; break;
    default: b->bad = true;
    }
    return value;
}

/* ---- stack memory ---- */

#define PAGE_OF(address) ((address) & ~UINT64_C(4095))

/* The kernel reads the set before it refuses the made-up `how`: EFAULT tells an unreadable address, at the price of a
 * system call that changes nothing. No set at all is nothing to refuse: the first page is never asked about. */
static bool page_readable(struct pp_unwind *unwind, uint64_t address) {
    uint64_t page = PAGE_OF(address);
    if (address >= unwind->stack_low && address < unwind->stack_high) return true;
    if (page == 0 || pp_forbids(PP_FORBIDDEN_CORE)) return false;
#if defined __x86_64__
    long result;
    register uint64_t size __asm__("r10") = 8;
    __asm__ volatile("syscall" : "=a"(result)
                     : "0"((long)SYS_rt_sigprocmask), "D"(-1L), "S"(address & ~UINT64_C(7)), "d"(0L), "r"(size)
                     : "rcx", "r11", "memory");
#elif defined __aarch64__
    register long number __asm__("x8") = SYS_rt_sigprocmask;
    register long result __asm__("x0") = -1;
    register uint64_t set __asm__("x1") = address & ~UINT64_C(7);
    register uint64_t old __asm__("x2") = 0;
    register uint64_t size __asm__("x3") = 8;
    __asm__ volatile("svc 0" : "+r"(result) : "r"(number), "r"(set), "r"(old), "r"(size) : "memory");
#else
    long result = -14;
#endif
    if (result == -14) return false;                    /* EFAULT */
    if (page == unwind->stack_high) unwind->stack_high += 4096;
    else if (page <= unwind->stack_low && page + 4096 >= unwind->stack_low) unwind->stack_low = page;
    else { unwind->stack_low = page; unwind->stack_high = page + 4096; }         /* another stack */
    return true;
}

static bool stack_word(struct pp_unwind *unwind, uint64_t address, uint64_t *value) {
    if (!page_readable(unwind, address) || !page_readable(unwind, address + 7)) return false;
    memcpy(value, (const void *)(uintptr_t)address, 8);
    return true;
}

/* ---- finding the entry of an address ---- */

struct entry {
    const uint8_t *cie;
    struct bytes cie_code, fde_code;
    uint64_t start, end, code_align;
    int64_t data_align;
    uint32_t return_column;
    bool signal;
};

static struct bytes entry_bytes(const uint8_t *at) {     /* of a CIE or FDE: after its length word */
    uint32_t length;
    memcpy(&length, at, 4);
    struct bytes b = { at + 4, at + 4, length == 0 || length > 0x1000000 };   /* 0xffffffff: 64-bit form, which nobody writes here */
    if (!b.bad) b.end += length;
    return b;
}

static bool entry_read(struct entry *entry, const uint8_t *fde, uint64_t pc) {
    struct bytes f = entry_bytes(fde);
    const uint8_t *field = f.at;
    uint32_t distance = (uint32_t)bytes_fixed(&f, 4);
    if (f.bad || distance == 0) return false;
    entry->cie = field - distance;
    struct bytes c = entry_bytes(entry->cie);
    if (bytes_fixed(&c, 4) != 0 || c.bad) return false;
    unsigned version = (unsigned)bytes_fixed(&c, 1);
    if (version != 1 && version != 3) return false;
    const uint8_t *augmentation = c.at;
    while (bytes_fixed(&c, 1) != 0) { }
    if (c.bad) return false;
    entry->code_align = bytes_uleb(&c);
    entry->data_align = bytes_sleb(&c);
    entry->return_column = version == 1 ? (uint32_t)bytes_fixed(&c, 1) : (uint32_t)bytes_uleb(&c);
    entry->signal = false;
    uint8_t encoding = 0;
    bool sized = *augmentation == 'z';
    if (sized) {
        uint64_t size = bytes_uleb(&c);
        if (c.bad || size > (uint64_t)(c.end - c.at)) return false;
        const uint8_t *after = c.at + size;
        for (const uint8_t *letter = augmentation + 1; *letter; letter++) {
            if (*letter == 'R') encoding = (uint8_t)bytes_fixed(&c, 1);
            else if (*letter == 'P') { uint8_t how = (uint8_t)bytes_fixed(&c, 1); (void)bytes_encoded(&c, how & 0x7f, 0); }
            else if (*letter == 'L') (void)bytes_fixed(&c, 1);
            else if (*letter == 'S') entry->signal = true;
            else if (*letter != 'B') return false;       /* B: AArch64, return address signed with key B */
        }
        c.at = after;
    } else if (*augmentation) {
        return false;
    }
    entry->cie_code = c;
    entry->start = bytes_encoded(&f, encoding, 0);
    uint64_t range = bytes_encoded(&f, encoding & 0x0f, 0);
    if (sized) {
        uint64_t size = bytes_uleb(&f);
        if (f.bad || size > (uint64_t)(f.end - f.at)) return false;
        f.at += size;
    }
    entry->end = entry->start + range;
    entry->fde_code = f;
    return !f.bad && !c.bad && pc - entry->start < range;
}

/* The sorted table of .eh_frame_hdr, in the one form that linkers write. */
static bool entry_find(struct entry *entry, uint64_t frames, uint64_t pc) {
    const uint8_t *head = (const uint8_t *)(uintptr_t)frames;
    if (!frames || head[0] != 1 || head[2] != 0x03 || head[3] != 0x3b) return false;
    struct bytes b = { head + 4, head + 64, false };
    (void)bytes_encoded(&b, head[1], frames);
    uint32_t count = (uint32_t)bytes_fixed(&b, 4);
    if (b.bad || count == 0) return false;
    const uint8_t *table = b.at;
    int64_t wanted = (int64_t)(pc - frames);
    uint32_t low = 0, high = count, turn = 0;
    int32_t low_start, high_start;
    memcpy(&low_start, table, 4);
    memcpy(&high_start, table + (size_t)(count - 1) * 8, 4);
    if (high_start <= wanted) low = count - 1;
    /* The last row whose address is not above. Functions lie rather evenly: guessing by distance meets fewer cold lines than halving, which every
     * other turn sees to it that this ends soon. */
    for (; high - low > 1; turn++) {
        uint32_t middle = low + (high - low) / 2;
        int32_t start;
        if (!(turn & 1) && high_start > low_start && wanted > low_start && wanted < high_start) {
            middle = low + (uint32_t)((uint64_t)(wanted - low_start) * (high - low) / (uint64_t)((int64_t)high_start - low_start));
            if (middle == low) middle++;
        }
        memcpy(&start, table + (size_t)middle * 8, 4);
        if (start <= wanted) {
            low = middle;
            low_start = start;
        } else {
            high = middle;
            high_start = start;
        }
    }
    int32_t pair[2];
    memcpy(pair, table + (size_t)low * 8, 8);
    return pair[0] <= wanted && entry_read(entry, head + pair[1], pc);
}

/* ---- rows ---- */

static void rule_set(struct row *row, uint64_t column, enum rule_kind kind, int64_t value) {
    if (column < COLUMNS) row->reg[column] = (struct rule){ (int32_t)value, kind };
}

static int32_t expression_skip(struct bytes *b, const uint8_t *cie) {
    int64_t distance = b->at - cie;
    uint64_t size = bytes_uleb(b);
    if (b->bad || size > (uint64_t)(b->end - b->at)) { b->bad = true; return 0; }
    b->at += size;
    if (distance < INT32_MIN || distance > INT32_MAX) b->bad = true;
    return (int32_t)distance;
}

/* Runs instructions while they speak of addresses up to pc: the row holds for those from *from on and below *to. initial: the row after the CIE, null
 * while that is being made. */
static bool row_run(const struct entry *entry, struct bytes b, uint64_t pc, struct row *row, const struct row *initial, uint64_t *from, uint64_t *to) {
    struct row remembered[REMEMBERED];
    unsigned depth = 0;
    uint64_t place = entry->start;
    *from = place;
    *to = entry->end;
    while (b.at < b.end && !b.bad) {
        uint8_t code = (uint8_t)bytes_fixed(&b, 1), low = code & 0x3f;
        uint64_t column, advance = 0;
        switch (code & 0xc0) {
        case 0x40: advance = low; goto advanced;
        case 0x80: rule_set(row, low, OFFSET, (int64_t)bytes_uleb(&b) * entry->data_align); continue;
        case 0xc0: if (initial && low < COLUMNS) row->reg[low] = initial->reg[low]; continue;
        }
        switch (code) {
        case 0x00: break;                                                        /* nop */
        case 0x02: advance = bytes_fixed(&b, 1); goto advanced;
        case 0x03: advance = bytes_fixed(&b, 2); goto advanced;
        case 0x04: advance = bytes_fixed(&b, 4); goto advanced;
        case 0x05: column = bytes_uleb(&b); rule_set(row, column, OFFSET, (int64_t)bytes_uleb(&b) * entry->data_align); break;
        case 0x06: column = bytes_uleb(&b); if (initial && column < COLUMNS) row->reg[column] = initial->reg[column]; break;
        case 0x07: rule_set(row, bytes_uleb(&b), UNDEFINED, 0); break;
        case 0x08: rule_set(row, bytes_uleb(&b), SAME, 0); break;
        case 0x09: column = bytes_uleb(&b); rule_set(row, column, REGISTER, (int64_t)bytes_uleb(&b)); break;
        case 0x0a: if (depth == REMEMBERED) return false; remembered[depth++] = *row; break;
        case 0x0b: if (depth == 0) return false; *row = remembered[--depth]; break;
        case 0x0c: row->cfa_reg = (uint32_t)bytes_uleb(&b); row->cfa_offset = (int64_t)bytes_uleb(&b); row->cfa_expression = 0; break;
        case 0x0d: row->cfa_reg = (uint32_t)bytes_uleb(&b); row->cfa_expression = 0; break;
        case 0x0e: row->cfa_offset = (int64_t)bytes_uleb(&b); break;
        case 0x0f: row->cfa_expression = expression_skip(&b, entry->cie); break;
        case 0x10: column = bytes_uleb(&b); rule_set(row, column, EXPRESSION, expression_skip(&b, entry->cie)); break;
        case 0x11: column = bytes_uleb(&b); rule_set(row, column, OFFSET, bytes_sleb(&b) * entry->data_align); break;
        case 0x12: row->cfa_reg = (uint32_t)bytes_uleb(&b); row->cfa_offset = bytes_sleb(&b) * entry->data_align; row->cfa_expression = 0; break;
        case 0x13: row->cfa_offset = bytes_sleb(&b) * entry->data_align; break;
        case 0x14: column = bytes_uleb(&b); rule_set(row, column, VALUE_OFFSET, (int64_t)bytes_uleb(&b) * entry->data_align); break;
        case 0x15: column = bytes_uleb(&b); rule_set(row, column, VALUE_OFFSET, bytes_sleb(&b) * entry->data_align); break;
        case 0x16: column = bytes_uleb(&b); rule_set(row, column, VALUE_EXPRESSION, expression_skip(&b, entry->cie)); break;
        case 0x2d: return false;                         /* AArch64 signed return addresses (SPARC windows elsewhere) */
        case 0x2e: (void)bytes_uleb(&b); break;          /* GNU_args_size */
        default: return false;
        }
        continue;
    advanced:
        place += advance * entry->code_align;
        if (place > pc) {
            *to = place;
            break;
        }
        *from = place;
    }
    return !b.bad;
}

/* The few operations that occur in call frame information: PLT stubs, signal frames, realigned stacks. */
static bool expression_value(struct pp_unwind *unwind, const uint8_t *at, bool pushed, uint64_t cfa, uint64_t *result) {
    struct bytes b = { at, at + 16, false };
    uint64_t size = bytes_uleb(&b), stack[8];
    unsigned depth = 0;
    if (b.bad || size > 256) return false;
    b.end = b.at + size;
    if (pushed) stack[depth++] = cfa;
    while (b.at < b.end && !b.bad) {
        uint8_t op = (uint8_t)bytes_fixed(&b, 1);
        uint64_t value;
        if (op >= 0x30 && op <= 0x4f) value = op - 0x30u;
        else if (op >= 0x70 && op <= 0x91) {
            uint64_t column = op == 0x91 ? COLUMNS : op - 0x70u;
            int64_t offset = bytes_sleb(&b);
            if (column >= COLUMNS || !(unwind->known >> column & 1)) return false;
            value = unwind->reg[column] + (uint64_t)offset;
        } else switch (op) {
            case 0x08: value = bytes_fixed(&b, 1); break;
            case 0x09: value = (uint64_t)(int64_t)(int8_t)bytes_fixed(&b, 1); break;
            case 0x0a: value = bytes_fixed(&b, 2); break;
            case 0x0b: value = (uint64_t)(int64_t)(int16_t)bytes_fixed(&b, 2); break;
            case 0x0c: value = bytes_fixed(&b, 4); break;
            case 0x0d: value = (uint64_t)(int64_t)(int32_t)bytes_fixed(&b, 4); break;
            case 0x0e: case 0x0f: value = bytes_fixed(&b, 8); break;
            case 0x10: value = bytes_uleb(&b); break;
            case 0x11: value = (uint64_t)bytes_sleb(&b); break;
            case 0x12: if (depth < 1) return false; value = stack[depth - 1]; break;                     /* dup */
            case 0x13: if (depth < 1) return false; depth--; continue;                                   /* drop */
            case 0x06: if (depth < 1 || !stack_word(unwind, stack[depth - 1], &value)) return false; depth--; break;   /* deref */
            case 0x23: if (depth < 1) return false; value = stack[--depth] + bytes_uleb(&b); break;      /* plus_uconst */
            case 0x1a: case 0x1c: case 0x1e: case 0x21: case 0x22: case 0x24: case 0x25:
            case 0x29: case 0x2a: case 0x2b: case 0x2c: case 0x2d: case 0x2e: {
                if (depth < 2) return false;
                uint64_t y = stack[--depth], x = stack[--depth];
                int64_t sx = (int64_t)x, sy = (int64_t)y;
                value = op == 0x1a ? (x & y) : op == 0x1c ? x - y : op == 0x1e ? x * y : op == 0x21 ? (x | y) : op == 0x22 ? x + y
                      : op == 0x24 ? (y < 64 ? x << y : 0) : op == 0x25 ? (y < 64 ? x >> y : 0)
                      : op == 0x29 ? sx == sy : op == 0x2a ? sx >= sy : op == 0x2b ? sx > sy : op == 0x2c ? sx <= sy
                      : op == 0x2d ? sx < sy : sx != sy;
                break;
            }
            default: return false;
        }
        if (depth == 8) return false;
        stack[depth++] = value;
    }
    if (b.bad || depth == 0) return false;
    *result = stack[depth - 1];
    return true;
}

/* ---- frames ---- */

bool pp_unwind_start(struct pp_unwind *unwind, const void *context) {
    const ucontext_t *u = context;
    unwind->returned = unwind->outermost = false;
#if defined __x86_64__
    static const uint8_t place[COLUMNS] = { REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
                                            REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP };
    for (unsigned i = 0; i < COLUMNS; i++) unwind->reg[i] = (uint64_t)u->uc_mcontext.gregs[place[i]];
    unwind->pc = unwind->reg[RETURN];
#elif defined __aarch64__
    for (unsigned i = 0; i < 31; i++) unwind->reg[i] = u->uc_mcontext.regs[i];
    unwind->reg[STACK] = u->uc_mcontext.sp;
    unwind->pc = u->uc_mcontext.pc;
#else
    (void)u;
    return false;
#endif
    unwind->known = (UINT64_C(1) << COLUMNS) - 1;
    unwind->stack_low = unwind->stack_high = PAGE_OF(unwind->reg[STACK]);
    return true;
}

/* A row in short, if it is like nearly all: the CFA a few words from a register, registers on the stack below it. */
static bool row_shorten(const struct row *row, const struct entry *entry, struct pp_row *to) {
    struct rule back = row->reg[RETURN];
    memset(to, 0, sizeof *to);
    to->outermost = back.kind == UNDEFINED;
    if (entry->signal || entry->return_column != RETURN || row->cfa_expression || row->cfa_reg >= COLUMNS || row->cfa_offset % 8 ||
        row->cfa_offset / 8 != (int16_t)(row->cfa_offset / 8))
        return false;
    to->cfa_register = (uint8_t)row->cfa_reg;
    to->cfa_words = (int16_t)(row->cfa_offset / 8);
    unsigned kept = 0, words = 0;
    for (unsigned i = 0; i < COLUMNS; i++) kept += row->reg[i].kind != SAME && !(i == RETURN && to->outermost);
    for (unsigned i = 0; i < SAVED; i++) {
        struct rule rule = row->reg[saved[i]];
        if (rule.kind != OFFSET || rule.value % 8 || rule.value == 0 || rule.value / 8 != (int8_t)(rule.value / 8)) continue;
        to->word[i] = (int8_t)(rule.value / 8);
        words++;
    }
    return kept == words;
}

static bool step_short(struct pp_unwind *unwind, const struct pp_row *row) {
    unwind->outermost = row->outermost;
    if (row->outermost || !(unwind->known >> row->cfa_register & 1)) return false;
    uint64_t cfa = unwind->reg[row->cfa_register] + (uint64_t)((int64_t)row->cfa_words * 8), caller = unwind->reg[RETURN];
    if (unwind->returned && (cfa <= unwind->reg[STACK] || !row->word[SAVED - 1])) return false;
    if (row->word[SAVED - 1] && !stack_word(unwind, cfa + (uint64_t)((int64_t)row->word[SAVED - 1] * 8), &caller)) return false;
    unwind->outermost = caller == 0;
    if (!caller) return false;
    for (unsigned i = 0; i + 1 < SAVED; i++)
        if (row->word[i] && !stack_word(unwind, cfa + (uint64_t)((int64_t)row->word[i] * 8), &unwind->reg[saved[i]]))
            unwind->known &= ~(UINT64_C(1) << saved[i]);
        else if (row->word[i])
            unwind->known |= UINT64_C(1) << saved[i];
    unwind->reg[RETURN] = unwind->pc = caller;
    unwind->reg[STACK] = cfa;
    unwind->known |= UINT64_C(1) << STACK | UINT64_C(1) << RETURN;
    unwind->returned = true;
    return true;
}

bool pp_unwind_step(struct pp_unwind *unwind, uint64_t frames, uint32_t mapping) {
    struct entry entry;
    struct row initial, row;
    struct pp_row brief;
    uint64_t pc = unwind_place(unwind), image = (mapping ^ frames >> 3) & 0xffff, from, to;
    unwind->outermost = false;
    if (mapping && pp_row_get(pc, image, &brief)) return step_short(unwind, &brief);
    if (!entry_find(&entry, frames, pc) || entry.return_column >= COLUMNS) return false;
    memset(&initial, 0, sizeof initial);
    if (!row_run(&entry, entry.cie_code, UINT64_MAX, &initial, NULL, &from, &to)) return false;
    row = initial;
    if (!row_run(&entry, entry.fde_code, pc, &row, &initial, &from, &to)) return false;
    if (mapping && row_shorten(&row, &entry, &brief)) pp_row_put(pc, image, from, to, &brief);
    unwind->outermost = row.reg[entry.return_column].kind == UNDEFINED;
    if (unwind->outermost) return false;

    uint64_t cfa;
    if (row.cfa_expression) {
        if (!expression_value(unwind, entry.cie + row.cfa_expression, false, 0, &cfa)) return false;
    } else {
        if (row.cfa_reg >= COLUMNS || !(unwind->known >> row.cfa_reg & 1)) return false;
        cfa = unwind->reg[row.cfa_reg] + (uint64_t)row.cfa_offset;
    }
    uint64_t after[COLUMNS], known = unwind->known;
    memcpy(after, unwind->reg, sizeof after);
    for (unsigned i = 0; i < COLUMNS; i++) {
        struct rule rule = row.reg[i];
        uint64_t value = 0;
        bool got = true;
        switch (rule.kind) {
        case SAME: continue;
        case UNDEFINED: got = false; break;
        case OFFSET: got = stack_word(unwind, cfa + (uint64_t)(int64_t)rule.value, &value); break;
        case VALUE_OFFSET: value = cfa + (uint64_t)(int64_t)rule.value; break;
        case REGISTER: got = (uint32_t)rule.value < COLUMNS && unwind->known >> rule.value & 1; if (got) value = unwind->reg[rule.value]; break;
        default:
            got = expression_value(unwind, entry.cie + rule.value, true, cfa, &value);
            if (got && rule.kind == EXPRESSION) got = stack_word(unwind, value, &value);
        }
        after[i] = value;
        known = got ? known | UINT64_C(1) << i : known & ~(UINT64_C(1) << i);
    }
    uint64_t caller = after[entry.return_column];
    bool still = row.reg[entry.return_column].kind == SAME && unwind->returned;    /* would come to itself for ever */
    unwind->outermost = known >> entry.return_column & 1 && caller == 0;
    if (!(known >> entry.return_column & 1) || caller == 0 || still) return false;
    if (row.reg[STACK].kind == SAME) { after[STACK] = cfa; known |= UINT64_C(1) << STACK; }   /* the CFA is the caller's stack pointer */
    /* Frames lie above their callees, except across a signal frame, which may join two stacks. */
    if (!entry.signal && after[STACK] <= unwind->reg[STACK] && unwind->returned) return false;
    memcpy(unwind->reg, after, sizeof after);
    unwind->known = known;
    unwind->pc = caller;
    unwind->returned = !entry.signal;
    return true;
}
