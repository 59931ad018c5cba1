// SPDX-License-Identifier: MIT
// drive.js CHROMIUM NAME ALL [FOLDER]: opens every view of NAME.html, in each theme and width, by mouse and by keyboard: no message on the console, no
// request, no breach of the policy, nothing that axe finds; numbers are those of NAME.json; without scripts findings and sources can be read. ALL is 1, or 0 for a page that
// differs from another by its names only.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const [executablePath, name, all, folder] = process.argv.slice(2), whole = all === "1", url = `file://${name}.html`;
const report = JSON.parse(readFileSync(`${name}.json`)), axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let checks = 0, failed = 0;

function expect(ok, what, ...seen) {
    checks++;
    if (ok)
        return;
    failed++;
    console.log(`FAILED: ${what}`, ...seen.map((one) => JSON.stringify(one)?.slice(0, 600)));
}

// No time is right for a machine that does other things too: a state is waited for, and only what never comes fails.
const PATIENCE_MS = 60000;
async function until(what, test) {
    for (const end = Date.now() + PATIENCE_MS; ;) {
        const got = await test();
        if (got)
            return got;
        if (Date.now() > end)
            break;
        await new Promise((done) => setTimeout(done, 20));
    }
    expect(false, what);
    return null;
}

// Effects of the page come after it is painted, and until then a key does nothing: it is pressed until it did.
async function pressUntil(page, key, what, test) {
    return until(what, async () => {
        if (await test())
            return true;
        await page.keyboard.press(key);
        await new Promise((done) => setTimeout(done, 200));
        return test();
    });
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

async function open(options, run) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options }), page = await context.newPage();
    context.setDefaultTimeout(PATIENCE_MS);
    page.on("console", (message) => expect(false, "nothing is said on the console", message.text()));
    page.on("pageerror", (error) => expect(false, "no error", error.message, error.stack));
    page.on("dialog", (dialog) => { expect(false, "no dialog", dialog.message()); dialog.dismiss(); });
    page.on("request", (request) => expect(request.url().startsWith(url) || request.url() === "data:,", "no request", request.url()));
    await page.addInitScript(() => requestAnimationFrame(() => {
        globalThis.firstFrame = [...document.querySelectorAll("#plain > section")].filter((one) => getComputedStyle(one).display !== "none").map((one) => one.id);
    }));
    await page.goto(url);
    await run(page);
    await context.close();
}

const viewsOf = (page) => page.locator("nav[aria-label=Views] a").evaluateAll((list) => list.map((a) => a.getAttribute("href").slice(1)));

