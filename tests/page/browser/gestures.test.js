// Windows moved and resized by hand; the results are checked in the manager's state and on the tiles.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { waitFor } from '../support/patience.js';
import { twoWindows } from '../support/two_windows.js';
import { waitForRect } from '../support/wall_page.js';

/** @typedef {import('../support/wall_page.js').Rect} Rect */

// One window on each tile of 320 × 180; the tiles' centres are 328 pixels apart.
/** @type {Rect} */
const kLeft = [31, 37, 160, 90];
/** @type {Rect} */
const kRight = [419, 61, 160, 90];

const made = twoWindows([kLeft, kRight], { hasTouch: true });
/** @type {import('../support/wall.js').Wall} */
let wall;
/** @type {import('../support/wall_page.js').WallPage} */
let page;
/** @type {[number, number]} */
let windows;

beforeEach(() => {
  ({ wall, page, windows } = made);
});

test('a window is dragged, the wall follows while it is, and one undo takes it back', async () => {
  await page.page.keyboard.down('Alt');
  await page.press([100, 80], [140, 100]);
  await waitForRect(wall, windows[0], [71, 57, 160, 90]);
  const [x, y] = await page.toPage([160, 90]);
  await page.page.mouse.move(x, y, { steps: 4 });
  await page.page.mouse.up();
  await page.page.keyboard.up('Alt');
  await waitForRect(wall, windows[0], [91, 47, 160, 90]);
  await waitFor(async () => {
    const picture = await wall.wallPixels();
    const isDark = (/** @type {number[]} */ rgb) => rgb.every((part) => part < 24);
    return picture.count([91, 47, 160, 90], isDark) < 160 * 90 / 2 && picture.count([31, 37, 58, 90], isDark) === 58 * 90;
  }, 'the tiles show the window in its new place alone');
  await page.page.locator('#undo').click();
  await waitForRect(wall, windows[0], kLeft, 0);
});

test('edges jump to the tile’s, and Alt switches that off', async () => {
  await page.drag([100, 80], [100 - 29, 80 - 35]);
  await waitForRect(wall, windows[0], [0, 0, 160, 90], 0);
  await page.shown(windows[0]);
  await page.holding('Alt', () => page.drag([70, 45], [73, 47]));
  await waitForRect(wall, windows[0], [3, 2, 160, 90], 1);
});

test('guides show to what it jumps while it is dragged', async () => {
  await page.press([100, 80], [100 - 29, 80 - 35]);
  await page.page.locator('.guide.x').waitFor();
  await page.page.locator('.guide.y').waitFor();
  await page.page.mouse.up();
  await page.page.locator('.guide').first().waitFor({ state: 'detached' });
});

test('Escape takes the drag back', async () => {
  await page.press([100, 80], [200, 100]);
  await waitFor(async () => (await wall.window(windows[0])).rect[0] > 100, 'the wall follows');
  await page.page.keyboard.press('Escape');
  await waitForRect(wall, windows[0], kLeft, 0);
  await page.page.mouse.move(...(await page.toPage([300, 150])));
  await page.page.mouse.up();
  await page.shown(windows[0]);
  await waitForRect(wall, windows[0], kLeft, 0);
});

test('a corner keeps the aspect, with Shift it does not', async () => {
  await page.window(windows[0]).click();
  await page.holding('Alt', () => page.dragHandle('se', [64, 36]));
  await waitForRect(wall, windows[0], [31, 37, 224, 126]);
  await page.shown(windows[0]);
  await page.holding('Alt', () => page.holding('Shift', () => page.dragHandle('e', [40, 90])));
  await waitForRect(wall, windows[0], [31, 37, 264, 126]);
});

test('a handle jumps to the tile’s edge', async () => {
  await page.window(windows[0]).click();
  await page.holding('Shift', () => page.dragHandle('e', [126, 0]));
  await waitForRect(wall, windows[0], [31, 37, 289, 90], 0);
});

test('a rubber band selects, and what is selected moves together in one step', async () => {
  await page.drag([8, 8], [600, 170]);
  await page.selected(...windows);
  await page.holding('Alt', () => page.drag([100, 80], [110, 100]));
  await waitForRect(wall, windows[0], [41, 57, 160, 90]);
  await waitForRect(wall, windows[1], [429, 81, 160, 90]);
  await page.page.locator('#undo').click();
  await waitForRect(wall, windows[0], kLeft, 0);
  await waitForRect(wall, windows[1], kRight, 0);
});

