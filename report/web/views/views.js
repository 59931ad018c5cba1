// SPDX-License-Identifier: MIT
// views.js: the views, in the order of their tabs. One row and one file each. The summary is plain HTML.
import { Functions } from "./functions.jsx";
import { Lines } from "./lines.jsx";

export const views = [
    { id: "summary", title: "Summary" },
    { id: "lines", title: "Lines", component: Lines },
    { id: "functions", title: "Functions", component: Functions },
];
