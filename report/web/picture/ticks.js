// SPDX-License-Identifier: MIT
// ticks.js: round numbers on an axis from 0: steps of 1, 2 or 5 times a power of ten; of bytes, powers of two.
export function ticksOf(most, unit, wanted = 4) {
    if (!(most > 0))
        return [0, 1];
    const raw = most / wanted, power = 10 ** Math.floor(Math.log10(raw)), times = raw / power;
    let step = unit === "bytes" ? 2 ** Math.ceil(Math.log2(raw)) : power * (times > 5 ? 10 : times > 2 ? 5 : times > 1 ? 2 : 1);
    if (unit !== "ns")
        step = Math.max(1, step);
    return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, i) => i * step);
}
