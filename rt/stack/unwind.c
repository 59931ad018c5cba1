/* SPDX-License-Identifier: MIT */
/* unwind.c: unwinds by call frame information, read in place from .eh_frame. Runs in a signal handler: no lock, no
 * allocation, no library call. The tables belong to images whose code is on the stack, so they stay mapped. The tables
 * may be wrong, so stack memory is read only after it proved readable.
 *
 * One step: find the FDE of the address in the sorted table of .eh_frame_hdr, run the instructions of its CIE and its
 * own up to the address, and apply the resulting row of rules to the registers. Rows of the common form are cached
 * (cfi.h), and most steps need nothing else. */
#define _GNU_SOURCE /* for the names of the registers in a signal context */
#include "stack/unwind.h"
#include "file/memory.h"
#include "stack/cfi.h"
#include "stack/opcode.h"
#include "system/state.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/* By architecture, in DWARF register numbers: the stack pointer, the return address, and how many rules a row has (its
 * columns). saved: the registers that a function preserves for its caller, with the return address last. */
#if defined __x86_64__
enum { STACK = PP_UNWIND_STACK, RETURN = 16, COLUMNS = 17 };
static const uint8_t saved[] = { 3, 6, 12, 13, 14, 15, RETURN };
#elif defined __aarch64__
enum { STACK = PP_UNWIND_STACK, RETURN = 30, COLUMNS = 32 };
static const uint8_t saved[] = { 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, RETURN };
#else
enum { STACK = PP_UNWIND_STACK, RETURN = 0, COLUMNS = 1 };
static const uint8_t saved[] = { RETURN };
#endif
enum { SAVED = sizeof saved };
_Static_assert(SAVED <= PP_ROW_WORDS && SAVED - 1 <= PP_UNWIND_SAVED, "room in struct pp_row and struct pp_unwind");

/* How to find the caller's value of a register (DWARF 5, section 6.4.1). */
enum rule_kind {
    SAME,            /* the register still holds it */
    UNDEFINED,       /* it is lost; as the rule of the return address: there is no caller */
    OFFSET,          /* in memory, at the CFA plus value */
    VALUE_OFFSET,    /* it is the CFA plus value */
    REGISTER,        /* in register number value */
    EXPRESSION,      /* in memory, at the address that an expression computes */
    VALUE_EXPRESSION /* it is what an expression computes */
};
struct rule {
    int32_t value; /* offset, register, or the expression's distance from the CIE */
    uint32_t kind;
};
/* The CFA (canonical frame address) is the stack pointer of the caller: a register plus an offset, or an expression. */
struct row {
    struct rule reg[COLUMNS];
    int64_t cfa_offset;
    uint32_t cfa_reg;
    int32_t cfa_expression; /* distance from the CIE, 0 for none */
};
#define REMEMBERED 4 /* depth of DW_CFA_remember_state; GCC nests one deep */

/* ---- stack memory ---- */

#define PAGE_BYTES 4096
#define PAGE_OF(address) ((address) & ~UINT64_C(4095))

/* Asks the kernel whether a page is readable, by a call of rt_sigprocmask with an invalid `how`, which changes nothing.
 * The kernel reads the signal set before it looks at `how`: so EFAULT means that the address is unreadable. A null set
 * is not read at all, so page 0 is never asked about. Pages known to be readable are remembered as one range. */
