// The pointer tool moves nothing on the wall, by mouse, pen or finger.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';

import { waitFor } from '../support/patience.js';
import { twoWindows } from '../support/two_windows.js';
import { waitForRect } from '../support/wall_page.js';

/** @typedef {import('../support/wall_page.js').Point} Point */
/** @typedef {import('../support/wall_page.js').Rect} Rect */

/** @type {Rect} */
const kLeft = [40, 40, 160, 90];
/** @type {Rect} */
const kRight = [400, 60, 160, 90];

const made = twoWindows([kLeft, kRight], { hasTouch: true });
/** @type {import('../support/wall.js').Wall} */
let wall;
/** @type {import('../support/wall_page.js').WallPage} */
let page;
/** @type {[number, number]} */
let windows;
/** @type {import('../support/control.js').Control} */
let other;

beforeEach(async () => {
  ({ wall, page, windows } = made);
  other = await wall.client('other');
  await other.call('subscribe', { pointers: true });
  await page.page.locator('#pointer-tool').click();
});

afterEach(() => other.close());

/** All pointers of each notification so far, the newest last. */
const pointers = () => other.notifications.filter(({ method }) => method === 'pointers').map(({ params }) => params.pointers);

/** Waits until a pointer was reported at this place of the wall. @param {Point} at @param {boolean} pressed */
function pointedAt([x, y], pressed) {
  return waitFor(() => pointers().some((all) => all.some((/** @type {any} */ one) => one.pressed === pressed && Math.hypot(one.at[0] - x, one.at[1] - y) < 4)), `it points at ${x}, ${y}`);
}

/** Checks that nothing has moved, nothing is selected and no menu is open. */
async function untouched() {
  await page.page.keyboard.press('p'); // turns the tool off; earlier events have been processed when this one has
  await waitFor(() => pointers().at(-1)?.length === 0, 'the pointer is off the wall');
  assert.deepEqual((await wall.window(windows[0])).rect, kLeft);
  assert.deepEqual((await wall.window(windows[1])).rect, kRight);
  await page.selected();
  assert.equal(await page.page.getByRole('menu').count(), 0);
}

test('a key takes the next style', async () => {
  await page.page.keyboard.press('Shift+P');
  await page.press([100, 80], [200, 120]);
  await waitFor(() => pointers().some((all) => all.some((/** @type {any} */ one) => one.style === 'laser')), 'it is a laser');
  await page.page.mouse.up();
  await untouched();
});

test('a mouse that points drags nothing, and drags again when it does not point', async () => {
  await page.press([100, 80], [200, 120]);
  await pointedAt([200, 120], true);
  await page.page.mouse.up();
  await pointedAt([200, 120], false);
  await page.window(windows[1]).dblclick();
  await untouched();
  await page.holding('Alt', () => page.drag([100, 80], [120, 100]));
  await waitForRect(wall, windows[0], [60, 60, 160, 90]);
});

test('a handle is not taken either', async () => {
  await page.page.locator('#pointer-tool').click();
  await page.window(windows[0]).click();
  await page.page.locator('.handle.se').waitFor();
  await page.page.locator('#pointer-tool').click();
  await page.page.locator('.handle.se').waitFor({ state: 'hidden' });
  await page.press([200, 130], [260, 160]);
  await pointedAt([260, 160], true);
  await page.page.mouse.up();
  assert.deepEqual((await wall.window(windows[0])).rect, kLeft);
});

/** Puts a finger down and moves it each time the previous place was reported. @param {Point[]} places wall pixels */
async function point(places) {
  const finger = await page.page.context().newCDPSession(page.page);
  for (const [index, place] of places.entries()) {
    const [x, y] = await page.toPage(place);
    await finger.send('Input.dispatchTouchEvent', { type: index ? 'touchMove' : 'touchStart', touchPoints: [{ x, y }] });
    await pointedAt(place, true);
  }
  return () => finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

test('a finger points where it is, from its first touch on', async () => {
  const lift = await point([[100, 80], [160, 100], [200, 120]]);
  await lift();
  await waitFor(() => pointers().at(-1)?.length === 0, 'the finger is gone, and so is the pointer');
  await untouched();
});

test('a finger that rests points and opens no menu', async () => {
  const menu = page.page.getByRole('menu');
  // Timers fire at once, so every press counts as a long press.
  await page.page.evaluate(() => (window.setTimeout = /** @type {any} */ ((/** @type {() => void} */ run) => (run(), 0))));
  await (await point([[100, 80]]))();
  await untouched();
  await page.touch([[[100, 80]]]);
  await menu.waitFor();
});

test('a pen points', async () => {
  const pen = await page.page.context().newCDPSession(page.page);
  for (const [place, type] of /** @type {[Point, 'mousePressed' | 'mouseMoved'][]} */ ([[[100, 80], 'mousePressed'], [[180, 110], 'mouseMoved']])) {
    const [x, y] = await page.toPage(place);
    await pen.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', buttons: 1, clickCount: 1, pointerType: 'pen' });
    await pointedAt(place, true);
  }
  const [x, y] = await page.toPage([180, 110]);
  await pen.send('Input.dispatchMouseEvent', { type: 'mouseReleased', x, y, button: 'left', buttons: 0, clickCount: 1, pointerType: 'pen' });
  await untouched();
});

test('two fingers still zoom the view', async () => {
  const before = await page.page.locator('.zoom').textContent();
  await page.touch([[[100, 80]], [[100, 80], [140, 80]], [[80, 80], [170, 80]], [[60, 80], [220, 80]]]);
  await waitFor(async () => (await page.page.locator('.zoom').textContent()) !== before, 'the view is zoomed');
  await untouched();
});