test('selected windows are scaled together', async () => {
  await page.window(windows[0]).click();
  await page.window(windows[1]).click({ modifiers: ['Shift'] });
  await page.selected(...windows);
  await page.holding('Alt', () => page.dragHandle('se', [-274, -57]));
  await waitForRect(wall, windows[0], [31, 37, 80, 45], 3);
  await waitForRect(wall, windows[1], [225, 49, 80, 45], 3);
});

test('a locked window stays where it is', async () => {
  await page.window(windows[0]).click();
  await page.page.getByRole('button', { name: 'Lock or unlock' }).click();
  await waitFor(async () => (await wall.window(windows[0])).locked, 'it is locked');
  await page.page.locator(`#window-${windows[0]}.locked`).waitFor();
  await page.drag([100, 80], [200, 100]);
  await page.page.locator('.toast', { hasText: 'locked' }).waitFor();
  assert.deepEqual((await wall.window(windows[0])).rect, kLeft);
});

test('a double click maximises, another puts back', async () => {
  await page.window(windows[0]).dblclick();
  await waitFor(async () => (await wall.window(windows[0])).maximised, 'it is maximised');
  await page.shown(windows[0]);
  await page.window(windows[0]).dblclick();
  await waitForRect(wall, windows[0], kLeft, 0);
});

test('a window let go over a partition goes into it', async () => {
  await wall.call('move', { window: windows[1], x: 480, y: 61 }); // only a part of the window is there
  await wall.call('partition', { action: 'set', name: 'stage', rect: [340, 10, 240, 160] });
  await page.page.locator('.partition[data-partition=stage]').waitFor();
  await page.press([100, 80], [460, 80]);
  await page.page.locator('.partition.aimed').waitFor();
  await page.page.mouse.up();
  await waitForRect(wall, windows[0], [340, 22, 240, 135], 1);
  await waitFor(async () => (await wall.window(windows[0])).partition === 'stage', 'it is in the partition');
});

test('the menu brings to front, sends back, fits and closes', async () => {
  const menu = page.page.getByRole('menu');
  const order = async () => (await wall.state()).windows.map((/** @type {any} */ window) => window.window);
  const extra = await wall.play('test:320x180@10', { place: [200, 100, 64, 36] });
  await page.shown(extra);
  await page.window(windows[0]).click({ button: 'right' });
  await menu.getByRole('menuitem', { name: 'Bring to front' }).click();
  await waitFor(async () => (await order()).at(-1) === windows[0], 'it is in front');
  await page.window(windows[0]).click({ button: 'right' });
  await menu.getByRole('menuitem', { name: 'Send to back' }).click();
  await waitFor(async () => (await order())[0] === windows[0], 'it is at the back');
  await page.window(windows[1]).click({ button: 'right' });
  await menu.getByRole('menuitem', { name: 'Fit to its tile' }).click();
  await waitForRect(wall, windows[1], [328, 0, 320, 180], 0);
  await page.window(extra).click({ button: 'right' });
  await menu.getByRole('menuitem', { name: 'Close' }).click();
  await waitFor(async () => !(await wall.window(extra)), 'it is closed');
  await page.window(extra).waitFor({ state: 'detached' });
});

test('one finger drags a window, two resize it', async () => {
  await page.touch([[[100, 80]], [[120, 90]], [[130, 100]], [[141, 110]]]);
  await waitFor(async () => (await wall.window(windows[0])).rect[0] > 50, 'it has moved');
  await page.shown(windows[0]);
  const [x, y, width, height] = (await wall.window(windows[0])).rect;
  const [cx, cy] = [x + width / 2, y + height / 2];
  await page.touch([10, 12, 14, 16, 18, 20].map((half, index) => (index ? [[cx - half, cy], [cx + half, cy]] : [[cx - half, cy]])));
  await waitFor(async () => (await wall.window(windows[0])).rect[2] > width * 1.3, 'it is larger');
  const grown = (await wall.window(windows[0])).rect;
  assert.ok(Math.abs(grown[2] / grown[3] - 16 / 9) < 0.05, `the aspect is kept: ${grown}`);
});

