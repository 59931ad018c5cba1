// SPDX-License-Identifier: MIT
// browsers.mjs CHROMIUM FOLDER TURNS [FIREFOX]: opens FOLDER/crowd.html, crowd.speedscope in speedscope's page and crowd.firefox in Firefox profiler's page (FIREFOX: its
// built folder), TURNS times each, in turn. Prints a line of JSON for each page: the medians of milliseconds and of the heap with its buffers, after a collection.
import { createServer } from "node:http";
import { existsSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";

const [executablePath, folder, turns, firefox] = process.argv.slice(2);
const speedscope = new URL("node_modules/speedscope/dist/release/index.html", import.meta.url).pathname;
const kinds = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".ftl": "text/plain" };
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--js-flags=--expose-gc", "--disable-background-networking"] });

// Resolves once what the last step asked for is painted and the page waits for the user again.
const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));

async function until(page, ...what) {
  await page.waitForFunction(...what, { polling: "raf", timeout: 240000 });
  await settled(page);
}

const painted = (page) => page.evaluate(() => new Promise((done) => {
  const look = () => {
    const entry = performance.getEntriesByName("first-contentful-paint")[0];
    return entry ? done(entry.startTime) : setTimeout(look, 2);
  };
  look();
}));

async function timed(work) {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

const pages = {
  async profplug(page) {
    const usable = await timed(async () => {
      await page.goto(`file://${folder}/crowd.html`, { waitUntil: "commit" });
      await until(page, () => document.querySelector("nav[aria-label=Views] a"));
    });
    const graph = await timed(async () => {
      await page.evaluate(() => { location.hash = "flame"; });
      await until(page, () => document.querySelector(".flame-frame canvas[width]"));
    });
    return { paint: await painted(page), usable, graph };
  },
  async speedscope(page) {
    await page.goto(`file://${speedscope}`);
    const paint = await painted(page);
    const usable = await timed(async () => {
      await page.locator("input[type=file]").first().setInputFiles(`${folder}/crowd.speedscope`);
      await until(page, () => /Export/.test(document.body.innerText) && document.querySelector("canvas[width]"));
    });
    return { paint, usable, graph: await timed(async () => {
      await page.getByText("Left Heavy").click();
      await settled(page);
    }) };
  },
  async firefox(page) {
    await page.goto(address);
    const paint = await painted(page), input = page.locator("input[type=file]").first();
    await input.waitFor({ state: "attached" });
    const usable = await timed(async () => {
      await input.setInputFiles(`${folder}/crowd.firefox`);
      await until(page, () => document.querySelector(".treeViewRow"));
    });
    return { paint, usable, graph: await timed(async () => {
      await page.getByRole("tab", { name: "Flame Graph" }).or(page.getByText("Flame Graph", { exact: true })).first().click();
      await until(page, () => document.querySelector(".flameGraphCanvas, .flameGraphContent canvas"));
    }) };
  },
};

// Firefox profiler's page wants a server; each path of its own is its index.html.
const server = createServer((asked, answer) => {
  const path = join(firefox ?? "", new URL(asked.url, "http://x").pathname), found = extname(path) && existsSync(path) ? path : join(firefox ?? "", "index.html");
  answer.writeHead(200, { "content-type": kinds[extname(found)] ?? "application/octet-stream" });
  answer.end(readFileSync(found));
}).listen(0, "127.0.0.1");
await new Promise((done) => server.once("listening", done));
const address = `http://127.0.0.1:${server.address().port}/`;
if (!firefox) delete pages.firefox;

const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
const seen = Object.fromEntries(Object.keys(pages).map((name) => [name, []]));
for (let turn = 0; turn < +turns; turn++)
  for (const [name, open] of Object.entries(pages)) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } }), page = await context.newPage(), session = await context.newCDPSession(page);
    await context.route((url) => !/^(file:|data:|blob:)/.test(url.href) && url.hostname !== "127.0.0.1", (route) => route.abort());
    page.setDefaultTimeout(240000);
    const row = await open(page).catch((error) => ({ error: error.message.split("\n")[0] }));
    await page.evaluate(() => globalThis.gc());
    const use = await session.send("Runtime.getHeapUsage");
    seen[name].push({ ...row, heap: use.usedSize + (use.backingStorageSize ?? 0) + (use.embedderHeapUsedSize ?? 0) });
    if (!turn) await page.screenshot({ path: `${folder}/${name}.png` });
    await context.close();
  }
await browser.close();
server.close();
for (const [name, rows] of Object.entries(seen)) {
  const middle = Object.fromEntries(["paint", "usable", "graph", "heap"].map((key) => [key, Math.round(median(rows.map((row) => row[key])))]));
  console.log(JSON.stringify({ name, ...middle, error: rows.find((row) => row.error)?.error }));
}
