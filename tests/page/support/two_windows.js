// The setup of mouse and keyboard tests: a wall with two windows, which return to their places before each test, and a
// page that shows them. Node's test functions are registered here, so a file calls twoWindows() once, at its top.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach } from 'node:test';

import { Browser } from './browser.js';
import { Wall } from './wall.js';
import { WallPage } from './wall_page.js';

/** @typedef {import('./wall_page.js').Rect} Rect */

export class TwoWindows {
  /** @type {Wall} */
  wall = /** @type {any} */ (null);
  /** @type {Browser} */
  browser = /** @type {any} */ (null);
  /** A new page for each test. @type {WallPage} */
  page = /** @type {any} */ (null);
  /** The numbers of the left and the right window. @type {[number, number]} */
  windows = [0, 0];

  /** @param {[Rect, Rect]} places */
  constructor(places) {
    this.places = places;
  }

  /** Restores the initial state. */
  async reset() {
    await this.wall.call('partition', { action: 'clear' });
    for (const window of this.windows) await this.wall.call('lock', { window, on: false });
    await this.wall.call('place', { windows: this.windows.map((window, index) => ({ window, rect: this.places[index] })) });
  }
}

/**
 * @param {[Rect, Rect]} places of the windows, 16:9
 * @param {import('playwright-core').BrowserContextOptions} [options] of the pages
 */
export function twoWindows(places, options) {
  const made = new TwoWindows(places);
  before(async () => {
    [made.wall, made.browser] = await Promise.all([Wall.start(), Browser.start()]);
    made.windows = [await made.wall.play('test:320x180@10', { place: places[0] }), await made.wall.play('test:320x180@10', { place: places[1] })];
  });
  beforeEach(async () => {
    await made.reset();
    made.page = await WallPage.open(made.browser, made.wall, options);
    for (const window of made.windows) await made.page.shown(window);
  });
  afterEach(async () => {
    await made.page.page.context().close();
    assert.deepEqual(made.browser.wrongs(), []);
  });
  after(async () => {
    await made.browser?.close();
    await made.wall?.close();
  });
  return made;
}
