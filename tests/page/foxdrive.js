// SPDX-License-Identifier: MIT
// foxdrive.js FIREFOX NAME [FOLDER]: opens every view of NAME.html in Firefox, in two themes and two widths, sorts a table, zooms the flame graph and
// follows an address to a line: no message on the console, no error, no request.
import { readFileSync } from "node:fs";
import puppeteer from "puppeteer-core";

const [executablePath, name, folder] = process.argv.slice(2), url = `file://${name}.html`, PATIENCE_MS = 60000;
const report = JSON.parse(readFileSync(`${name}.json`));
let checks = 0, failed = 0;

function expect(ok, what, ...seen) {
    checks++;
    if (ok)
        return;
    failed++;
    console.log(`FAILED: ${what}`, ...seen.map((one) => JSON.stringify(one)?.slice(0, 600)));
}

// Waits for a state of the page, however slow the machine is.
async function until(page, what, test, ...given) {
    const reached = await page.waitForFunction(test, { timeout: PATIENCE_MS, polling: 30 }, ...given).then(() => true, (error) => error.message);
    expect(reached === true, what, reached);
}

const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true, timeout: PATIENCE_MS, protocolTimeout: 2 * PATIENCE_MS });

async function viewGo(page, view) {
    await page.evaluate((id) => document.querySelector(`nav a[href="#${id}"]`).click(), view);
    await until(page, `${view} opens`, (id) => document.querySelector("nav [aria-current]")?.getAttribute("href") === `#${id}`
        && (id === "summary" ? !document.getElementById("plain").hidden : !!document.querySelector("#app main")?.children[1] && !/^Reading/.test(document.querySelector("#app main").children[1].textContent)), view);
}

async function looks(page, scheme, width) {
    await page.setViewport({ width, height: 900 });
    await page.evaluate((theme) => { document.documentElement.dataset.theme = theme; dispatchEvent(new Event("theme")); }, scheme);
    for (const view of await page.$$eval("nav[aria-label=Views] a", (list) => list.map((a) => a.getAttribute("href").slice(1)))) {
        await viewGo(page, view);
        await until(page, `${view} is as wide as the window (${scheme} ${width})`, () => document.documentElement.scrollWidth <= innerWidth);
        expect((await page.$eval(view === "summary" ? "#plain" : "#app main", (e) => e.innerText.trim())).length > 60, `${view} has something to read`);
        if (folder)
            await page.screenshot({ path: `${folder}/firefox-${view}-${scheme}-${width}.png` });
    }
}

try {
    const page = await browser.newPage();
    page.on("console", (message) => expect(false, "nothing is said on the console", message.text()));
    page.on("pageerror", (error) => expect(false, "no error", error.message));
    page.on("request", (request) => expect(request.url().startsWith(url) || request.url().startsWith("data:"), "no request", request.url()));
    await page.goto(url);
    await until(page, "the page has its views", () => document.querySelectorAll("nav[aria-label=Views] a").length > 8);
    await looks(page, "light", 1280);
    await looks(page, "dark", 390);
    await page.setViewport({ width: 1280, height: 900 });
    await viewGo(page, "lines");
    const rows = report.lines.filter((l) => l.hits > 0 || l.total_ns || l.wait_ns || l.wait_total_ns || l.alloc_blocks).length;
    await until(page, "as many lines as in JSON", (n) => document.querySelector("table[aria-label=Lines]").getAttribute("aria-rowcount") === String(n + 1), rows);
    await page.click("table[aria-label=Lines] thead th:nth-child(8) button");
    await until(page, "a click sorts by hits", () => document.querySelector("table[aria-label=Lines] thead th:nth-child(8)").hasAttribute("aria-sort"));
    await viewGo(page, "flame");
    await page.focus(".flame-frame");
    for (const key of ["ArrowDown", "ArrowDown", "Enter"])
        await page.keyboard.press(key);
    await until(page, "Enter zooms the flame graph", () => [...document.querySelectorAll("#app .tools button")].some((b) => b.textContent === "Show all" && !b.disabled));
    const best = report.lines.filter((l) => l.self_ns > 0).sort((a, b) => b.self_ns - a.self_ns)[0];
    await page.evaluate((hash) => { location.hash = hash; }, `#${encodeURI(best.file)}:${best.line}`);
    await until(page, "the address of a line leads to it", (n) => document.activeElement?.dataset.line === String(n) && !!document.querySelector(".details"), best.line);
} catch (error) {
    expect(false, "nothing ends the test early", error.stack);
}
await browser.close();
console.log(`${checks} checks, ${failed} failed`);
process.exit(failed ? 1 : 0);
