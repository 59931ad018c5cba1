/* SPDX-License-Identifier: MIT */
/* opcode.h: numbers of call frame information (DWARF 5, sections 6.4 and 7; the .eh_frame layout of the Linux Standard
 * Base), and a checked cursor to read it. In the standards' own names, so that they can be looked up. It must not know
 * what is unwound. */
#ifndef PP_OPCODE_H
#define PP_OPCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Call frame instructions. The high two bits of a byte tell the first three; their low six bits are the operand. */
enum {
    DW_CFA_advance_loc = 0x40,
    DW_CFA_offset = 0x80,
    DW_CFA_restore = 0xc0,
    DW_CFA_high_bits = 0xc0,

    DW_CFA_nop = 0x00,
    DW_CFA_advance_loc1 = 0x02,
    DW_CFA_advance_loc2 = 0x03,
    DW_CFA_advance_loc4 = 0x04,
    DW_CFA_offset_extended = 0x05,
    DW_CFA_restore_extended = 0x06,
    DW_CFA_undefined = 0x07,
    DW_CFA_same_value = 0x08,
    DW_CFA_register = 0x09,
    DW_CFA_remember_state = 0x0a,
    DW_CFA_restore_state = 0x0b,
    DW_CFA_def_cfa = 0x0c,
    DW_CFA_def_cfa_register = 0x0d,
    DW_CFA_def_cfa_offset = 0x0e,
    DW_CFA_def_cfa_expression = 0x0f,
    DW_CFA_expression = 0x10,
    DW_CFA_offset_extended_sf = 0x11,
    DW_CFA_def_cfa_sf = 0x12,
    DW_CFA_def_cfa_offset_sf = 0x13,
    DW_CFA_val_offset = 0x14,
    DW_CFA_val_offset_sf = 0x15,
    DW_CFA_val_expression = 0x16,
    DW_CFA_negate_ra_state = 0x2d, /* AArch64: signed return addresses; register windows on SPARC */
    DW_CFA_GNU_args_size = 0x2e
};

/* Operations of expressions: those that occur in call frame information. */
enum {
    DW_OP_deref = 0x06,
    DW_OP_const1u = 0x08,
    DW_OP_const1s = 0x09,
    DW_OP_const2u = 0x0a,
    DW_OP_const2s = 0x0b,
    DW_OP_const4u = 0x0c,
    DW_OP_const4s = 0x0d,
    DW_OP_const8u = 0x0e,
    DW_OP_const8s = 0x0f,
    DW_OP_constu = 0x10,
    DW_OP_consts = 0x11,
    DW_OP_dup = 0x12,
    DW_OP_drop = 0x13,
    DW_OP_and = 0x1a,
    DW_OP_minus = 0x1c,
    DW_OP_mul = 0x1e,
    DW_OP_or = 0x21,
    DW_OP_plus = 0x22,
    DW_OP_plus_uconst = 0x23,
    DW_OP_shl = 0x24,
    DW_OP_shr = 0x25,
    DW_OP_eq = 0x29,
    DW_OP_ge = 0x2a,
    DW_OP_gt = 0x2b,
    DW_OP_le = 0x2c,
    DW_OP_lt = 0x2d,
    DW_OP_ne = 0x2e,
    DW_OP_lit0 = 0x30,
    DW_OP_lit31 = 0x4f,
    DW_OP_breg0 = 0x70,
    DW_OP_breg31 = 0x8f
};

/* How an address is written: its format in the low four bits, what is added to it in the next three. */
enum {
    DW_EH_PE_absptr = 0x00,
    DW_EH_PE_uleb128 = 0x01,
    DW_EH_PE_udata2 = 0x02,
    DW_EH_PE_udata4 = 0x03,
    DW_EH_PE_udata8 = 0x04,
    DW_EH_PE_sleb128 = 0x09,
    DW_EH_PE_sdata2 = 0x0a,
    DW_EH_PE_sdata4 = 0x0b,
    DW_EH_PE_sdata8 = 0x0c,
    DW_EH_PE_format = 0x0f,

    DW_EH_PE_pcrel = 0x10,
    DW_EH_PE_datarel = 0x30,
    DW_EH_PE_relation = 0x70,
    DW_EH_PE_indirect = 0x80
};

/* A cursor over bytes that a linker wrote. `bad` is set once it would pass the end; reading then gives 0. */
struct bytes {
    const uint8_t *at, *end;
    bool bad;
};

/* Most fields are single bytes. */
static inline uint8_t bytes_one(struct bytes *b)
{
    if (b->at < b->end)
        return *b->at++;
    b->bad = true;
    return 0;
}

/* Lowest byte first. Byte by byte: a copy of few bytes is slow where the code is small. */
static inline uint64_t bytes_fixed(struct bytes *b, unsigned size)
{
    uint64_t value = 0;
    for (unsigned bits = 0; bits < 8 * size; bits += 8)
        value |= (uint64_t)bytes_one(b) << bits;
    return value;
}

static inline uint64_t bytes_uleb(struct bytes *b)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint64_t byte = bytes_one(b);
        value |= (byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    b->bad = true;
    return 0;
}

static inline int64_t bytes_sleb(struct bytes *b)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64;) {
        uint64_t byte = bytes_one(b);
        value |= (byte & 0x7f) << shift;
        shift += 7;
        if (!(byte & 0x80)) {
            if (shift < 64 && (byte & 0x40))
                value |= ~UINT64_C(0) << shift;
            return (int64_t)value;
        }
    }
    b->bad = true;
    return 0;
}

/* Only the encodings that linkers write into executables; any other is bad. data_base: what DW_EH_PE_datarel adds. */
static inline uint64_t bytes_encoded(struct bytes *b, uint8_t encoding, uint64_t data_base)
{
    uint64_t place = (uint64_t)(uintptr_t)b->at, value;
    switch (encoding & DW_EH_PE_format) {
    case DW_EH_PE_absptr:
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8: value = bytes_fixed(b, 8); break;
    case DW_EH_PE_udata2: value = bytes_fixed(b, 2); break;
    case DW_EH_PE_udata4: value = bytes_fixed(b, 4); break;
    case DW_EH_PE_sdata2: value = (uint64_t)(int64_t)(int16_t)bytes_fixed(b, 2); break;
    case DW_EH_PE_sdata4: value = (uint64_t)(int64_t)(int32_t)bytes_fixed(b, 4); break;
    case DW_EH_PE_uleb128: value = bytes_uleb(b); break;
    case DW_EH_PE_sleb128: value = (uint64_t)bytes_sleb(b); break;
    default: b->bad = true; return 0;
    }
    switch (encoding & DW_EH_PE_relation) {
    case DW_EH_PE_absptr: break;
    case DW_EH_PE_pcrel: value += place; break;
    case DW_EH_PE_datarel: value += data_base; break;
    default: b->bad = true;
    }
    return value;
}

#endif
