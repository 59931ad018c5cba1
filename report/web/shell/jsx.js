// SPDX-License-Identifier: MIT
// jsx.js: what markup in .jsx files becomes; build.js puts it into each. Calls of preact's h are shorter than those of jsx().
export { h as markup, Fragment } from "preact";
