// SPDX-License-Identifier: MIT
// views.js: the views, in the order of their tabs. One row and one file each. The summary is plain HTML.
import { Functions } from "./functions.jsx";
import { Lines } from "./lines.jsx";
import { Loops } from "./loops.jsx";
import { Run } from "./run.jsx";
import { Source } from "./source.jsx";

export const views = [
    { id: "summary", title: "Summary" },
    { id: "source", title: "Source", component: Source },
    { id: "loops", title: "Loops", component: Loops },
    { id: "functions", title: "Functions", component: Functions },
    { id: "lines", title: "Lines", component: Lines },
    { id: "run", title: "Run", component: Run },
];
