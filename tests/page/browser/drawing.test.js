// The pen draws on windows and on the wall by mouse, pen and finger, and the page shows everybody's strokes.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';

import { waitFor } from '../support/patience.js';
import { twoWindows } from '../support/two_windows.js';
import { WallPage, waitForRect } from '../support/wall_page.js';

/** @typedef {import('../support/wall_page.js').Point} Point */
/** @typedef {import('../support/wall_page.js').Rect} Rect */

/** @type {Rect} */
const kLeft = [40, 40, 160, 90];
/** @type {Rect} */
const kRight = [400, 60, 160, 90];

const made = twoWindows([kLeft, kRight], { hasTouch: true });
/** @type {import('../support/wall.js').Wall} */
let wall;
/** @type {WallPage} */
let page;
/** @type {[number, number]} */
let windows;
/** @type {import('../support/control.js').Control} */
let other;

beforeEach(async () => {
  ({ wall, page, windows } = made);
  other = await wall.client('other');
  await other.call('subscribe', { drawings: true });
  await page.page.locator('vt-wall').focus();
  await page.page.keyboard.press('d');
});

afterEach(async () => {
  await other.call('annotate_clear');
  other.close();
});

/** @param {string} name */
const choose = (name) => page.page.getByRole('toolbar', { name: 'Draw' }).getByRole('button', { name }).click();

/** The strokes that the manager reported first about this window. @param {number} [window] none: the wall */
async function drawn(window) {
  const all = () => other.notifications.filter(({ method }) => method === 'drawings').flatMap(({ params }) => params.drawings)
    .find((/** @type {any} */ drawing) => drawing.window === window);
  return (await waitFor(all, 'the stroke is drawn')).strokes;
}

/** Waits until these are the numbers of strokes on the wall and on the two windows. @param {number} onWall @param {number} left @param {number} right */
const counts = (onWall, left, right) => waitFor(async () => {
  const { strokes } = await wall.state();
  const [a, b] = [await wall.window(windows[0]), await wall.window(windows[1])];
  return strokes === onWall && (a.strokes ?? 0) === left && (b.strokes ?? 0) === right;
}, `${onWall}, ${left} and ${right} strokes`);

/** The ends of the only stroke there on a page, in wall pixels. @param {WallPage} on @param {string} where @returns {Promise<Rect>} */
async function strokeEnds(on, where) {
  const path = on.page.locator(`${where} path`);
  await path.waitFor({ state: 'attached' });
  const [start, end] = await path.evaluate((node) => {
    const line = /** @type {SVGPathElement} */ (node);
    const to = /** @type {DOMMatrix} */ (line.getScreenCTM());
    return [0, line.getTotalLength()].map((at) => {
      const point = line.getPointAtLength(at).matrixTransform(to);
      return [point.x, point.y];
    });
  });
  const [zero, one] = [await on.toPage([0, 0]), await on.toPage([1, 1])];
  const scale = one[0] - zero[0];
  return /** @type {Rect} */ ([...start, ...end].map((value, index) => (value - zero[index % 2]) / scale));
}

/** Waits until the only stroke there is from one point to another. @param {WallPage} on @param {string} where @param {Rect} wanted */
const leads = (on, where, wanted) => waitFor(async () => {
  const ends = await strokeEnds(on, where);
  return ends.every((value, index) => Math.abs(value - wanted[index]) < 3);
}, `the stroke leads from and to ${wanted}`);

test('a line on a window moves and grows with the window, on every page', async () => {
  const second = await WallPage.open(made.browser, wall);
  await page.drag([60, 60], [140, 100]);
  await counts(0, 1, 0);
  const where = `#window-${windows[0]} .strokes`;
  await leads(page, where, [60, 60, 140, 100]);
  await leads(second, where, [60, 60, 140, 100]);
  await wall.call('place', { windows: [{ window: windows[0], rect: [100, 0, 80, 45] }] });
  await second.shown(windows[0]);
  await leads(second, where, [110, 10, 150, 30]);
  await second.page.context().close();
});

test('a line on the bare wall stays there, above the windows', async () => {
  await page.drag([20, 20], [120, 80]);
  await counts(1, 0, 0);
  await leads(page, '.drawn', [20, 20, 120, 80]);
  await waitForRect(wall, windows[0], kLeft);
});

