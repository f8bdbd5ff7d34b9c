// Arranging all windows, partitions, and fitting the selection into a place: done in the page, checked in the manager's state.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fixture, onPage, select, showPanel } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';

const made = fixture();

/** @param {number} count */
async function cards(count) {
  const numbers = [];
  for (let i = 0; i < count; ++i) numbers.push(await made.wall.play('test:160x90@5', { place: [10 + 40 * i, 10, 160, 90] }));
  return numbers;
}

/** @param {number} number @param {(rect: number[]) => boolean} right @param {string} what */
function stands(number, right, what) {
  return waitFor(async () => right((await made.wall.window(number)).rect), what);
}

test('all windows side by side, in columns, and one of them large', async () => {
  const [first, second, third] = await cards(3);
  const page = await made.open();
  const panel = await showPanel(page, 'arrange');
  await panel.getByLabel('Columns of a grid').fill('3');
  await panel.getByRole('button', { name: 'Grid' }).click();
  await stands(third, ([x]) => x > 400, 'the third is in the right column');
  const tops = (await made.wall.state()).windows.map((/** @type {any} */ window) => window.rect[1]);
  assert.equal(new Set(tops).size, 1, 'one row');

  await select(page, second);
  await panel.getByRole('button', { name: 'Main + side' }).click();
  await stands(second, ([, , width]) => width > 300, 'the second is large');
  const rest = (await made.wall.window(first)).rect;
  assert.ok(rest[2] <= (await made.wall.window(second)).rect[2] / 2, 'the others are at most half as wide');

  await panel.getByRole('button', { name: 'By shape' }).click();
  await stands(second, ([, , width]) => width < 300, 'no window is larger than the others');
});

test('what stands on one tile is arranged there, and the rest stays', async () => {
  const [stays, ...moved] = await cards(3);
  const tile = (await made.wall.state()).wall.tiles[1];
  for (const window of moved) await made.wall.call('move', { window, x: tile.at[0] + 100, y: 20 });
  const before = (await made.wall.window(stays)).rect;
  const page = await made.open();
  const panel = await showPanel(page, 'arrange');
  await panel.getByRole('combobox', { name: 'Where', exact: true }).selectOption(`tile ${tile.name}`);
  await panel.getByLabel('Columns of a grid').fill('2');
  await panel.getByRole('button', { name: 'Grid' }).click();
  await stands(moved[0], ([x, , width]) => x >= tile.at[0] && x + width <= tile.at[0] + tile.size[0] / 2, 'it stands in the left half of the tile');
  await stands(moved[1], ([x]) => x >= tile.at[0] + tile.size[0] / 2, 'it stands in the right half');
  assert.deepEqual((await made.wall.window(stays)).rect, before);
});

test('partitions: a grid of them, one around the selection, filled, removed', async () => {
  const [number] = await cards(1);
  const page = await made.open();
  const panel = await showPanel(page, 'arrange');
  const partitions = async () => (await made.wall.state()).partitions;
  await panel.getByLabel('Columns', { exact: true }).fill('3');
  await panel.getByRole('button', { name: 'Divide the wall' }).click();
  await waitFor(async () => (await partitions()).length === 3, 'three partitions');

  const [, , last] = await partitions();
  await select(page, number);
  await panel.getByRole('combobox', { name: 'Place', exact: true }).selectOption(`partition ${last.name}`);
  await panel.getByRole('button', { name: 'Fill' }).click();
  await stands(number, (rect) => rect.join() === last.rect.join(), 'it fills the partition');
  assert.equal((await made.wall.window(number)).partition, last.name);

  await panel.getByRole('button', { name: `Remove partition ${last.name}` }).click();
  await waitFor(async () => (await partitions()).length === 2, 'two are left');
  await panel.getByRole('button', { name: 'Remove all' }).click();
  await panel.getByRole('button', { name: 'Really remove all?' }).click();
  await waitFor(async () => (await partitions()).length === 0, 'none is left');

  await panel.getByLabel('Around the selection').fill('stage');
  await panel.getByRole('button', { name: 'Make a partition' }).click();
  await waitFor(async () => (await partitions())[0]?.name === 'stage', 'the one of the selection');
  assert.deepEqual((await partitions())[0].rect, last.rect);
});