async function viewGo(page, view) {
    await page.locator(`nav a[href="#${view}"]`).click();
    const opened = await until(`${view} opens`, () => page.evaluate((id) => document.querySelector("nav [aria-current]")?.getAttribute("href") === `#${id}`
        && (id === "summary" ? !document.getElementById("plain").hidden : document.querySelector("#app main") && !/^\s*Reading \.\.\.\s*$/.test(document.querySelector("#app main").lastElementChild.textContent)), view));
    if (!opened)
        console.log("at", page.url(), await page.evaluate(() => [document.querySelector("nav [aria-current]")?.textContent, document.querySelector("#app main")?.textContent.slice(0, 80), scrollY]));
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

async function axeRun(page, where) {
    if (!await page.evaluate(() => !!window.axe))
        await page.evaluate(axe);
    const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    for (const v of found.violations)
        expect(false, `axe: ${where}: ${v.id}`, v.help, v.nodes.slice(0, 3).map((n) => `${n.target} ${n.failureSummary}`));
    checks++;
}

// What a reader's eye meets first: the column by which a table is sorted is in the window, also of a phone; a picture has more than one colour, also
// where colours are forced; no cell of the source is warm without a figure.
const seen = (page) => page.evaluate(() => {
    const heads = [...document.querySelectorAll("#app thead th[aria-sort]")].slice(0, 1).filter((head) => head.getBoundingClientRect().right > innerWidth).map((head) => head.innerText);
    const plain = [...document.querySelectorAll(".time-frame canvas, .flame-frame canvas, canvas.minimap")].filter((canvas) => canvas.width && canvas.height).filter((canvas) => {
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
        copy.drawImage(canvas, 0, 0);
        const all = new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
        return all.every((colour) => colour === all[0]);
    }).map((canvas) => canvas.getAttribute("aria-label") ?? canvas.className);
    const warm = matchMedia("(forced-colors: active)").matches ? 0 : [...document.querySelectorAll(".source td.cost")].filter((cell) => !cell.innerText && getComputedStyle(cell).backgroundColor !== "rgba(0, 0, 0, 0)").length;
    const empty = [...document.querySelectorAll("#app svg[role=img]")].map((chart) => chart.getAttribute("aria-label")).filter((label) => /at most 0(;|$)/.test(label) && !/at most [^0]/.test(label));
    return { heads, plain, warm, empty };
});

// Every view in a theme and a width: opened, nothing wider than the window, and what axe says if it is asked: it takes most of the time.
async function looks(options, label, asked) {
    let first;
    await open(options, async (page) => {
        for (const view of await viewsOf(page)) {
            await viewGo(page, view);
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            expect(wide <= 0, `${view} is as wide as the window (${label})`, wide);
            const tabs = await page.evaluate(() => [...document.querySelectorAll("nav a, nav button")].map((tab) => Math.round(tab.getBoundingClientRect().left) + " " + tab.offsetTop).join());
            expect(tabs === (first ??= tabs), `${view}: tabs stay where they are (${label})`, first, tabs);
            let eye;                                   // pictures are drawn after the frame that they stand in
            if (!await until(`${view}: the sorted column is in sight, pictures have colours, empty cells none, no chart is all zeros (${label})`, async () => {
                eye = await seen(page);
                return !eye.heads.length && !eye.plain.length && !eye.warm && !eye.empty.length;
            }))
                console.log("seen", JSON.stringify(eye));
            checks++;
            if (asked)
                await axeRun(page, `${view}, ${label}`);
            if (folder)
                await page.screenshot({ path: `${folder}/${name.split("/").pop()}-${view}-${label.replaceAll(" ", "-")}.png` });
        }
    });
}

// In the page: a click on each head of a table, twice. By head: how it was sorted after each, and how many rows stood there.
async function headsClick(at) {
    const table = document.querySelectorAll("table[aria-rowcount]")[at], heads = [...table.querySelectorAll("thead th")], seen = [];
    for (const head of heads) {
        const turns = [];
        for (let turn = 0; turn < 2; turn++) {
            const before = head.getAttribute("aria-sort");
            head.querySelector("button").click();
            for (let frame = 0; frame < 1000 && head.getAttribute("aria-sort") === before; frame++)
                await new Promise(requestAnimationFrame);
            turns.push([head.getAttribute("aria-sort"), table.querySelectorAll("tbody tr:not(.gap)").length]);
        }
        seen.push(turns);
    }
    return seen;
}

// Each table of the view sorts by each head, both ways; arrows go from row to row.
async function tables(page, view) {
    const count = await page.locator("table[aria-rowcount]").count();
    for (let t = 0; t < count; t++) {
        const table = page.locator("table[aria-rowcount]").nth(t), rows = +(await table.getAttribute("aria-rowcount")) - 1;
        const head = table.locator("thead th").last(), before = await head.getAttribute("aria-sort");
        await head.locator("button").click();
        await until(`${view}: a click of the mouse sorts table ${t}`, async () => (await head.getAttribute("aria-sort")) !== before);
        for (const [h, turns] of (await page.evaluate(headsClick, t)).entries()) {
            expect(turns.every(([, drawn]) => drawn >= Math.min(rows, 10)), `${view}: all rows of table ${t} stay when sorted by column ${h}`, turns, rows);
            expect(turns[0][0] && turns[1][0] && turns[0][0] !== turns[1][0], `${view}: table ${t} sorts both ways by column ${h}`, turns);
        }
        await table.locator("tbody tr[tabindex='0']").focus();
        await page.keyboard.press("End");
        await until(`${view}: End goes to the last row`, () => page.evaluate((n) => document.activeElement?.getAttribute("aria-rowindex") === String(n + 1), rows));
        await page.keyboard.press("Home");
        await until(`${view}: Home goes to the first row`, () => page.evaluate(() => document.activeElement?.getAttribute("aria-rowindex") === "2"));
    }
}

async function filters(page, view) {
    if (!(await page.locator(".tablebox input[type=search]").count()))
        return;
    await page.keyboard.press("Escape");
    await page.evaluate(() => document.activeElement.blur());
    const field = page.locator(".tablebox input[type=search]:focus"), box = page.locator(".tablebox", { has: page.locator("input:focus") });
    if (!await pressUntil(page, "/", `${view}: / goes to the filter`, async () => await field.count() === 1))
        return;
    const countOf = async () => +(await box.locator("table").getAttribute("aria-rowcount")), all = await countOf(), word = (await box.locator("tbody tr:not(.gap) td.text").first().innerText()).toLowerCase();
    await field.fill("no such thing anywhere");
    await until(`${view}: nothing has what is nowhere`, async () => await countOf() === 1);
    await field.fill(word);
    await until(`${view}: the filter leaves rows`, async () => await countOf() >= 2);
    const left = await countOf(), texts = await box.locator("tbody tr:not(.gap)").allInnerTexts();
    expect(left <= all, `${view}: the filter adds no rows`, word, left, all);
    expect(texts.every((text) => word.split(/\s+/).filter((w) => !/:\d/.test(w)).every((w) => text.toLowerCase().includes(w.slice(0, 12)))), `${view}: the rows left have the word`, word, texts.slice(0, 3));
    await field.fill("");
    await until(`${view}: without words all rows are back`, async () => await countOf() === all);
    // Home on the first row moves nothing, and letters typed after it stay in the field.
    const own = await field.elementHandle(), row = await box.locator("tbody tr[tabindex='0']").elementHandle();
    await row.focus();
    await page.keyboard.press("Home");
    await own.focus();
    await page.keyboard.type("xyz", { delay: 60 });
    expect(await own.inputValue() === "xyz", `${view}: letters stay in the filter`, await own.inputValue());
    await own.fill("");
}

// Each choice of the first list does something without an error, and so does each key.
async function choices(page, view) {
    const select = page.locator("#app main select").first();
    if (await select.count())
        for (const option of (await select.locator("option").evaluateAll((list) => list.map((o) => o.value))).filter(Boolean).slice(0, view === "source" ? 3 : 12)) {
            await viewGo(page, view);
            await select.selectOption(option);
            await until(`${view}: ${option} can be chosen`, async () => await select.inputValue() === option);
        }
    if (view === "flame") {
        if (report.functions.some((f) => f.name.includes("(anonymous namespace)"))) { // boxes and rows have short names; the search knows the whole ones
            await select.selectOption("cpu");
            const search = page.locator("#app main input[type=search]").first();
            await search.fill("(anonymous namespace)::smooth");
            const shown = await until("the search finds a whole name", () => page.evaluate(() => document.querySelector(".call.match .call-name")?.innerText));
            expect(/^smooth/.test(shown), "what it found has a short name", shown);
            await search.fill("");
            await search.blur();
        }
        const inverted = page.getByRole("button", { name: "Inverted" }), before = await select.inputValue();
        await page.keyboard.press("i");
        await until("i inverts the flame graph", async () => await inverted.getAttribute("aria-pressed") === "true");
        await page.keyboard.press("m");
        await until("m goes to the next cost", async () => await select.inputValue() !== before);
    }
    for (const key of ["m", "m", "i", "i", "j", "k"])
        await page.keyboard.press(key);
    checks++;
}

const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, "\u2009");