static bool page_readable(struct pp_unwind *unwind, uint64_t address)
{
    uint64_t page = PAGE_OF(address);
    if (address >= unwind->stack_low && address < unwind->stack_high)
        return true;
    if (page == 0 || pp_forbids(PP_FORBIDDEN_CORE))
        return false;
#if defined __x86_64__
    long result;
    register uint64_t size __asm__("r10") = 8;
    __asm__ volatile("syscall"
                     : "=a"(result)
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
    long result = -EFAULT;
#endif
    if (result == -EFAULT)
        return false;
    if (page == unwind->stack_high) {
        unwind->stack_high += PAGE_BYTES;
    } else if (page <= unwind->stack_low && page + PAGE_BYTES >= unwind->stack_low) {
        unwind->stack_low = page;
    } else { /* another stack */
        unwind->stack_low = page;
        unwind->stack_high = page + PAGE_BYTES;
    }
    return true;
}

/* Is the word where the stack is known to be readable? */
static inline __attribute__((always_inline)) bool word_known(const struct pp_unwind *unwind, uint64_t address)
{
    return address >= unwind->stack_low && address < unwind->stack_high && unwind->stack_high - address > 7;
}

bool pp_unwind_word(struct pp_unwind *unwind, uint64_t address, uint64_t *value)
{
    if (!word_known(unwind, address) && (!page_readable(unwind, address) || !page_readable(unwind, address + 7)))
        return false;
    memcpy(value, (const void *)(uintptr_t)address, 8);
    return true;
}

/* ---- finding the CIE and FDE of an address ---- */

/* What an FDE and its CIE say together. */
struct entry {
    const uint8_t *cie;
    struct bytes cie_code, fde_code; /* their call frame instructions */
    uint64_t start, end;             /* the code that the FDE describes */
    uint64_t code_align;
    int64_t data_align;
    uint32_t return_column;
    bool signal; /* a signal frame: its address is the interrupted instruction, not a return address */
};

#define ENTRY_MOST 0x1000000 /* a longer entry is taken for corrupt */

/* The bytes of a CIE or FDE behind its length word. A length of 0xffffffff would begin the 64-bit form, which nobody
 * writes into .eh_frame. */
static struct bytes entry_bytes(const uint8_t *at)
{
    uint32_t length;
    memcpy(&length, at, 4);
    struct bytes b = { at + 4, at + 4, length == 0 || length > ENTRY_MOST };
    if (!b.bad)
        b.end += length;
    return b;
}

static bool entry_read(struct entry *entry, const uint8_t *fde, uint64_t pc)
{
    struct bytes f = entry_bytes(fde);
    const uint8_t *field = f.at;
    uint32_t distance = (uint32_t)bytes_fixed(&f, 4);
    if (f.bad || distance == 0)
        return false;
    entry->cie = field - distance;
    struct bytes c = entry_bytes(entry->cie);
    if (bytes_fixed(&c, 4) != 0 || c.bad)
        return false;
    unsigned version = (unsigned)bytes_one(&c);
    if (version != 1 && version != 3)
        return false;
    const uint8_t *augmentation = c.at;
    while (bytes_one(&c) != 0) {}
    if (c.bad)
        return false;
    entry->code_align = bytes_uleb(&c);
    entry->data_align = bytes_sleb(&c);
    entry->return_column = version == 1 ? (uint32_t)bytes_one(&c) : (uint32_t)bytes_uleb(&c);
    entry->signal = false;
    uint8_t encoding = 0;
    bool sized = *augmentation == 'z';
    if (sized) {
        uint64_t size = bytes_uleb(&c);
        if (c.bad || size > (uint64_t)(c.end - c.at))
            return false;
        const uint8_t *after = c.at + size;
        for (const uint8_t *letter = augmentation + 1; *letter; letter++) {
            if (*letter == 'R') { /* encoding of the FDE's addresses */
                encoding = bytes_one(&c);
            } else if (*letter == 'P') { /* personality routine: skipped */
                uint8_t how = bytes_one(&c);
                (void)bytes_encoded(&c, how & (DW_EH_PE_indirect - 1), 0);
            } else if (*letter == 'L') { /* encoding of the language-specific data: skipped */
                (void)bytes_one(&c);
            } else if (*letter == 'S') {
                entry->signal = true;
            } else if (*letter != 'B') { /* B, on AArch64: return addresses are signed with key B */
                return false;
            }
        }
        c.at = after;
    } else if (*augmentation) {
        return false;
    }
    entry->cie_code = c;
    entry->start = bytes_encoded(&f, encoding, 0);
    uint64_t range = bytes_encoded(&f, encoding & DW_EH_PE_format, 0);
    if (sized) {
        uint64_t size = bytes_uleb(&f);
        if (f.bad || size > (uint64_t)(f.end - f.at))
            return false;
        f.at += size;
    }
    entry->end = entry->start + range;
    entry->fde_code = f;
    return !f.bad && !c.bad && pc - entry->start < range;
}

/* Finds the FDE through .eh_frame_hdr: version, three encodings, the address of .eh_frame, the count of entries, and a
 * table sorted by address. Its entries are pairs of 32-bit distances from the header: of code and of its FDE. Linkers
 * write no other form. */
static bool entry_find(struct entry *entry, uint64_t frames, uint64_t pc)
{
    const uint8_t *head = (const uint8_t *)(uintptr_t)frames;
    if (!frames || head[0] != 1 || head[2] != DW_EH_PE_udata4 || head[3] != (DW_EH_PE_datarel | DW_EH_PE_sdata4))
        return false;
    struct bytes b = { head + 4, head + 64, false };
    (void)bytes_encoded(&b, head[1], frames);
    uint32_t count = (uint32_t)bytes_fixed(&b, 4);
    if (b.bad || count == 0)
        return false;
    const uint8_t *table = b.at;
    int64_t wanted = (int64_t)(pc - frames);
    uint32_t low = 0, high = count, turn = 0;
    int32_t low_start, high_start;
    memcpy(&low_start, table, 4);
    memcpy(&high_start, table + (size_t)(count - 1) * 8, 4);
    if (high_start <= wanted)
        low = count - 1;
    /* Finds the last entry that begins at or below the address. Functions are spread rather evenly, so interpolation
     * reads fewer cold cache lines than bisection. Every other step bisects, which bounds the number of steps. */
    for (; high - low > 1; turn++) {
        uint32_t middle = low + (high - low) / 2;
        int32_t start;
        if (!(turn & 1) && high_start > low_start && wanted > low_start && wanted < high_start) {
            middle = low + (uint32_t)((uint64_t)(wanted - low_start) * (high - low) /
                                      (uint64_t)((int64_t)high_start - low_start));
            if (middle == low)
                middle++;
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

uint64_t pp_unwind_function(uint64_t address, uint64_t frames)
{
    struct entry entry;
    return entry_find(&entry, frames, address) ? entry.start : 0;
}

/* ---- running call frame instructions ---- */

static void rule_set(struct row *row, uint64_t column, enum rule_kind kind, int64_t value)
{
    if (column < COLUMNS)
        row->reg[column] = (struct rule){ (int32_t)value, kind };
}

static int32_t expression_skip(struct bytes *b, const uint8_t *cie)
{
    int64_t distance = b->at - cie;
    uint64_t size = bytes_uleb(b);
    if (b->bad || size > (uint64_t)(b->end - b->at)) {
        b->bad = true;
        return 0;
    }
    b->at += size;
    if (distance < INT32_MIN || distance > INT32_MAX)
        b->bad = true;
    return (int32_t)distance;
}

/* Runs instructions until they describe addresses above pc. The row holds from address *from up to below *to.
 * initial: the row after the CIE's instructions, or null while these are run. */
static bool row_run(const struct entry *entry, struct bytes b, uint64_t pc, struct row *row, const struct row *initial,
                    uint64_t *from, uint64_t *to)
{
    struct row remembered[REMEMBERED];
    unsigned depth = 0;
    uint64_t place = entry->start;
    *from = place;
    *to = entry->end;
    while (b.at < b.end && !b.bad) {
        uint8_t code = bytes_one(&b), low = code & (uint8_t)~DW_CFA_high_bits;
        uint64_t column, advance = 0;
        switch (code & DW_CFA_high_bits) {
        case DW_CFA_advance_loc: advance = low; goto advanced;
        case DW_CFA_offset: rule_set(row, low, OFFSET, (int64_t)bytes_uleb(&b) * entry->data_align); continue;
        case DW_CFA_restore:
            if (initial && low < COLUMNS)
                row->reg[low] = initial->reg[low];
            continue;
        }
        switch (code) {
        case DW_CFA_nop: break;
        case DW_CFA_advance_loc1: advance = bytes_one(&b); goto advanced;
        case DW_CFA_advance_loc2: advance = bytes_fixed(&b, 2); goto advanced;
        case DW_CFA_advance_loc4: advance = bytes_fixed(&b, 4); goto advanced;
        case DW_CFA_offset_extended:
        case DW_CFA_offset_extended_sf:
        case DW_CFA_val_offset:
        case DW_CFA_val_offset_sf:
            column = bytes_uleb(&b);
            rule_set(row, column, code < DW_CFA_val_offset ? OFFSET : VALUE_OFFSET,
                     (code == DW_CFA_offset_extended_sf || code == DW_CFA_val_offset_sf ? bytes_sleb(&b)
                                                                                        : (int64_t)bytes_uleb(&b)) *
                         entry->data_align);
            break;
        case DW_CFA_restore_extended:
            column = bytes_uleb(&b);
            if (initial && column < COLUMNS)
                row->reg[column] = initial->reg[column];
            break;
        case DW_CFA_undefined:
        case DW_CFA_same_value: rule_set(row, bytes_uleb(&b), code == DW_CFA_undefined ? UNDEFINED : SAME, 0); break;
        case DW_CFA_register:
            column = bytes_uleb(&b);
            rule_set(row, column, REGISTER, (int64_t)bytes_uleb(&b));
            break;
        case DW_CFA_remember_state:
            if (depth == REMEMBERED)
                return false;
            remembered[depth++] = *row;
            break;
        case DW_CFA_restore_state:
            if (depth == 0)
                return false;
            *row = remembered[--depth];
            break;
        case DW_CFA_def_cfa:
        case DW_CFA_def_cfa_register:
        case DW_CFA_def_cfa_sf:
            row->cfa_reg = (uint32_t)bytes_uleb(&b);
            row->cfa_expression = 0;
            if (code != DW_CFA_def_cfa_register)
                row->cfa_offset = code == DW_CFA_def_cfa ? (int64_t)bytes_uleb(&b) : bytes_sleb(&b) * entry->data_align;
            break;
        case DW_CFA_def_cfa_offset: row->cfa_offset = (int64_t)bytes_uleb(&b); break;
        case DW_CFA_def_cfa_expression: row->cfa_expression = expression_skip(&b, entry->cie); break;
        case DW_CFA_expression:
        case DW_CFA_val_expression:
            column = bytes_uleb(&b);
            rule_set(row, column, code == DW_CFA_expression ? EXPRESSION : VALUE_EXPRESSION,
                     expression_skip(&b, entry->cie));
            break;
        case DW_CFA_def_cfa_offset_sf: row->cfa_offset = bytes_sleb(&b) * entry->data_align; break;
        case DW_CFA_negate_ra_state: return false; /* we cannot strip the signature */
        case DW_CFA_GNU_args_size: (void)bytes_uleb(&b); break;
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

/* Evaluates an expression: only the few operations that occur in PLT stubs, signal frames and realigned stacks.
 * pushed: the CFA is on the stack at first, as for rules of registers. */
#define EXPRESSION_STACK 8
#define EXPRESSION_MOST 256 /* bytes */

static uint64_t expression_binary(uint8_t op, uint64_t x, uint64_t y)
{
    int64_t sx = (int64_t)x, sy = (int64_t)y;
    switch (op) {
    case DW_OP_and: return x & y;
    case DW_OP_minus: return x - y;
    case DW_OP_mul: return x * y;
    case DW_OP_or: return x | y;
    case DW_OP_plus: return x + y;
    case DW_OP_shl: return y < 64 ? x << y : 0;
    case DW_OP_shr: return y < 64 ? x >> y : 0;
    case DW_OP_eq: return sx == sy;
    case DW_OP_ge: return sx >= sy;
    case DW_OP_gt: return sx > sy;
    case DW_OP_le: return sx <= sy;
    case DW_OP_lt: return sx < sy;
    default: return sx != sy; /* DW_OP_ne */
    }
}

static bool expression_value(struct pp_unwind *unwind, const uint8_t *at, bool pushed, uint64_t cfa, uint64_t *result)
{
    struct bytes b = { at, at + 16, false };
    uint64_t size = bytes_uleb(&b), stack[EXPRESSION_STACK];
    unsigned depth = 0;
    if (b.bad || size > EXPRESSION_MOST)
        return false;
    b.end = b.at + size;
    if (pushed)
        stack[depth++] = cfa;
    while (b.at < b.end && !b.bad) {
        uint8_t op = bytes_one(&b);
        uint64_t value;
        if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
            value = op - (unsigned)DW_OP_lit0;
        } else if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
            uint64_t column = op - (unsigned)DW_OP_breg0;
            int64_t offset = bytes_sleb(&b);
            if (column >= COLUMNS || !(unwind->known >> column & 1))
                return false;
            value = unwind->reg[column] + (uint64_t)offset;
        } else
            switch (op) {
            case DW_OP_const1u: value = bytes_one(&b); break;
            case DW_OP_const1s: value = (uint64_t)(int64_t)(int8_t)bytes_one(&b); break;
            case DW_OP_const2u: value = bytes_fixed(&b, 2); break;
            case DW_OP_const2s: value = (uint64_t)(int64_t)(int16_t)bytes_fixed(&b, 2); break;
            case DW_OP_const4u: value = bytes_fixed(&b, 4); break;
            case DW_OP_const4s: value = (uint64_t)(int64_t)(int32_t)bytes_fixed(&b, 4); break;
            case DW_OP_const8u:
            case DW_OP_const8s: value = bytes_fixed(&b, 8); break;
            case DW_OP_constu: value = bytes_uleb(&b); break;
            case DW_OP_consts: value = (uint64_t)bytes_sleb(&b); break;
            case DW_OP_dup:
                if (depth < 1)
                    return false;
                value = stack[depth - 1];
                break;
            case DW_OP_drop:
                if (depth < 1)
                    return false;
                depth--;
                continue;
            case DW_OP_deref:
                if (depth < 1 || !pp_unwind_word(unwind, stack[depth - 1], &value))
                    return false;
                depth--;
                break;
            case DW_OP_plus_uconst:
                if (depth < 1)
                    return false;
                value = stack[--depth] + bytes_uleb(&b);
                break;
            case DW_OP_and:
            case DW_OP_minus:
            case DW_OP_mul:
            case DW_OP_or:
            case DW_OP_plus:
            case DW_OP_shl:
            case DW_OP_shr:
            case DW_OP_eq:
            case DW_OP_ge:
            case DW_OP_gt:
            case DW_OP_le:
            case DW_OP_lt:
            case DW_OP_ne:
                if (depth < 2)
                    return false;
                depth -= 2;
                value = expression_binary(op, stack[depth], stack[depth + 1]);
                break;
            default: return false;
            }
        if (depth == EXPRESSION_STACK)
            return false;
        stack[depth++] = value;
    }
    if (b.bad || depth == 0)
        return false;
    *result = stack[depth - 1];
    return true;
}

/* ---- frames ---- */

bool pp_unwind_start(struct pp_unwind *unwind, const void *context)
{
    const ucontext_t *u = context;
    unwind->returned = unwind->outermost = false;
#if defined __x86_64__
    /* By DWARF register number. */
    static const uint8_t place[COLUMNS] = { REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                            REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                            REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP };
    for (unsigned i = 0; i < COLUMNS; i++)
        unwind->reg[i] = (uint64_t)u->uc_mcontext.gregs[place[i]];
    unwind->pc = unwind->reg[RETURN];
#elif defined __aarch64__
    for (unsigned i = 0; i < 31; i++)
        unwind->reg[i] = u->uc_mcontext.regs[i];
    unwind->reg[STACK] = u->uc_mcontext.sp;
    unwind->pc = u->uc_mcontext.pc;
#else
    (void)u;
    return false;
#endif
    memset(unwind->saved_at, 0, sizeof unwind->saved_at);
    unwind->known = (UINT64_C(1) << COLUMNS) - 1;
    unwind->stack_low = unwind->stack_high = PAGE_OF(unwind->reg[STACK]);
    return true;
}

/* Converts a row to the form that the cache holds. False if it is not of the common form: the CFA a few words above a
 * register, and registers on the stack at whole words from the CFA. */
static bool row_shorten(const struct row *row, const struct entry *entry, struct pp_row *to)
{
    struct rule back = row->reg[RETURN];
    memset(to, 0, sizeof *to);
    to->outermost = back.kind == UNDEFINED;
    if (entry->signal || entry->return_column != RETURN || row->cfa_expression || row->cfa_reg >= COLUMNS ||
        row->cfa_offset % 8 || row->cfa_offset / 8 != (int16_t)(row->cfa_offset / 8))
        return false;
    to->cfa_register = (uint8_t)row->cfa_reg;
    to->cfa_words = (int16_t)(row->cfa_offset / 8);
    unsigned kept = 0, words = 0;
    for (unsigned i = 0; i < COLUMNS; i++)
        kept += row->reg[i].kind != SAME && !(i == RETURN && to->outermost);
    for (unsigned i = 0; i < SAVED; i++) {
        struct rule rule = row->reg[saved[i]];
        if (rule.kind != OFFSET || rule.value % 8 || rule.value == 0 || rule.value / 8 != (int8_t)(rule.value / 8))
            continue;
        to->word[i] = (int8_t)(rule.value / 8);
        words++;
    }
    return kept == words;
}

static void register_load(struct pp_unwind *unwind, unsigned place)
{
    uint64_t bit = UINT64_C(1) << saved[place];
    bool read = pp_unwind_word(unwind, unwind->saved_at[place], &unwind->reg[saved[place]]);
    unwind->known = read ? unwind->known | bit : unwind->known & ~bit;
}

void pp_unwind_reload(struct pp_unwind *unwind, const uint64_t *saved_at, uint64_t low)
{
    for (unsigned i = 0; i + 1 < SAVED; i++)
        if (saved_at[i] >= low) {
            unwind->saved_at[i] = saved_at[i];
            register_load(unwind, i);
        }
}

bool pp_unwind_holds(const struct pp_unwind *unwind, uint64_t base, uint64_t value)
{
    return unwind->known >> saved[base - 1] & 1 && unwind->reg[saved[base - 1]] == value;
}

/* Unwinds one frame by a row of the common form. */
static bool step_short(struct pp_unwind *unwind, const struct pp_row *row)
{
    unwind->outermost = row->outermost;
    if (row->outermost || !(unwind->known >> row->cfa_register & 1))
        return false;
    uint64_t cfa = unwind->reg[row->cfa_register] + (uint64_t)((int64_t)row->cfa_words * 8),
             caller = unwind->reg[RETURN];
    if (unwind->returned && (cfa <= unwind->reg[STACK] || !row->word[SAVED - 1]))
        return false;
    if (row->word[SAVED - 1]) {
        unwind->slot = cfa + (uint64_t)((int64_t)row->word[SAVED - 1] * 8);
        if (!pp_unwind_word(unwind, unwind->slot, &caller))
            return false;
    }
    unwind->outermost = caller == 0;
    if (!caller)
        return false;
    unwind->base = 0;
    if (row->cfa_register != STACK) {
        while (unwind->base < SAVED - 1 && saved[unwind->base] != row->cfa_register)
            unwind->base++;
        if (unwind->base < SAVED - 1)
            unwind->base_at = unwind->saved_at[unwind->base];
        else
            unwind->slot = 0;
        unwind->base_value = unwind->reg[row->cfa_register];
        unwind->base++;
    }
    for (unsigned i = 0; i + 1 < SAVED; i++)
        if (row->word[i]) {
            uint64_t at = unwind->saved_at[i] = cfa + (uint64_t)((int64_t)row->word[i] * 8);
            if (word_known(unwind, at)) {
                memcpy(&unwind->reg[saved[i]], (const void *)(uintptr_t)at, 8);
                unwind->known |= UINT64_C(1) << saved[i];
            } else {
                register_load(unwind, i);
            }
        }
    unwind->reg[RETURN] = unwind->pc = caller;
    unwind->reg[STACK] = cfa;
    unwind->known |= UINT64_C(1) << STACK | UINT64_C(1) << RETURN;
    unwind->returned = true;
    return true;
}

static bool row_find(struct entry *entry, struct row *row, uint64_t frames, uint64_t pc, uint64_t *from, uint64_t *to)
{
    struct row initial;
    if (!entry_find(entry, frames, pc) || entry->return_column >= COLUMNS)
        return false;
    memset(&initial, 0, sizeof initial);
    if (!row_run(entry, entry->cie_code, UINT64_MAX, &initial, NULL, from, to))
        return false;
    *row = initial;
    return row_run(entry, entry->fde_code, pc, row, &initial, from, to);
}

bool pp_unwind_step(struct pp_unwind *unwind, uint64_t frames, uint32_t mapping)
{
    struct entry entry;
    struct row row;
    struct pp_row brief;
    uint64_t pc = unwind_place(unwind), image = (mapping ^ frames >> 3) & 0xffff, from, to;
    unwind->outermost = false;
    unwind->slot = 0;
    if (mapping && pp_row_get(pc, image, &brief))
        return step_short(unwind, &brief);
    uint64_t begun_ns = pp_once_begin(); /* each place is looked up once, as a rule */
    bool found = row_find(&entry, &row, frames, pc, &from, &to), shortened = found && row_shorten(&row, &entry, &brief);
    if (shortened && mapping)
        pp_row_put(pc, image, from, to, &brief);
    pp_once_end(begun_ns);
    if (!found)
        return false;
    if (shortened)
        return step_short(unwind, &brief);
    unwind->outermost = row.reg[entry.return_column].kind == UNDEFINED;
    if (unwind->outermost)
        return false;

    uint64_t cfa;
    if (row.cfa_expression) {
        if (!expression_value(unwind, entry.cie + row.cfa_expression, false, 0, &cfa))
            return false;
    } else {
        if (row.cfa_reg >= COLUMNS || !(unwind->known >> row.cfa_reg & 1))
            return false;
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
        case OFFSET: got = pp_unwind_word(unwind, cfa + (uint64_t)(int64_t)rule.value, &value); break;
        case VALUE_OFFSET: value = cfa + (uint64_t)(int64_t)rule.value; break;
        case REGISTER:
            got = (uint32_t)rule.value < COLUMNS && unwind->known >> rule.value & 1;
            if (got)
                value = unwind->reg[rule.value];
            break;
        default:
            got = expression_value(unwind, entry.cie + rule.value, true, cfa, &value);
            if (got && rule.kind == EXPRESSION)
                got = pp_unwind_word(unwind, value, &value);
        }
        after[i] = value;
        known = got ? known | UINT64_C(1) << i : known & ~(UINT64_C(1) << i);
    }
    uint64_t caller = after[entry.return_column];
    bool still =
        row.reg[entry.return_column].kind == SAME && unwind->returned; /* the caller would be this frame again */
    unwind->outermost = known >> entry.return_column & 1 && caller == 0;
    unwind->slot = unwind->outermost;
    if (!(known >> entry.return_column & 1) || caller == 0 || still)
        return false;
    if (row.reg[STACK].kind == SAME) { /* the CFA is the caller's stack pointer */
        after[STACK] = cfa;
        known |= UINT64_C(1) << STACK;
    }
    /* A caller's frame lies above its callee's, except across a signal frame, where the stacks may differ. */
    if (!entry.signal && after[STACK] <= unwind->reg[STACK] && unwind->returned)
        return false;
    memcpy(unwind->reg, after, sizeof after);
    unwind->known = known;
    unwind->pc = caller;
    unwind->returned = !entry.signal;
    return true;
}
