// Pointer and keys sent to the application of a window: an application that draws at the pointer.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';

import { Browser } from '../support/browser.js';
import { waitFor } from '../support/patience.js';
import { Wall } from '../support/wall.js';
import { WallPage, waitForRect } from '../support/wall_page.js';

/** @type {Wall} */
let wall;
/** @type {Browser} */
let browser;
/** @type {WallPage} */
let page;
let window = 0;

/** The left tile. @type {[number, number, number, number]} */
const kPlace = [0, 0, 320, 180];

before(async () => {
  wall = await Wall.start();
  browser = await Browser.start();
  wall.start('draw_c');
  ({ window } = await waitFor(async () => (await wall.state()).windows[0], 'the application’s window'));
  await wall.call('place', { windows: [{ window, rect: kPlace }] });
});

after(async () => {
  await browser?.close();
  await wall?.close();
});

beforeEach(async () => {
  page = await WallPage.open(browser, wall, { hasTouch: true });
  await page.shown(window);
  await page.window(window).click();
});

afterEach(async () => {
  await page.page.context().close();
  assert.deepEqual(browser.wrongs(), []);
});

const frame = () => page.page.locator('.input-frame');

/** Counts the painted pixels of a rectangle of the wall. @param {[number, number, number, number]} rect */
async function painted(rect) {
  return (await wall.wallPixels()).count(rect, (rgb) => Math.min(...rgb) < 128);
}

/** Waits for a dot around each of these places. A stroke consists of dots; a faster page draws more of them. @param {...[number, number]} places */
function dotsAt(...places) {
  return waitFor(async () => {
    const picture = await wall.wallPixels();
    return places.every(([x, y]) => picture.count([x - 3, y - 3, 6, 6], (rgb) => Math.min(...rgb) < 128) >= 4);
  }, `dots at ${places.join(' and ')}`);
}

test('what is drawn on the page is drawn in the application, and nothing moves', async () => {
  await page.page.getByRole('button', { name: 'Control its application' }).click();
  await frame().waitFor();
  assert.equal(await painted([90, 80, 140, 20]), 0);
  await page.drag([100, 90], [220, 90]);
  await dotsAt([100, 90], [220, 90]);
  assert.equal(await painted([100, 20, 120, 40]), 0);
  assert.deepEqual((await wall.window(window)).rect, kPlace);
});

test('fingers draw as well', async () => {
  await page.page.keyboard.press('Enter');
  await frame().waitFor();
  await page.touch([[[60, 140]], [[80, 140]], [[100, 140]], [[120, 140]]]);
  await dotsAt([60, 140], [120, 140]);
});

test('keys and the wheel are the application’s until Escape is pressed twice', async () => {
  await page.page.keyboard.press('Enter');
  await frame().waitFor();
  await page.page.keyboard.press('ArrowRight');
  await page.page.keyboard.press('Escape');
  await waitFor(async () => (await painted(kPlace)) === 0, 'a clean sheet');
  await frame().waitFor();
  const [x, y] = await page.toPage([160, 90]);
  await page.page.mouse.move(x, y);
  for (let notch = 0; notch < 10; ++notch) await page.page.mouse.wheel(0, -100);
  await page.page.mouse.down();
  await page.page.mouse.up();
  await waitFor(async () => (await painted([158, 85, 4, 1])) > 0, 'a dot thicker than at first');
  assert.deepEqual((await wall.window(window)).rect, kPlace);
  await page.pressEscapeTwice();
  await frame().waitFor({ state: 'hidden' });
  await page.page.keyboard.press('Shift+ArrowRight');
  await waitForRect(wall, window, [10, 0, 320, 180], 0);
  await wall.call('place', { windows: [{ window, rect: kPlace }] });
});

test('the button leaves, and so does the window’s end', async () => {
  await page.page.keyboard.press('Enter');
  await frame().getByRole('button', { name: 'Leave' }).click();
  await frame().waitFor({ state: 'hidden' });
  await page.page.keyboard.press('Enter');
  await frame().waitFor();
  await wall.call('close', { window });
  await frame().waitFor({ state: 'hidden' });
});
