// No control overlaps another, on any page size: phones upright and on their side, tablets, desktops, at 200 %.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';

import { smallTargets, wrongBoxes } from '../support/boxes.js';
import { connected, fixture, showPanel } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';
import { makeClip } from '../support/programs.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{width: number, height: number}} Size CSS pixels */

const kPanels = ['sources', 'arrange', 'sessions', 'inspector', 'stats', 'history'];
/** @type {Size[]} */
const kUpright = Array.from({ length: 17 }, (_, index) => ({ width: 320 + 80 * index, height: 800 }));
/** Sizes of phones on their side. @type {Size[]} */
const kLow = [360, 390, 420].flatMap((height) => [568, 640, 740, 844, 932].map((width) => ({ width, height })));
/** Browser windows 640 to 1600 pixels wide, at 200 %. @type {Size[]} */
const kMagnified = Array.from({ length: 7 }, (_, index) => ({ width: 320 + 80 * index, height: 400 }));

const made = fixture();

async function threeWindows() {
  const numbers = [];
  for (const x of [10, 200, 420]) numbers.push(await made.wall.play('test:160x90@5', { place: [x, 20, 160, 90] }));
  return numbers;
}

/** Selects the first `count` windows by keys, because other elements may cover them for a pointer. @param {Page} page @param {number[]} numbers @param {number} count */
async function selectSome(page, numbers, count) {
  await page.locator(`#window-${numbers[0]}`).focus();
  await page.keyboard.press(count === numbers.length ? 'Control+a' : 'Escape');
  if (count === 1) await page.keyboard.press('Control+Space');
  await waitFor(async () => (await page.locator('.window[aria-selected=true]').count()) === count, `${count} are selected`);
}

/** @param {Page} page @param {boolean} open */
async function setPanel(page, open) {
  const isOpen = () => page.locator('#panels').isVisible();
  if ((await isOpen()) === open) return;
  await page.locator('[role=tab][aria-selected=true], #tab-inspector').last().click();
  await waitFor(async () => (await isOpen()) === open, open ? 'the panel is open' : 'the panel is closed');
}

