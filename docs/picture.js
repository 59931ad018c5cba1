// SPDX-License-Identifier: MIT
// picture.js CHROMIUM PAGE PNG: a picture of the source view of a page, as wide as README shows it.
import { chromium } from "playwright-core";

const [executablePath, page, png] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const tab = await browser.newPage({ viewport: { width: 1100, height: 640 }, colorScheme: "light" });
await tab.goto(`file://${page}#source`);
await tab.waitForFunction(() => scrollY > 0 && document.querySelectorAll(".source .cellbar").length > 3, null, { timeout: 60000 });
await tab.screenshot({ path: png });
await browser.close();
