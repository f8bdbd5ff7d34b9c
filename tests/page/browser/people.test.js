// Several people at one wall: each sees the others' changes, undo is shared, pointers appear in each other's pages.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Browser } from '../support/browser.js';
import { waitFor } from '../support/patience.js';
import { Wall } from '../support/wall.js';
import { WallPage, waitForRect } from '../support/wall_page.js';

/** @type {Wall} */
let wall;
/** @type {Browser} */
let browser;
/** @type {WallPage} */
let anna;
/** @type {WallPage} */
let ben;
let window = 0;

/** @param {WallPage} page @param {string} name @param {string} colour */
async function introduce(page, name, colour) {
  await page.page.locator('#people').click();
  await page.page.getByLabel('My name').fill(name);
  await page.page.getByLabel('Colour', { exact: true }).fill(colour);
  await page.page.getByRole('button', { name: 'Change', exact: true }).click();
  await waitFor(async () => (await wall.state()).clients.some((/** @type {any} */ client) => client.name === name), `${name} is there`);
  await page.ready();
}

before(async () => {
  wall = await Wall.start();
  browser = await Browser.start();
  window = await wall.play('test:320x180@10', { place: [40, 40, 160, 90] });
  [anna, ben] = [await WallPage.open(browser, wall), await WallPage.open(browser, wall)];
  await introduce(anna, 'Anna', '#c2477a');
  await introduce(ben, 'Ben', '#2f7fd0');
});

after(async () => {
  await browser?.close();
  await wall?.close();
});

test('each sees who is there', async () => {
  for (const page of [anna, ben]) {
    await page.page.locator('.person[title^=Anna]').waitFor();
    await page.page.locator('.person[title^=Ben]').waitFor();
  }
});

test('one’s changes show in the other’s page while they are made, with the name', async () => {
  await anna.shown(window);
  await anna.page.keyboard.down('Alt');
  await anna.press([100, 80], [200, 90]);
  await waitFor(async () => Math.abs((await ben.rectOf(window))[0] - 140) < 3, 'Ben sees it move');
  await anna.page.mouse.up();
  await anna.page.keyboard.up('Alt');
  await ben.page.locator(`#window-${window} .by`, { hasText: 'Anna' }).waitFor();
});

test('one takes back what the other did', async () => {
  await ben.page.locator('#undo[aria-label*="(Anna)"]').click();
  await waitForRect(wall, window, [40, 40, 160, 90], 0);
  await anna.page.locator('#redo:enabled').click();
  await waitForRect(wall, window, [140, 50, 160, 90]);
});

test('a pointer shows in the other’s page and on the wall, until it is turned off', async () => {
  const without = await wall.wallPixels();
  await anna.page.locator('#pointer-tool').click();
  const [x, y] = await anna.toPage([500, 120]);
  await anna.page.mouse.move(x, y, { steps: 3 });
  const pointer = ben.page.locator('.pointer', { hasText: 'Anna' });
  await pointer.waitFor();
  await waitFor(async () => {
    const [box, [px, py]] = [await pointer.boundingBox(), await ben.toPage([500, 120])];
    return box && Math.hypot(box.x - px, box.y - py) < 4;
  }, 'Ben sees it where it is');
  assert.equal(await anna.page.locator('.pointer').count(), 0);
  await waitFor(async () => (await wall.wallPixels()).differences(without, [490, 110, 60, 60]) > 20, 'the wall shows it');
  assert.ok(await pointer.locator('svg').isVisible());
  for (const style of ['laser', 'spotlight', 'magnifier', 'arrow']) {
    await anna.page.keyboard.press('Shift+P');
    const [x, y] = await anna.toPage([500, 120]);
    await anna.page.mouse.move(x + 1, y);
    await anna.page.mouse.move(x, y);
    await ben.page.locator(`.pointer[data-style=${style}]`).waitFor({ state: 'attached' });
    assert.equal(await pointer.locator('svg').isVisible(), style === 'arrow', `only an arrow is drawn as an arrow, not a ${style}`);
  }
  await anna.page.keyboard.press('p');
  await pointer.waitFor({ state: 'detached' });
  await waitFor(async () => (await wall.wallPixels()).differences(without, [490, 110, 60, 60]) === 0, 'it is off the wall');
});

test('who leaves is gone from the others’ pages', async () => {
  await anna.page.context().close();
  await ben.page.locator('.person[title^=Anna]').waitFor({ state: 'detached' });
  assert.deepEqual(browser.wrongs(), []);
});