// The hottest line, by its address: its exact numbers are those of the JSON report.
async function permalink(page) {
    const lines = report.lines.filter((l) => l.self_ns > 0), best = lines.sort((a, b) => b.self_ns - a.self_ns)[0];
    await page.goto(`${url}#${encodeURI(best.file)}:${best.line}`);
    await until("the line is in sight", () => page.evaluate((n) => {
        const row = document.querySelector(`.source tr[data-line="${n}"]`), box = row?.getBoundingClientRect();
        return row && row.classList.contains("now") && document.activeElement === row && box.top > 40 && box.bottom < innerHeight;
    }, best.line));
    const said = await until("its details are open", () => page.evaluate(() => document.querySelector(".details")?.innerText)), same = lines.filter((l) => l.file === best.file && l.line === best.line);
    const sum = (field) => same.reduce((all, l) => all + (l[field] ?? 0), 0);
    expect(said?.includes(grouped(sum("samples"))), "its samples are those of JSON", said, sum("samples"));
    if (same.some((l) => l.hits !== undefined))
        expect(said?.includes(grouped(sum("hits"))), "its hits are those of JSON", said, sum("hits"));
    const before = page.url();
    for (const key of ["j", "k", "ArrowDown", "n", "p"])
        await page.keyboard.press(key);
    await page.goto(before);
    await page.keyboard.press("j");
    await until("j goes to another hot line, or stays at the only one", () => page.evaluate(() => document.querySelector(".source tr.now") !== null));
}