test('one stroke is one step, in the colour of the person', async () => {
  const { clients } = await wall.state();
  await page.press([60, 60], [100, 100]);
  assert.equal((await wall.window(windows[0])).strokes, undefined, 'it is sent when the pen is lifted');
  assert.equal(await page.page.locator(`#window-${windows[0]} .strokes path`).count(), 1, 'but shown at once');
  await page.page.mouse.move(...(await page.toPage([140, 60])), { steps: 5 });
  await page.page.mouse.up();
  await counts(0, 1, 0);
  const [stroke] = await drawn(windows[0]);
  assert.ok(clients.some((/** @type {any} */ client) => client.colour === stroke.colour));
  assert.ok(stroke.points.length <= 10, `${stroke.points.length / 2} points`);
  await page.page.keyboard.press('Control+z');
  await counts(0, 0, 0);
  await waitFor(async () => (await page.page.locator(`#window-${windows[0]} .strokes path`).count()) === 0, 'the page shows none');
});

test('an arrow and the highlighter', async () => {
  await choose('Arrow');
  await page.drag([60, 60], [140, 100]);
  await choose('Highlighter');
  await page.drag([420, 80], [520, 80]);
  await counts(0, 1, 1);
  const [arrow] = await drawn(windows[0]);
  assert.equal(arrow.arrow, true);
  const [broad] = await drawn(windows[1]);
  assert.ok(broad.opacity < 100);
  assert.ok(broad.width > arrow.width);
});

test('the eraser takes the person’s own strokes, the bin all', async () => {
  await wall.call('annotate', { window: windows[0], points: [[100, 50], [100, 120]] });
  await page.drag([80, 60], [80, 110]);
  await page.drag([300, 20], [300, 120]);
  await counts(1, 2, 0);
  await choose('Erase my strokes');
  await page.drag([60, 80], [320, 80]);
  await counts(0, 1, 0);
  await page.page.keyboard.press('Control+z');
  await counts(1, 2, 0);
  await choose('Remove all drawings');
  await counts(0, 0, 0);
});

test('Escape drops the stroke, and then leaves the pen', async () => {
  await page.press([60, 60], [140, 100]);
  await page.page.keyboard.press('Escape');
  await waitFor(async () => (await page.page.locator('.strokes path').count()) === 0, 'it is gone');
  await page.page.mouse.up();
  const draw = page.page.locator('[data-action=draw]');
  assert.equal(await draw.getAttribute('aria-pressed'), 'true');
  await page.page.keyboard.press('Escape');
  assert.equal(await draw.getAttribute('aria-pressed'), 'false');
  await page.holding('Alt', () => page.drag([100, 80], [120, 100]));
  await waitForRect(wall, windows[0], [60, 60, 160, 90]);
  await counts(0, 0, 0);
});

test('a finger draws, two fingers zoom the view and draw nothing', async () => {
  await page.touch([[[60, 60]], [[100, 80]], [[140, 100]]]);
  await counts(0, 1, 0);
  const before = await page.page.locator('.zoom').textContent();
  await page.touch([[[100, 80]], [[100, 80], [140, 80]], [[80, 80], [170, 80]], [[60, 80], [220, 80]]]);
  await waitFor(async () => (await page.page.locator('.zoom').textContent()) !== before, 'the view is zoomed');
  await counts(0, 1, 0);
});

test('a pen draws', async () => {
  const pen = await page.page.context().newCDPSession(page.page);
  for (const [place, type] of /** @type {[Point, 'mousePressed' | 'mouseMoved' | 'mouseReleased'][]} */ ([[[420, 80], 'mousePressed'], [[520, 120], 'mouseMoved'], [[520, 120], 'mouseReleased']])) {
    const [x, y] = await page.toPage(place);
    await pen.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', buttons: type === 'mouseReleased' ? 0 : 1, clickCount: 1, pointerType: 'pen' });
  }
  await counts(0, 0, 1);
});

