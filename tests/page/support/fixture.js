// The setup of each browser test file: one wall, one browser, and pages on both. Node's test functions are registered here,
// so a file calls fixture() once, at its top.
import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';

import { Browser } from './browser.js';
import { waitFor } from './patience.js';
import { Wall } from './wall.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').BrowserContextOptions} PageOptions */

export class Fixture {
  /** @type {Wall} */
  wall = /** @type {any} */ (null);
  /** @type {Browser} */
  browser = /** @type {any} */ (null);
  /** Errors that pages of this test may report. @type {RegExp | undefined} */
  expected;
  /** @type {Page[]} */
  pages = [];

  /**
   * Opens a page and waits until it is connected and has the wall's state.
   * @param {PageOptions & { name?: string, hash?: string }} [options] name: of the person
   */
  async open({ name, hash = '', ...options } = {}) {
    const page = await this.browser.open(this.wall.url + hash, { ...options, storageState: storage(this.wall.url, name) });
    this.pages.push(page);
    await connected(page);
    return page;
  }

  /** Closes this test's pages and all windows, so that the next test has an empty wall. */
  async clear() {
    for (const page of this.pages) await page.context().close();
    this.pages = [];
    // A window may return if its application had lost its connection.
    await waitFor(async () => {
      const { windows } = await this.wall.state();
      for (const { window, locked } of windows) {
        if (locked) await this.wall.call('lock', { window, on: false });
        // A window that a page shared closes with the page.
        await this.wall.call('close', { window }).catch((error) => {
          if (!/no window/.test(error.message)) throw error;
        });
      }
      return windows.length === 0;
    }, 'the wall is empty');
  }
}

/** @param {Parameters<typeof Wall.start>[0] & { browserFlags?: string[], wholeBrowser?: boolean }} [options] */
export function fixture(options) {
  const made = new Fixture();
  before(async () => {
    [made.wall, made.browser] = await Promise.all([Wall.start(options), Browser.start(options?.browserFlags, options?.wholeBrowser)]);
  });
  afterEach(async () => {
    await made.clear();
    const wrongs = made.browser.wrongs(made.expected);
    made.expected = undefined;
    assert.deepEqual(wrongs, [], 'pages report nothing as wrong');
  });
  after(async () => {
    await made.browser?.close();
    await made.wall?.close();
  });
  return made;
}

/** @param {string} url @param {string | undefined} name @returns {PageOptions['storageState']} */
function storage(url, name) {
  const localStorage = name ? [{ name: 'vitrail.name', value: name }] : [];
  return { cookies: [], origins: [{ origin: new URL(url).origin, localStorage }] };
}

/** Waits until the page has connected and received the state. @param {Page} page */
export async function connected(page) {
  await page.locator('#connection[data-phase="open"]').waitFor();
  // page.waitForFunction() compiles source text, which the page's policy forbids.
  await waitFor(async () => (await page.title()).endsWith(' Vitrail'), 'the page knows the wall');
}

/** Shows a panel and returns it. @param {Page} page @param {string} name */
export async function showPanel(page, name) {
  await page.locator(`#tab-${name}`).click();
  const panel = page.locator(`vt-${name}`);
  await panel.waitFor();
  return panel;
}

/** Opens the dialog with people and settings. @param {Page} page */
export async function showPeople(page) {
  await page.locator('#people').click();
  const people = page.locator('vt-people');
  await people.waitFor();
  return people;
}

/** Selects these windows with the mouse: a click, then clicks with Shift. @param {Page} page @param {number[]} numbers */
export async function select(page, ...numbers) {
  for (const [i, number] of numbers.entries()) {
    await page.locator(`#window-${number}`).click({ modifiers: i > 0 ? ['Shift'] : [], position: { x: 12, y: 12 } });
  }
  for (const number of numbers) await page.locator(`#window-${number}[aria-selected="true"]`).waitFor();
}

/** Converts a point of the wall to client coordinates of the page. @param {Page} page @param {Wall} wall @param {number} x @param {number} y wall pixels */
export async function onPage(page, wall, x, y) {
  const box = await page.locator('.layer > .wall').boundingBox();
  assert.ok(box, 'the page shows the wall');
  const scale = box.width / wall.size[0];
  return { x: box.x + x * scale, y: box.y + y * scale };
}
