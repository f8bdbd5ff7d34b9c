// The wall by keyboard only.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { waitFor } from '../support/patience.js';
import { twoWindows } from '../support/two_windows.js';
import { waitForRect } from '../support/wall_page.js';

/** @typedef {import('../support/wall_page.js').Rect} Rect */

/** @type {Rect} */
const kLeft = [40, 40, 160, 90];
/** @type {Rect} */
const kRight = [400, 60, 160, 90];

const made = twoWindows([kLeft, kRight]);
/** @type {import('../support/wall.js').Wall} */
let wall;
/** @type {import('../support/wall_page.js').WallPage} */
let page;
/** @type {import('playwright-core').Keyboard} */
let keys;
/** @type {[number, number]} */
let windows;

beforeEach(() => {
  ({ wall, page, windows } = made);
  keys = page.page.keyboard;
});

/** Presses Tab until a window has the focus. */
async function tabToWindow() {
  for (let presses = 0; presses < 40; ++presses) {
    await keys.press('Tab');
    if (await page.page.evaluate(() => document.activeElement?.matches('.window'))) return;
  }
  assert.fail('Tab never comes to a window');
}

const focused = () => page.page.evaluate(() => Number(document.activeElement?.getAttribute('data-window') ?? 0));

test('Tab walks the windows from left to right and leaves', async () => {
  await tabToWindow();
  assert.equal(await focused(), windows[0]);
  await keys.press('Tab');
  assert.equal(await focused(), windows[1]);
  await page.selected(windows[1]);
  await keys.press('Tab');
  assert.equal(await focused(), 0);
  await keys.press('Shift+Tab');
  assert.equal(await focused(), windows[1]);
});

test('arrows move with Shift, with Ctrl further, with Alt by a pixel', async () => {
  await tabToWindow();
  await keys.press('Shift+ArrowRight');
  await keys.press('Control+ArrowRight');
  await keys.press('Alt+ArrowDown');
  await waitForRect(wall, windows[0], [150, 41, 160, 90], 0);
  await keys.press('Control+z');
  await waitFor(async () => {
    const [x, y] = (await wall.window(windows[0])).rect;
    return x !== 150 || y !== 41;
  }, 'it is taken back');
});

test('plus and minus size it about its middle', async () => {
  await tabToWindow();
  await keys.press('+');
  await waitForRect(wall, windows[0], [36, 38, 168, 95], 1);
  await keys.press('-');
  await waitForRect(wall, windows[0], kLeft, 1);
});

test('F fits to the tile, Shift F to the wall, M maximises and puts back', async () => {
  await tabToWindow();
  await keys.press('f');
  await waitForRect(wall, windows[0], [0, 0, 320, 180], 0);
  await keys.press('Shift+F');
  await waitForRect(wall, windows[0], [164, 0, 320, 180], 0);
  await keys.press('Control+z');
  await keys.press('Control+z');
  await waitForRect(wall, windows[0], kLeft, 0);
  await keys.press('m');
  await page.page.locator(`#window-${windows[0]}[aria-label*=maximised]`).waitFor();
  await keys.press('m');
  await waitForRect(wall, windows[0], kLeft, 0);
});

test('Shift R turns, Shift X mirrors, Shift O lets one see through', async () => {
  await tabToWindow();
  const look = async () => (await wall.window(windows[0])).look ?? {};
  // Wait until the page has received the change: the next key builds on it.
  /** @param {string[]} words */
  const says = (...words) => page.page.locator(`#window-${windows[0]}${words.map((word) => `[aria-label*="${word}"]`).join('')}`).waitFor();
  await keys.press('Shift+R');
  await says('turned by 90°');
  await keys.press('Shift+X');
  await says('turned by 90°', 'mirrored');
  await keys.press('Shift+R');
  await waitFor(async () => (await look()).rotate === undefined, 'clockwise, as one sees it');
  await page.page.locator(`#window-${windows[0]}:not([aria-label*="turned"])`).waitFor();
  await keys.press('Shift+X');
  await page.page.locator(`#window-${windows[0]}:not([aria-label*="mirrored"])`).waitFor();
  await keys.press('Shift+O');
  await says('50 %');
  assert.deepEqual(await look(), { opacity: 0.5 });
  await keys.press('Shift+O');
  await waitFor(async () => Object.keys(await look()).length === 0, 'as it was');
  await waitForRect(wall, windows[0], kLeft, 0);
});

test('brackets change the order, L locks', async () => {
  const order = async () => (await wall.state()).windows.map((/** @type {any} */ window) => window.window);
  await tabToWindow();
  await keys.press(']');
  await waitFor(async () => (await order()).at(-1) === windows[0], 'in front');
  await keys.press('[');
  await waitFor(async () => (await order())[0] === windows[0], 'at the back');
  await keys.press('l');
  await waitFor(async () => (await wall.window(windows[0])).locked, 'locked');
  await page.page.locator(`#window-${windows[0]}[aria-label*=locked]`).waitFor();
  await keys.press('Shift+ArrowRight');
  await keys.press('l');
  await waitFor(async () => !(await wall.window(windows[0])).locked, 'free');
  assert.deepEqual((await wall.window(windows[0])).rect, kLeft);
});

test('Ctrl A takes all, Delete closes, Ctrl Z brings back', async () => {
  const extra = await wall.play('test:320x180@10', { place: [250, 120, 64, 36] });
  await page.shown(extra);
  await keys.press('Control+a');
  await page.selected(...windows, extra);
  await page.window(extra).click();
  await keys.press('Delete');
  await waitFor(async () => !(await wall.window(extra)), 'it is closed');
  await page.page.locator('#undo[aria-label*=closed]').waitFor();
  await keys.press('Control+z');
  await waitFor(async () => (await wall.state()).windows.length === 3, 'its content is back');
  const { windows: all } = await wall.state();
  await wall.call('close', { window: all.find((/** @type {any} */ one) => !windows.includes(one.window)).window });
});

