// SPDX-License-Identifier: MIT
// pages.mjs CHROMIUM READER FILE...: a page that reads profiles opens each file, in Chromium. Prints a line of JSON a file: what the page itself says of it, and
// what it complained of. READER is speedscope, whose export is what it read, or the path of dh_view.html.
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { chromium } from "playwright-core";

const [executablePath, reader, ...files] = process.argv.slice(2);
const speedscope = new URL("node_modules/speedscope/dist/release/index.html", import.meta.url).pathname;
const usual = /WebGL|^speedscope v|GPU stall|^import|^Importing|^Saving/;

// What was on the stack, for how long.
function total(profile) {
  if (profile.type === "sampled") return profile.weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0, depth = 0, last = 0;
  for (const event of profile.events) {
    sum += depth ? event.at - last : 0;
    last = event.at;
    depth += event.type === "O" ? 1 : -1;
  }
  return sum;
}

async function bySpeedscope(page, file) {
  const script = `${file}.js`;
  writeFileSync(script, `speedscope.loadFileFromBase64(${JSON.stringify(basename(file))}, ${JSON.stringify(readFileSync(file).toString("base64"))})`);
  await page.goto(`file://${speedscope}#localProfilePath=${script}`);
  const button = page.getByText("⤴️Export", { exact: true });
  await button.waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  const seen = JSON.parse(readFileSync(await download.path()));
  return { profiles: seen.profiles.map((profile) => ({ name: profile.name, unit: profile.unit, total: total(profile) })), frames: seen.shared.frames.map((frame) => frame.name) };
}

async function byDhat(page, file) {
  await page.goto(`file://${reader}`);
  await page.locator("input[type=file]").setInputFiles(file);
  await page.waitForFunction(() => /Total:/.test(document.body.innerText));
  return { text: await page.locator("body").innerText() };
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
for (const file of files) {
  const page = await browser.newPage({ acceptDownloads: true }), complaints = [];
  page.setDefaultTimeout(120000);
  page.on("console", (message) => usual.test(message.text()) || complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  const seen = await (reader === "speedscope" ? bySpeedscope : byDhat)(page, file);
  console.log(JSON.stringify({ ...seen, complaints }));
  await page.close();
}
await browser.close();
