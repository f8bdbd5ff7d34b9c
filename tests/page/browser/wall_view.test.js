// The wall view: tiles, receivers, windows with thumbnails and figures; and reconnecting.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, afterEach, before, test } from 'node:test';

import { Browser } from '../support/browser.js';
import { waitFor } from '../support/patience.js';
import { makeClip } from '../support/programs.js';
import { Wall } from '../support/wall.js';
import { WallPage } from '../support/wall_page.js';

/** @type {Wall} */
let wall;
/** @type {Browser} */
let browser;

before(async () => {
  wall = await Wall.start();
  browser = await Browser.start();
});

after(async () => {
  await browser?.close();
  await wall?.close();
});

afterEach(async () => {
  for (const { window } of (await wall.state()).windows) await wall.call('close', { window });
});

test('tiles stand to scale, with their names and receivers', async () => {
  const page = await WallPage.open(browser, wall);
  const { wall: description } = await wall.state();
  for (const tile of description.tiles) {
    const node = page.page.locator(`.tile[data-tile="${tile.name}"]`);
    const [box, [x, y], [right, bottom]] = [await node.boundingBox(), await page.toPage(tile.at),
      await page.toPage([tile.at[0] + tile.size[0], tile.at[1] + tile.size[1]])];
    assert.ok(box && Math.abs(box.x - x) < 1 && Math.abs(box.y - y) < 1, 'it stands where it is on the wall');
    assert.ok(Math.abs(box.width - (right - x)) < 1 && Math.abs(box.height - (bottom - y)) < 1);
    assert.match((await node.textContent()) ?? '', new RegExp(`${tile.name}.*320 × 180.*${tile.receiver}`));
  }
  assert.equal(await page.page.title(), 'test · Vitrail');
  assert.deepEqual(browser.wrongs(), []);
});

test('a receiver that is gone shows, and shows again when it is back', async () => {
  const page = await WallPage.open(browser, wall);
  await wall.receivers[0].end('SIGKILL');
  await page.page.locator('.tile.dead', { hasText: 'is not connected' }).waitFor();
  await page.page.locator('.dead-mark').waitFor();
  wall.startReceiver('node1');
  await page.page.locator('.tile.dead').waitFor({ state: 'detached' });
  assert.deepEqual(browser.wrongs(), []);
});

test('a window shows its title and picture; codec and frame rate with the figures', async () => {
  const window = await wall.play('test:320x180@10');
  const page = await WallPage.open(browser, wall);
  await page.shown(window);
  const { codec } = await wall.window(window);
  assert.equal(await page.window(window).locator('.rate').textContent(), '');
  await wall.call('overlay', { on: true });
  await page.window(window).locator('.rate', { hasText: `${codec} · 10 fps` }).waitFor();
  await page.page.locator(`#window-${window}[aria-label*="${codec} · 10 fps"]`).waitFor();
  await wall.call('overlay', { on: false });
  await waitFor(async () => (await page.window(window).locator('.rate').textContent()) === '', 'figures are off again');
  const picture = page.window(window).locator('img.thumbnail');
  await picture.waitFor();
  const [width, height] = await picture.evaluate((/** @type {HTMLImageElement} */ node) => [node.naturalWidth, node.naturalHeight]);
  assert.ok(width >= 64 && Math.abs(width / height - 16 / 9) < 0.1, `a picture of ${width} × ${height}`);
  const first = await picture.getAttribute('src');
  await waitFor(async () => (await picture.getAttribute('src')) !== first, 'the next picture');
  assert.deepEqual(browser.wrongs(), []);
});