/** @param {Page} page @param {Size} size */
async function lookAt(page, size) {
  await page.setViewportSize(size);
  // The view follows its new size in the next animation frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** @param {Page} page @param {Size[]} sizes @param {number[]} numbers */
async function checkAll(page, sizes, numbers) {
  await showPanel(page, 'inspector');
  /** @type {string[]} */
  const wrongs = [];
  for (const count of [0, 1, 3]) {
    await lookAt(page, { width: 1280, height: 800 });
    await selectSome(page, numbers, count);
    for (const size of sizes) {
      await lookAt(page, size);
      const short = size.width <= 760 || size.height <= 560;
      for (const open of short ? [true, false] : [true]) {
        await setPanel(page, open);
        const found = await wrongBoxes(page);
        wrongs.push(...found.map((wrong) => `${size.width} × ${size.height}, ${count} selected, panel ${open ? 'open' : 'closed'}: ${wrong}`));
      }
      const { width, height } = await page.locator('vt-wall').evaluate((node) => node.getBoundingClientRect());
      if (short && width * height < 0.5 * size.width * size.height) wrongs.push(`${size.width} × ${size.height}: the wall has ${width} × ${height}`);
      if (short) await setPanel(page, true);
    }
  }
  assert.deepEqual(wrongs, []);
}

for (const [name, sizes, options] of /** @type {const} */ ([
  ['from phones to desktops', kUpright, {}],
  ['on phones on their side', kLow, { hasTouch: true }],
  ['at 200 %', kMagnified, { deviceScaleFactor: 2 }],
])) {
  test(`${name} all controls have a place of their own`, async () => {
    const numbers = await threeWindows();
    const page = await made.open(options);
    for (const number of numbers) await page.locator(`#window-${number}`).waitFor();
    await checkAll(page, sizes, numbers);
  });
}

test('so have those of every panel', async () => {
  const numbers = await threeWindows();
  await made.wall.call('session_save', { name: 'A session with quite a long name' });
  await made.wall.call('layout_save', { name: 'A layout' });
  const page = await made.open();
  await page.locator(`#window-${numbers[0]}`).click();
  for (const name of kPanels) {
    await showPanel(page, name);
    for (const size of [{ width: 320, height: 640 }, { width: 768, height: 1024 }, { width: 844, height: 390 }, { width: 1440, height: 900 }]) {
      await lookAt(page, size);
      await setPanel(page, true);
      assert.deepEqual(await wrongBoxes(page), [], `${name} at ${size.width} × ${size.height}`);
    }
    await lookAt(page, { width: 1280, height: 800 });
  }
  await made.wall.call('session_remove', { name: 'A session with quite a long name' });
  await made.wall.call('layout_remove', { name: 'A layout' });
});

test('so have those of menus and dialogs', async () => {
  const [number] = await threeWindows();
  const page = await made.open();
  for (const size of [{ width: 320, height: 640 }, { width: 640, height: 360 }, { width: 1280, height: 800 }]) {
    await lookAt(page, size);
    for (const open of [() => page.locator(`#window-${number}`).click({ button: 'right' }), () => page.keyboard.press('Control+k'), () => page.keyboard.press('?')]) {
      await open();
      await page.locator('[role=menu], dialog[open]').waitFor();
      assert.deepEqual(await wrongBoxes(page), [], `${size.width} × ${size.height}`);
      await page.keyboard.press('Escape');
      await page.locator('[role=menu], dialog[open]').waitFor({ state: 'detached' });
    }
  }
});

test('on a phone, all controls are large enough for a finger', async () => {
  const film = await makeClip(path.join(made.wall.folder, 'harbour.mp4'), { seconds: 20 });
  const numbers = [await made.wall.play(film, { place: [10, 20, 160, 90], loop: true }), await made.wall.play('test:160x90@5', { place: [200, 20, 160, 90] })];
  await made.wall.call('session_save', { name: 'Monday' });
  const wrongs = [];
  for (const options of [{ viewport: { width: 390, height: 844 } }, { viewport: { width: 360, height: 740 }, locale: 'de-DE' }]) {
    const page = await made.open({ ...options, hasTouch: true, isMobile: true });
    for (const number of numbers) await page.locator(`#window-${number}`).waitFor();
    wrongs.push(...await smallTargets(page));
    await selectSome(page, numbers, 1);
    for (const name of kPanels) {
      await showPanel(page, name);
      await page.locator('#panels').evaluate((panels) => panels.scrollTo(0, panels.scrollHeight));
      wrongs.push(...[...await smallTargets(page), ...await wrongBoxes(page)].map((wrong) => `${name}: ${wrong}`));
    }
  }
  assert.deepEqual(wrongs, []);
  await made.wall.call('session_remove', { name: 'Monday' });
});

test('a press that selects a window does not move the wall', async () => {
  const [number] = await threeWindows();
  for (const viewport of [{ width: 390, height: 844 }, { width: 800, height: 600 }, { width: 844, height: 390 }]) {
    const page = await made.open({ viewport, hasTouch: true });
    await connected(page);
    const window = page.locator(`#window-${number}`);
    const before = await window.boundingBox();
    await window.click();
    await page.locator('.window-bar').waitFor();
    assert.deepEqual(await window.boundingBox(), before, `${viewport.width} × ${viewport.height}`);
  }
});

test('what is said does not cover what can be pressed', async () => {
  await threeWindows();
  const page = await made.open({ viewport: { width: 390, height: 844 } });
  await page.locator('.window').first().click();
  await page.locator('#theme').click();
  await page.locator('.toast').waitFor();
  assert.deepEqual(await wrongBoxes(page), []);
});
