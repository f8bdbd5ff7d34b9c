// Placement of opened, dropped and dragged content: side by side, on the wall, clear of bezels.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { fixture, onPage, showPanel } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';
import { makeClip } from '../support/programs.js';
import { WallPage } from '../support/wall_page.js';

/** @typedef {import('../support/wall_page.js').Rect} Rect */

const made = fixture({
  grid: { columns: 2, rows: 2, resolution: [320, 180], mullion: [8, 8] },
  managerArguments: async (folder) => {
    const media = path.join(folder, 'media');
    mkdirSync(media);
    await makeClip(path.join(media, 'one.mp4'), { seconds: 10 });
    for (const name of ['two', 'three']) copyFileSync(path.join(media, 'one.mp4'), path.join(media, `${name}.mp4`));
    return ['--media', media];
  },
});

/** @param {number} count @returns {Promise<{window: number, rect: Rect, partition?: string}[]>} the windows, as soon as there are `count` */
const windows = (count) => waitFor(async () => {
  const { windows: all } = await made.wall.state();
  return all.length === count && all;
}, `${count} windows`);

/** @param {Rect[]} rects */
function apart(rects) {
  return rects.every(([x, y, w, h], i) => x >= 0 && y >= 0 && x + w <= made.wall.size[0] && y + h <= made.wall.size[1]
    && rects.slice(0, i).every(([u, v, p, q]) => x + w <= u || u + p <= x || y + h <= v || v + q <= y));
}

test('sources that are clicked one after the other do not cover each other', async () => {
  const page = await made.open();
  const panel = await showPanel(page, 'sources');
  for (const [i, name] of ['one', 'two', 'three'].entries()) {
    await panel.getByRole('button', { name: new RegExp(`^Play ${name}`) }).click();
    await windows(i + 1);
  }
  const rects = (await windows(3)).map(({ rect }) => rect);
  assert.ok(apart(rects), `they stand at ${rects.join(' and ')}`);
});

test('a ghost shows where a source goes, also at the edge of the wall', async () => {
  const page = await made.open();
  const panel = await showPanel(page, 'sources');
  await panel.getByRole('button', { name: /^Play one/ }).hover();
  await page.mouse.down();
  const to = await onPage(page, made.wall, 645, 4);
  await page.mouse.move(to.x, to.y, { steps: 5 });
  const ghost = page.locator('.ghost');
  await ghost.waitFor();
  const shown = await waitFor(async () => {
    const box = await ghost.boundingBox();
    return box && box.y < to.y && box.x + box.width > to.x ? box : null;
  }, 'the ghost is at the corner');
  await page.mouse.up();
  const [{ window, rect }] = await windows(1);
  assert.ok(apart([rect]), `it stands at ${rect}`);
  await ghost.waitFor({ state: 'detached' });
  const box = await waitFor(() => page.locator(`#window-${window}`).boundingBox(), 'the page shows it');
  for (const side of /** @type {const} */ (['x', 'y', 'width', 'height'])) assert.ok(Math.abs(box[side] - shown[side]) <= 2, `${side} is as the ghost showed it`);
});

test('a grid fills tiles, and bezels are drawn over windows', async () => {
  for (let i = 0; i < 4; ++i) await made.wall.play('test:160x90@5', { place: [10 * i, 10, 160, 90] });
  const page = await made.open();
  const panel = await showPanel(page, 'arrange');
  await panel.getByRole('button', { name: 'Grid' }).click();
  const tiles = (await made.wall.state()).wall.tiles.map((/** @type {any} */ { at, size }) => [...at, ...size].join());
  await waitFor(async () => (await windows(4)).every(({ rect }) => tiles.includes(rect.join())), 'each window fills a tile');
  const bezels = page.locator('.over .bezels path');
  assert.equal(await bezels.evaluate((path) => /** @type {SVGPathElement} */ (path).getBBox().width), made.wall.size[0]);
  assert.ok(await bezels.evaluate((path) => {
    const layers = document.querySelectorAll('.layer');
    return [...layers].indexOf(/** @type {Element} */ (path.closest('.layer'))) > [...layers].indexOf(/** @type {Element} */ (document.querySelector('.layer.windows')));
  }), 'they lie over the windows');
});

test('a window dropped into a partition shares it, in one step', async () => {
  await made.wall.call('partition', { action: 'grid', columns: 2, rows: 1 });
  const there = await made.wall.play('test:160x90@5', { place: [0, 0, 320, 180] });
  const dragged = await made.wall.play('test:160x90@5', { place: [400, 200, 160, 90] });
  const page = new WallPage(await made.open(), made.wall);
  await page.shown(dragged);
  await page.drag([480, 240], [160, 90]);
  await waitFor(async () => {
    const all = await windows(2);
    return all.every(({ partition }) => partition === '1') && apart(all.map(({ rect }) => rect));
  }, 'both stand in it, side by side');
  await page.page.locator('#undo').click();
  await waitFor(async () => (await made.wall.window(dragged)).rect.join() === '400,200,160,90', 'one undo takes it back');
  assert.deepEqual((await made.wall.window(there)).rect, [0, 0, 320, 180]);
  await made.wall.call('partition', { action: 'clear' });
});

test('what is dragged comes to the front, unless somebody does not want that', async () => {
  const [below, above] = [await made.wall.play('test:160x90@5', { place: [20, 20, 160, 90] }), await made.wall.play('test:160x90@5', { place: [100, 60, 160, 90] })];
  const order = async () => (await made.wall.state()).windows.map((/** @type {any} */ { window }) => window).join();
  const page = new WallPage(await made.open(), made.wall);
  await page.shown(above);
  await page.holding('Alt', () => page.drag([40, 40], [50, 45]));
  await waitFor(async () => (await order()) === `${above},${below}`, 'it is in front');
  await page.page.locator('#undo').click();
  await waitFor(async () => (await order()) === `${below},${above}`, 'undo puts it back');
  await page.shown(below);
  const panel = await showPanel(page.page, 'arrange');
  await panel.getByLabel('Dragged windows come to the front').uncheck();
  await page.holding('Alt', () => page.drag([40, 40], [50, 45]));
  await waitFor(async () => (await made.wall.window(below)).rect[0] === 30, 'it moved');
  assert.equal(await order(), `${below},${above}`);
});
