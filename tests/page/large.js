// SPDX-License-Identifier: MIT
// large.js CHROMIUM PAGE: opens a large page three times and prints, as JSON, the best of: milliseconds to the first paint and until the views can be
// used, of each view until it is drawn, and the most bytes of the heap with its buffers, after a collection.
import { chromium } from "playwright-core";

const [executablePath, file] = process.argv.slice(2), best = {};
const least = (name, value) => { best[name] = Math.min(best[name] ?? Infinity, Math.round(value)); };

// In the page: goes to a view; how long until something of it is there, and painted.
function viewTime(view) {
    return new Promise((done) => {
        const from = performance.now(), drawn = { source: ".source tr[data-line]", flame: ".flame-frame canvas[width]" }[view] ?? "#app main.view";
        const look = () => {
            const there = document.querySelector("nav [aria-current]")?.getAttribute("href") === `#${view}` && !/Reading/.test(document.querySelector("#app main")?.children[1]?.textContent ?? "Reading")
                && document.querySelector(drawn);
            if (there)
                requestAnimationFrame(() => setTimeout(() => done(performance.now() - from)));
            else
                setTimeout(look, 2);
        };
        location.hash = view;
        look();
    });
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--js-flags=--expose-gc"] });
let heap = 0, said = [];
for (let turn = 0; turn < 3; turn++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } }), page = await context.newPage(), session = await context.newCDPSession(page);
    context.setDefaultTimeout(240000);                 // a machine may do other things too
    page.on("console", (message) => said.push(message.text()));
    page.on("pageerror", (error) => said.push(error.message));
    await page.goto(`file://${file}`);
    await page.waitForSelector("nav[aria-label=Views] a");
    const [paint, usable] = await page.evaluate(() => new Promise((done) => {
        const look = () => {
            const entry = performance.getEntriesByName("first-contentful-paint")[0];
            if (entry)
                done([entry.startTime, performance.getEntriesByType("navigation")[0].loadEventEnd]);
            else
                setTimeout(look, 2);
        };
        look();
    }));
    least("first paint", paint);
    least("usable", usable);
    for (const view of await page.$$eval("nav[aria-label=Views] a", (list) => list.map((a) => a.getAttribute("href").slice(1)).filter((view) => view !== "summary"))) {
        least(view, await page.evaluate(viewTime, view));
        await page.evaluate(async () => { globalThis.gc(); await new Promise((done) => setTimeout(done)); globalThis.gc(); }); // buffers go after what held them
        const use = await session.send("Runtime.getHeapUsage");
        heap = Math.max(heap, use.usedSize + (use.backingStorageSize ?? 0) + (use.embedderHeapUsedSize ?? 0));
    }
    await context.close();
}
await browser.close();
console.log(JSON.stringify({ best, heap, said }));