test('a text is written where one presses, and grows with its window', async () => {
  await choose('Text');
  await page.drag([60, 60], [60, 60]);
  await page.page.keyboard.type('Exit left');
  assert.equal((await wall.window(windows[0])).strokes, undefined, 'not before Enter');
  await page.page.keyboard.press('Enter');
  await counts(0, 1, 0);
  const [text] = await drawn(windows[0]);
  assert.deepEqual(text.text, ['Exit left']);
  const shown = page.page.locator(`#window-${windows[0]} .strokes text`);
  assert.equal(await shown.textContent(), 'Exit left');
  const before = await shown.evaluate((node) => node.getBoundingClientRect().height);
  await wall.call('place', { windows: [{ window: windows[0], rect: [40, 40, 320, 180] }] });
  await waitFor(async () => (await shown.evaluate((node) => node.getBoundingClientRect().height)) > 1.8 * before, 'the text is larger');
  await choose('Erase my strokes');
  await page.drag([80, 60], [85, 180]);
  await counts(0, 0, 0);
});

test('Escape drops the text, a press elsewhere writes it', async () => {
  await choose('Text');
  await page.drag([60, 60], [60, 60]);
  await page.page.keyboard.type('never');
  await page.page.keyboard.press('Escape');
  await page.drag([420, 80], [420, 80]);
  await page.page.keyboard.type('kept');
  await page.drag([300, 20], [300, 20]);
  await counts(0, 0, 1);
  await page.page.keyboard.press('Escape');
  assert.equal(await page.page.locator('[data-action=draw]').getAttribute('aria-pressed'), 'true', 'the pen is still on');
});

test('a text is written by keys alone', async () => {
  await page.page.locator(`#window-${windows[1]}`).focus();
  await page.page.keyboard.press('Enter');
  await page.page.locator('[data-action=draw-text]').focus();
  await page.page.keyboard.press('Enter');
  await page.page.keyboard.type('by keys');
  await page.page.keyboard.press('Enter');
  await waitFor(async () => (await wall.state()).strokes + ((await wall.window(windows[1])).strokes ?? 0) === 1, 'it is written');
});

test('a text is as wide on the page as on the wall', async () => {
  await wall.call('annotate', { window: windows[0], points: [[45, 45]], text: ['WWWWWWWW', 'ii'], size: 10 });
  const shown = page.page.locator(`#window-${windows[0]} .strokes tspan`);
  await shown.first().waitFor({ state: 'attached' });
  const [wide, usual] = await shown.evaluateAll((lines) => lines.map((line) => [/** @type {SVGTSpanElement} */ (line).getComputedTextLength(), Number(line.getAttribute('font-size'))]));
  const widest = (10 * (8 * 6 - 1)) / 9;
  assert.ok(wide[0] > 0.95 * widest && wide[0] < 1.05 * widest, `${wide[0]} wall pixels, and at the receivers at most ${widest}`);
  assert.ok(wide[1] < usual[1], 'only this line is smaller');
});

test('a finger opens the field, and elsewhere writes the text', async () => {
  await choose('Text');
  /** @param {Point} at */
  const tap = async (at) => page.page.touchscreen.tap(.../** @type {Point} */ (await page.toPage(at)));
  for (const at of /** @type {Point[]} */ ([[60, 60], [420, 80], [300, 20]])) {
    await tap(at);
    await page.page.locator('.text-field:focus').waitFor();
    await page.page.keyboard.type('tapped');
  }
  await page.page.keyboard.press('Enter');
  await counts(1, 1, 1);
});

test('a refused text is still there in the next field', async () => {
  await choose('Text');
  await page.drag([60, 60], [60, 60]);
  await page.page.keyboard.type('turned\u202eround');
  await page.page.keyboard.press('Enter');
  await page.page.getByText('U+202E').first().waitFor();
  await page.drag([420, 80], [420, 80]);
  const field = page.page.locator('.text-field');
  assert.equal(await field.inputValue(), 'turned\u202eround');
  await page.page.keyboard.type('straight');
  await page.page.keyboard.press('Enter');
  await counts(0, 0, 1);
  await page.drag([60, 60], [60, 60]);
  assert.equal(await field.inputValue(), '', 'an accepted one is not');
});

test('keys write many texts in a low window', async () => {
  await page.page.locator(`#window-${windows[1]}`).focus();
  await page.page.keyboard.press('Enter');
  for (let texts = 1; texts <= 8; ++texts) {
    await page.page.locator('[data-action=draw-text]').focus();
    await page.page.keyboard.press('Enter');
    await page.page.keyboard.type(`text ${texts}`);
    await page.page.keyboard.press('Enter');
    await counts(0, 0, texts);
  }
});