test('what is moved by keys is said', async () => {
  await tabToWindow();
  await keys.press('Shift+ArrowRight');
  await page.page.locator('#live', { hasText: '50, 40' }).waitFor({ state: 'attached' });
});

test('? lists the keys, Escape closes the list', async () => {
  await keys.press('?');
  const dialog = page.page.getByRole('dialog', { name: 'Keys and gestures' });
  await dialog.getByText('Bring to front').waitFor();
  await keys.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('the palette finds and does', async () => {
  await keys.press('Control+k');
  await page.page.getByRole('dialog', { name: 'Find anything' }).waitFor();
  await keys.type('tiles names');
  await page.page.locator('#found li').first().waitFor();
  await keys.press('Enter');
  await waitFor(async () => (await wall.state()).identify, 'the tiles show their names');
  await wall.call('identify', { on: false });
});

test('letters act on the wall only while it has the focus', async () => {
  await keys.press('i');
  await page.page.locator('#tab-stats').click();
  await keys.press('i');
  await keys.press('Control+k');
  await keys.press('Escape');
  await page.page.locator('dialog').waitFor({ state: 'detached' });
  assert.equal((await wall.state()).identify, false);
  await tabToWindow();
  await keys.press('i');
  await waitFor(async () => (await wall.state()).identify, 'the tiles show their names');
  await wall.call('identify', { on: false });
});

test('letters and signs can be turned off, and stay so', async () => {
  const choice = page.page.getByLabel('Single-key shortcuts');
  const dialog = page.page.getByRole('dialog');
  await keys.press('?');
  await choice.uncheck();
  await keys.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.page.reload();
  await page.ready();
  await page.shown(windows[0]);
  await tabToWindow();
  for (const key of ['?', 'f', 'Shift+F', 'l', '+', '0']) await keys.press(key);
  await keys.press('Shift+ArrowRight');
  await waitForRect(wall, windows[0], [50, 40, 160, 90], 0);
  assert.ok(!(await wall.window(windows[0])).locked);
  assert.equal(await dialog.count(), 0);
  await page.page.locator('#help').click();
  await choice.check();
  await keys.press('Escape');
  await tabToWindow();
  await keys.press('l');
  await waitFor(async () => (await wall.window(windows[0])).locked, 'locked');
});

test('the palette finds windows, panels, sessions, layouts and sources', async () => {
  const found = page.page.locator('#found li');
  /** Types this into the palette and waits until it is the first result. @param {string} text @param {string} kind */
  const find = async (text, kind) => {
    await keys.press('Control+k');
    await keys.type(text);
    await found.first().filter({ hasText: kind }).waitFor();
    assert.ok((await found.first().innerText()).toLowerCase().includes(text.toLowerCase()));
    await keys.press('Enter');
    await page.page.locator('dialog').waitFor({ state: 'detached' });
  };
  await wall.call('session_save', { name: 'Monday' });
  await wall.call('layout_save', { name: 'Aside' });
  await page.page.getByRole('tab', { name: 'Arrange' }).click();
  await find('test:320', `window`);
  await waitFor(async () => windows.includes(await focused()), 'it has the focus');
  await find('History', 'panel');
  await page.page.locator('vt-history').waitFor();
  await wall.call('place', { windows: [{ window: windows[0], rect: [0, 0, 160, 90] }] });
  await find('Aside', 'layout');
  await waitForRect(wall, windows[0], kLeft, 0);
  await find('Monday', 'session');
  await page.page.getByRole('button', { name: 'Replace all windows?: Monday' }).waitFor();
  await find('Test card 1280', 'source');
  const extra = await waitFor(async () => (await wall.state()).windows.find((/** @type {any} */ one) => !windows.includes(one.window)), 'the source is on the wall');
  await wall.call('close', { window: extra.window });
  await wall.call('session_remove', { name: 'Monday' });
  await wall.call('layout_remove', { name: 'Aside' });
});

test('the palette says when nothing is found, and one Escape closes it', async () => {
  await keys.press('Control+k');
  await keys.type('no such thing');
  const dialog = page.page.getByRole('dialog', { name: 'Find anything' });
  await dialog.getByText('Nothing found for “no such thing”.').waitFor();
  await keys.press('Enter');
  await dialog.waitFor();
  await keys.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('after the palette the focus is on the wall', async () => {
  await page.page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
  await keys.press('Control+k');
  await keys.type('zoom in');
  await keys.press('Enter');
  assert.equal(await page.page.evaluate(() => document.activeElement?.localName), 'vt-wall');
});

test('keys in a field are the field’s', async () => {
  await page.window(windows[0]).click();
  await page.page.locator('#people').click();
  const name = page.page.getByLabel('My name');
  await name.fill('');
  await name.press('Delete');
  await name.pressSequentially('mfl');
  assert.equal(await name.inputValue(), 'mfl');
  assert.ok(await wall.window(windows[0]));
  assert.deepEqual((await wall.window(windows[0])).rect, kLeft);
});

test('everything that can be pressed has a name', async () => {
  await page.window(windows[0]).click();
  const nameless = await page.page.locator('button, [role=option], [role=tab]').evaluateAll((nodes) =>
    nodes.filter((node) => !(node.getAttribute('aria-label') || node.textContent?.trim())).map((node) => node.outerHTML));
  assert.deepEqual(nameless, []);
});