test('pictures are asked for only while the page is looked at', async () => {
  const window = await wall.play('test:320x180@10');
  const page = await WallPage.open(browser, wall);
  await page.shown(window);
  const picture = page.window(window).locator('img.thumbnail');
  await picture.waitFor();
  /** @type {any[]} */
  const asked = [];
  page.page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => {
    const message = JSON.parse(String(payload));
    if (message.method === 'watch_thumbnails') asked.push(message.params.windows);
  }));
  await page.page.reload();
  await page.ready();
  await waitFor(() => asked.at(-1)?.includes(window), 'its pictures are asked for');
  const look = (/** @type {'visible' | 'hidden'} */ state) => page.page.evaluate((now) => {
    Object.defineProperty(document, 'visibilityState', { value: now, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
  await look('hidden');
  await waitFor(() => asked.at(-1)?.length === 0, 'none are asked for');
  await look('visible');
  await waitFor(() => asked.at(-1)?.includes(window), 'they are asked for again');
  await picture.waitFor();
  const last = await picture.getAttribute('src');
  await waitFor(async () => (await picture.getAttribute('src')) !== last, 'the next picture comes');
  assert.deepEqual(browser.wrongs(), []);
});

test('HTML in a title shows as text', async () => {
  const title = '<img src=x onerror="document.title=1">.mp4';
  const window = await wall.play(await makeClip(path.join(wall.folder, title), { seconds: 1 }), { loop: true });
  const page = await WallPage.open(browser, wall);
  await page.shown(window);
  assert.equal(await page.window(window).locator('.title').textContent(), (await wall.window(window)).title);
  assert.equal(await page.page.locator('.title img').count(), 0);
  await page.window(window).click();
  await page.page.locator('.window-bar .name', { hasText: '<img' }).waitFor();
  assert.equal(await page.page.title(), 'test · Vitrail');
  assert.deepEqual(browser.wrongs(), []);
});

test('a reload comes back to the same state', async () => {
  const window = await wall.play('test:320x180@10', { place: [40, 40, 160, 90] });
  const page = await WallPage.open(browser, wall);
  await page.shown(window);
  await wall.call('lock', { window });
  await page.page.reload();
  await page.ready();
  await page.shown(window);
  await page.page.locator(`#window-${window}.locked`).waitFor();
  await wall.call('lock', { window, on: false });
  assert.deepEqual(browser.wrongs(), []);
});

test('a lost connection is told, and the page comes back by itself', async () => {
  const page = await WallPage.open(browser, wall);
  await wall.killManager();
  await page.page.locator('#connection[data-phase=waiting]').waitFor();
  await page.page.locator('#offline', { hasText: 'No connection to the wall' }).waitFor();
  await wall.startManager();
  await page.ready();
  await page.page.locator('#offline').waitFor({ state: 'hidden' });
  const window = await wall.play('test:320x180@10');
  await page.shown(window);
  assert.deepEqual(browser.wrongs(/WebSocket connection to|ERR_CONNECTION_REFUSED/), []);
});

test('the view zooms by keys and wheel, and back to the whole wall', async () => {
  const page = await WallPage.open(browser, wall);
  const whole = await page.toPage([0, 0]);
  await page.page.keyboard.press('z');
  const [x] = await page.toPage([0, 0]);
  assert.ok(x < whole[0]);
  await page.page.mouse.move(...(await page.toPage([100, 90])));
  await page.page.keyboard.down('Control');
  await page.page.mouse.wheel(0, -200);
  await page.page.keyboard.up('Control');
  await waitFor(async () => (await page.toPage([0, 0]))[0] < x, 'it is larger');
  await page.page.keyboard.press('0');
  assert.deepEqual(await page.toPage([0, 0]), whole);
  assert.deepEqual(browser.wrongs(), []);
});

test('dark and light follow the system and the switch', async () => {
  const background = () => page.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const page = await WallPage.open(browser, wall, { colorScheme: 'dark' });
  const dark = await background();
  await page.page.emulateMedia({ colorScheme: 'light' });
  const light = await background();
  assert.notEqual(dark, light);
  await page.page.locator('#theme').click();
  assert.equal(await background(), dark);
  await page.page.reload();
  await page.ready();
  assert.equal(await background(), dark);
  assert.deepEqual(browser.wrongs(), []);
});

test('on a phone everything has its place', async () => {
  const window = await wall.play('test:320x180@10');
  const page = await WallPage.open(browser, wall, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.shown(window);
  assert.ok(await page.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the page');
  await page.window(window).tap();
  await page.selected(window);
  const buttons = await page.page.locator('.window-bar button:visible').all();
  assert.ok(buttons.length >= 4, 'the buttons that a narrow bar hides are few; the panel has these');
  for (const button of buttons) {
    const box = await button.boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 390 && box.height >= 44, 'buttons are in sight and large enough for a finger');
  }
  await page.page.locator('#tab-arrange').tap();
  await page.page.locator('vt-arrange').waitFor();
  await page.page.locator('#tab-arrange').tap();
  await page.page.locator('vt-arrange').waitFor({ state: 'hidden' });
  assert.deepEqual(browser.wrongs(), []);
});
