// SPDX-License-Identifier: MIT
// build.js [FOLDER]: makes bundle.js and bundle.css here, or in FOLDER. The page has nothing else of ours in it.
import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";

const here = dirname(fileURLToPath(import.meta.url));
const preact = JSON.parse(readFileSync(join(here, "node_modules/preact/package.json"))).version;
const outdir = process.argv[2] ?? here;
await build({
    absWorkingDir: here, entryPoints: { bundle: "shell/main.jsx" }, outdir, bundle: true, minify: true, format: "iife", target: "es2022",
    jsx: "transform", jsxFactory: "markup", jsxFragment: "Fragment", inject: ["shell/jsx.js"], legalComments: "none", charset: "ascii", logLevel: "warning",
    banner: { js: `// SPDX-License-Identifier: MIT\n// Made by report/web/build.js, with preact ${preact} (MIT, Jason Miller).`,
              css: "/* SPDX-License-Identifier: MIT. Made by report/web/build.js. */" },
});
