// The first paint of the page in a fresh browser profile, and its size.
import { gzipSync } from 'node:zlib';

/** @typedef {import('../support/browser.js').Browser} Browser */
/** @typedef {import('../support/wall.js').Wall} Wall */

/**
 * First contentful paints over loopback, in milliseconds since the start of navigation; each in a fresh browser profile.
 * One more page is opened before them and not counted: the browser starts processes for it.
 * @param {Browser} browser @param {string} url @param {number} times @param {string} ready of an element that appears later
 * @param {number} [slowdown] the page's CPU is slower by this factor; 4: about a phone
 */
export async function firstPaints(browser, url, times, ready, slowdown = 1) {
  const paints = [];
  for (let i = 0; i <= times; ++i) {
    const page = await browser.open('about:blank');
    await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.goto(url);
    await page.locator(ready).waitFor();
    const paint = await page.evaluate(() => new Promise((resolve) => {
      new PerformanceObserver((list) => {
        const [entry] = list.getEntriesByName('first-contentful-paint');
        if (entry) resolve(entry.startTime);
      }).observe({ type: 'paint', buffered: true });
    }));
    if (i > 0) paints.push(/** @type {number} */ (paint));
    await page.context().close();
  }
  return paints;
}

/**
 * The size of everything the page loads, as sent by the manager and compressed with gzip, in kB.
 * @param {Browser} browser @param {Wall} wall
 */
export async function weightKb(browser, wall) {
  const page = await browser.open(wall.url);
  await page.locator('#connection[data-phase=open]').waitFor();
  for (const tab of await page.locator('#tabs [role=tab]:not([hidden])').all()) {
    await tab.click();
    await page.locator(`vt-${(await tab.getAttribute('id'))?.replace('tab-', '')}`).waitFor();
  }
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
  await page.context().close();
  let compressed = 0;
  for (const path of new Set(['/', ...loaded.filter((name) => /\.(js|css|svg)$/.test(name))])) {
    const answer = await fetch(new URL(path, wall.url));
    compressed += gzipSync(Buffer.from(await answer.arrayBuffer())).length;
  }
  return compressed / 1000;
}