test('a window fits the wall', async () => {
  const [number] = await cards(1);
  const page = await made.open();
  const panel = await showPanel(page, 'arrange');
  await select(page, number);
  await panel.getByRole('button', { name: 'Fit', exact: true }).click();
  await stands(number, ([, y, , height]) => y === 0 && height === made.wall.size[1], 'it is as high as the wall');
});

test('layouts bring windows back to their places', async () => {
  const [number] = await cards(1);
  const before = (await made.wall.window(number)).rect;
  const page = await made.open();
  const panel = await showPanel(page, 'sessions');
  await panel.getByLabel('Save the layout as').fill('talk <b>');
  await panel.getByLabel('Save the layout as').press('Enter');
  const entry = panel.getByRole('list', { name: 'Layouts' }).getByRole('listitem');
  await entry.waitFor();
  assert.match(await entry.innerText(), /talk <b>/);
  await made.wall.call('move', { window: number, x: 200, y: 60 });
  await panel.getByRole('button', { name: 'Apply talk <b>' }).click();
  await stands(number, (rect) => rect.join() === before.join(), 'it is where it was');
  await panel.getByRole('button', { name: 'Remove: talk <b>' }).click();
  await panel.getByRole('button', { name: 'Really?: talk <b>' }).click();
  await waitFor(async () => (await made.wall.state()).layouts.length === 0, 'the layout is gone');
});

test('a wallpaper and a logo are shown, seen on the page, and removed', async () => {
  const [film] = await cards(1);
  const page = await made.open();
  const panel = await showPanel(page, 'arrange');
  const show = async (/** @type {string} */ source, /** @type {string} */ kind) => {
    await panel.getByLabel('Source or address').fill(source);
    await panel.getByLabel('Shown as').selectOption(kind);
    await panel.getByRole('button', { name: 'Show', exact: true }).click();
    await panel.getByRole('button', { name: `Remove: ${source}` }).waitFor();
  };
  await panel.getByLabel('Source or address').pressSequentially('card 1280');
  await panel.locator('datalist option[value="test/1280x720@60"]').waitFor({ state: 'attached' });
  await show('test:64x64@5', 'Wallpaper');
  await panel.getByRole('combobox', { name: 'Area', exact: true }).selectOption({ index: 1 });
  await show('test:32x32@5', 'Logo');
  const { windows, wall } = await made.wall.state();
  assert.deepEqual(windows.map((/** @type {any} */ window) => window.decoration), [{ kind: 'wallpaper' }, undefined, { kind: 'logo', area: wall.tiles[0].name }]);
  assert.equal(await page.locator('.windows [role=option]').count(), 1, 'only the window can be selected');
  await page.locator(`.decor #window-${windows[0].window} img`).waitFor();
  for (const { at: [x, y], size: [width, height] } of wall.tiles) {
    await waitFor(async () => (await made.wall.wallPixels()).count([x, y, width, height], ([r, g, b]) => r + g + b > 60) > width * height / 5, 'the wallpaper is on each tile');
  }
  const point = await onPage(page, made.wall, wall.size[0] - 20, wall.size[1] - 20);
  await page.mouse.click(point.x, point.y);
  await select(page, film);

  await panel.getByRole('button', { name: 'Remove: test:64x64@5' }).click();
  await panel.getByRole('button', { name: 'Remove: test:32x32@5' }).click();
  await waitFor(async () => (await made.wall.state()).windows.length === 1, 'both are gone');
  await page.locator('.decor .window').first().waitFor({ state: 'detached' });
});