test('a pen drags a window', async () => {
  const [from, to] = [await page.toPage([100, 80]), await page.toPage([180, 110])];
  const pen = await page.page.context().newCDPSession(page.page);
  const tell = (/** @type {'mousePressed' | 'mouseMoved' | 'mouseReleased'} */ type, /** @type {number[]} */ [x, y], /** @type {number} */ buttons) =>
    pen.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', buttons, clickCount: 1, pointerType: 'pen', modifiers: 1 /* Alt: no snapping */ });
  await page.page.evaluate(() => addEventListener('pointerdown', (event) => (document.body.dataset.pressed = event.pointerType)));
  await tell('mousePressed', from, 1);
  await tell('mouseMoved', [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2], 1);
  await tell('mouseMoved', to, 1);
  await tell('mouseReleased', to, 0);
  assert.equal(await page.page.evaluate(() => document.body.dataset.pressed), 'pen');
  await waitForRect(wall, windows[0], [111, 67, 160, 90]);
});

test('a finger at rest on a window opens its menu', async () => {
  const [x, y] = await page.toPage([100, 80]);
  const finger = await page.page.context().newCDPSession(page.page);
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  const menu = page.page.getByRole('menu');
  await menu.waitFor();
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await menu.getByRole('menuitem', { name: 'Lock' }).tap();
  await waitFor(async () => (await wall.window(windows[0])).locked, 'it is locked');
});

test('two fingers beside the windows zoom the view, and nothing moves', async () => {
  const before = await page.page.locator('.zoom').textContent();
  await page.touch([[[250, 165]], [[250, 165], [300, 165]], [[230, 165], [320, 165]], [[200, 165], [350, 165]]]);
  await waitFor(async () => (await page.page.locator('.zoom').textContent()) !== before, 'the view is zoomed');
  await page.page.keyboard.press('0');
  await waitFor(async () => (await page.page.locator('.zoom').textContent()) === before, 'the whole wall is shown');
  assert.deepEqual((await wall.window(windows[0])).rect, kLeft);
});

test('the middle button moves the view, and nothing on the wall', async () => {
  const [x, y] = await page.toPage([100, 80]);
  const [left, top] = await page.toPage([0, 0]);
  await page.page.mouse.move(x, y);
  await page.page.mouse.down({ button: 'middle' });
  await page.page.mouse.move(x + 60, y + 40, { steps: 5 });
  await page.page.mouse.up({ button: 'middle' });
  await waitFor(async () => {
    const [nowLeft, nowTop] = await page.toPage([0, 0]);
    return Math.abs(nowLeft - left - 60) < 1 && Math.abs(nowTop - top - 40) < 1;
  }, 'the wall is shown further right and down');
  await page.selected();
  await waitForRect(wall, windows[0], kLeft, 0);
});

test('a drag is one step of the history, in the name of who did it', async () => {
  const before = (await wall.call('history')).entries.at(-1).number;
  await page.holding('Alt', () => page.drag([100, 80], [120, 100]));
  await waitForRect(wall, windows[0], [51, 57, 160, 90]);
  await page.page.locator(`#window-${windows[0]} .by`, { hasText: 'Guest' }).waitFor();
  const { entries } = await wall.call('history');
  const added = entries.filter((/** @type {{number: number}} */ entry) => entry.number > before);
  assert.match(added.map((/** @type {{who: string}} */ entry) => entry.who).join(), /^Guest \d{3}$/);
});

test('the wheel with Shift zooms into the picture, and one undo takes it back', async () => {
  const look = async () => (await wall.window(windows[0])).look;
  await page.page.locator(`#window-${windows[0]}`).hover();
  await page.page.keyboard.down('Shift');
  for (let i = 0; i < 3; ++i) await page.page.mouse.wheel(0, -200);
  await waitFor(async () => (await look())?.crop !== undefined, 'a part is shown');
  await page.page.keyboard.up('Shift');
  assert.equal((await wall.window(windows[1])).look, undefined);
  await wall.call('undo');
  await waitFor(async () => (await look())?.crop === undefined, 'the whole picture is shown');
});
