// SPDX-License-Identifier: MIT
// views.js: the views, in the order of their tabs. One row and one file each. The summary is plain HTML.
import { Flame } from "./flame.jsx";
import { Functions } from "./functions.jsx";
import { Lines } from "./lines.jsx";
import { Loops } from "./loops.jsx";
import { Memory } from "./memory.jsx";
import { Run } from "./run.jsx";
import { Source } from "./source.jsx";
import { Threads } from "./threads.jsx";
import { Timeline } from "./timeline.jsx";
import { Waits } from "./waits.jsx";

export const views = [
    { id: "summary", title: "Summary" },
    { id: "source", title: "Source", component: Source },
    { id: "flame", title: "Flame graph", component: Flame },
    { id: "timeline", title: "Timeline", component: Timeline },
    { id: "memory", title: "Memory", component: Memory },
    { id: "io", title: "I/O and waits", component: Waits },
    { id: "threads", title: "Threads", component: Threads },
    { id: "loops", title: "Loops", component: Loops },
    { id: "functions", title: "Functions", component: Functions },
    { id: "lines", title: "Lines", component: Lines },
    { id: "run", title: "Run", component: Run },
];
