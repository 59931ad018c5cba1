// SPDX-License-Identifier: MIT
// format.js: numbers as a person reads them, the same as report/words/figure.c.

function scaled(value, base, units) {
    let unit = 0;
    while (unit + 1 < units.length && value >= (base === 1000 ? 999.5 : 1023.5)) {
        value /= base;
        unit++;
    }
    const decimals = unit === 0 && value === Math.floor(value) ? 0 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return `${value.toFixed(decimals)} ${units[unit]}`.trimEnd();
}

export const time = (ns) => (!(ns >= 0) ? "-" : ns === 0 ? "0" : scaled(ns, 1000, ["ns", "us", "ms", "s"]));
export const size = (bytes) => (isNaN(bytes) ? "-" : bytes < 0 ? `-${size(-bytes)}` : bytes === 0 ? "0"
    : scaled(bytes, 1024, ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]));
export const count = (n) => (!(n >= 0) ? "-" : n < 99999.5 ? grouped(n) : scaled(n, 1000, ["", "k", "M", "G", "T", "P", "E"]));
export const grouped = (n) => (isNaN(n) ? "-" : Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, "\u2009"));
export const counted = (n, word) => `${count(n)} ${word}${n === 1 ? "" : "s"}`;
export const share = (part) => (part >= 0 ? `${(100 * part).toFixed(1)}%` : "-");
export const error = (percent) => (!(percent > 0) ? "-" : percent > 100 ? "few samples" : `\u00b1${percent.toFixed(percent < 10 ? 1 : 0)}%`);
export const dashed = (text, value) => (value ? text : "-");                // 0 says nothing in a table of costs
export const fileName = (path) => path.slice(path.lastIndexOf("/") + 1);
export const place = (path, line) => (path ? `${fileName(path)}${line ? `:${line}` : ""}` : "");