async function rowsEqual(page) {
    await viewGo(page, "lines");
    const want = report.lines.filter((l) => l.hits > 0 || l.total_ns || l.wait_ns || l.wait_total_ns || l.alloc_blocks).length;
    const rows = await until("the lines are there", () => page.locator("table[aria-label=Lines]").getAttribute("aria-rowcount"));
    expect(+rows - 1 === want, "as many lines as in JSON", rows, want);
}

// The source opens where its hottest line is, also in a window that has little room; figures stand below their heads.
async function opensAtHottest(page) {
    await viewGo(page, "source");
    await until("the source opens at the hottest line of the file", () => page.evaluate(() => {
        const bars = [...document.querySelectorAll(".source .cellbar")], wide = (bar) => parseFloat(bar.style.width), best = bars.sort((a, b) => wide(b) - wide(a))[0];
        const box = best?.closest("tr").getBoundingClientRect();
        return box && box.top > 40 && box.bottom < innerHeight;
    }));
    const kept = await page.evaluate(() => new Promise((done) => { scrollTo(0, 0); setTimeout(() => done(scrollY), 700); }));
    expect(kept === 0, "who scrolls away from the hottest line is not brought back", kept);
    await viewGo(page, "functions");
    const off = await page.evaluate(() => [...document.querySelectorAll("#app thead th.figure")].map((head, i) => {
        const ends = (node) => { const range = document.createRange(); range.selectNodeContents(node); return range.getBoundingClientRect().right; };
        const cell = document.querySelector("#app tbody tr:not(.gap)").querySelectorAll("td.figure .value")[i];
        return Math.abs(ends(head.querySelector(".title")) - ends(cell));
    }));
    expect(off.length > 3 && off.every((gap) => gap < 1.5), "heads of figures end where the figures end", off);
}

// The slices that timeline=on kept are drawn and listed.
async function spansShown(page) {
    await viewGo(page, "timeline");
    const most = Math.min(2000, report.timeline.spans.length);
    const rows = await until("the spans are there", () => page.locator("table[aria-label=Spans]").getAttribute("aria-rowcount"));
    expect(most > 5 && +rows - 1 === most, "as many spans as in JSON", rows, most);
    const drawn = await page.locator(".time-frame canvas").getAttribute("aria-label");
    expect(parseInt(drawn, 10) > 5, "spans are drawn", drawn);
}

// The source goes to its hottest line by itself, when its lines are there. A tab that is held meanwhile stays under the pointer, so that the click counts.
async function keepsPressed(page) {
    const tab = await page.locator('nav a[href="#flame"]').boundingBox();
    await page.mouse.move(tab.x + tab.width / 2, tab.y + tab.height / 2);
    await page.mouse.down();
    await page.evaluate(() => { location.hash = "source"; });
    await until("the source is there", () => page.evaluate(() => !!document.querySelector(".source .cellbar")));
    await page.evaluate(() => new Promise((done) => setTimeout(done, 400)));
    await page.mouse.up();
    await until("a tab that was pressed while the source opened is opened", () => page.evaluate(() => location.hash === "#flame" && !!document.querySelector(".flame-frame canvas")));
}

async function keyboardOnly(page) {
    const shown = () => page.evaluate(() => !!document.querySelector("dialog")?.open);
    await pressUntil(page, "?", "? shows the keys", shown);
    await axeRun(page, "the list of keys");
    await pressUntil(page, "Escape", "Escape closes them", async () => !await shown());
    const before = await page.evaluate(() => getComputedStyle(document.body).backgroundColor), seen = new Set([before]);
    for (let i = 0; i < 3; i++) {
        await page.keyboard.press("d");
        seen.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    }
    expect(seen.size === 2 && before === await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "d goes through light and dark and back", [...seen]);
    const reached = new Set(), wanted = await viewsOf(page);
    for (let i = 0; i < 60 && !wanted.every((view) => reached.has(`#${view}`)); i++) {
        await page.keyboard.press("Tab");
        reached.add(await page.evaluate(() => document.activeElement.getAttribute("href")));
    }
    for (const view of wanted)
        expect(reached.has(`#${view}`), `Tab reaches ${view}`, [...reached]);
}

try {
    await looks({ colorScheme: "light" }, "light 1280", whole);
    await looks({ colorScheme: "dark", viewport: { width: 390, height: 800 } }, "dark 390", true);
    if (whole || folder) {
        await looks({ colorScheme: "dark" }, "dark 1280");
        await looks({ colorScheme: "light", viewport: { width: 390, height: 800 } }, "light 390");
    }
    if (whole)
        await looks({ forcedColors: "active" }, "forced colours 1280");
    await open({}, async (page) => {
        for (const view of await viewsOf(page)) {
            await viewGo(page, view);
            await tables(page, view);
            await filters(page, view);
            await choices(page, view);
        }
        await permalink(page);
        await rowsEqual(page);
        await spansShown(page);
    });
    await open({ viewport: { width: 1280, height: 340 } }, opensAtHottest);
    await open({ viewport: { width: 390, height: 700 } }, opensAtHottest);
    await open({ viewport: { width: 1280, height: 340 } }, keepsPressed);
    await open({}, keyboardOnly);
    await open({}, async (page) => {
        const first = await until("a first frame", () => page.evaluate(() => globalThis.firstFrame));
        expect(first?.every((id) => ["run", "findings"].includes(id)), "the first frame has the run and what to change, and nothing to lay out but that", first);
        await until("tables follow it", () => page.evaluate(() => ["stages", "hottest"].every((id) => !document.getElementById(id) || document.getElementById(id).offsetHeight > 0)));
    });
    await open({ javaScriptEnabled: false }, async (page) => {
        const text = await page.locator("body").innerText();
        for (const finding of report.recommendations.filter((r) => !r.accepted))
            expect(text.includes(finding.title), "a finding can be read without scripts", finding.title);
        const errors = await page.locator("#hottest tbody td:last-child").allInnerTexts();
        expect(errors.length > 0 && errors.every((error) => /^(\u00b1[\d.]+%|few samples|-)$/.test(error)), "the last column of the hottest lines has errors", errors);
        expect(text.includes("Source of the hottest functions") && await page.locator("#sources pre").count() > 0, "so can the source");
        const pdf = await page.pdf();
        expect(pdf.length > 10000 && pdf.subarray(0, 5).toString() === "%PDF-", "it prints", pdf.length);
    });
    await open({}, async (page) => {
        const pdf = await page.pdf();
        expect(pdf.length > 10000, "it prints with scripts, too", pdf.length);
    });
} catch (error) {
    expect(false, "nothing ends the test early", error.stack);
}
await browser.close();
console.log(`${checks} checks, ${failed} failed`);
process.exit(failed ? 1 : 0);
