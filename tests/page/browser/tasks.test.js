// The number of clicks for everyday tasks.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { fixture, onPage } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';
import { makeClip } from '../support/programs.js';

const made = fixture({
  grid: { columns: 2, rows: 2, resolution: [320, 180], mullion: [8, 8] },
  managerArguments: async (folder) => {
    const home = path.join(folder, 'home');
    mkdirSync(home);
    for (const name of ['one', 'two', 'three']) await makeClip(path.join(home, `${name}.mp4`), { seconds: 10 });
    await makeClip(path.join(home, 'plan.png'), { seconds: 1, rate: 1, extra: ['-frames:v', '1'] });
    return ['--uploads', path.join(folder, 'uploads')];
  },
});

const windows = async () => (await made.wall.state()).windows;

/** Counts clicks. @param {import('playwright-core').Page} page */
function counting(page) {
  const hand = { clicks: 0, click: async (/** @type {import('playwright-core').Locator} */ target) => {
    hand.clicks += 1;
    await target.click();
  } };
  return { hand, button: (/** @type {string | RegExp} */ name) => page.getByRole('button', { name }) };
}

test('three films and a picture as 2×2: a drop', async () => {
  const page = await made.open();
  const files = ['one.mp4', 'two.mp4', 'three.mp4', 'plan.png'].map((name) => ({ name, base64: readFileSync(path.join(made.wall.folder, 'home', name)).toString('base64') }));
  const at = await onPage(page, made.wall, 500, 300);
  await page.locator('vt-wall').evaluate((element, { dropped, x, y }) => {
    const dataTransfer = new DataTransfer();
    for (const { name, base64 } of dropped) dataTransfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
    const options = { dataTransfer, bubbles: true, cancelable: true, clientX: x, clientY: y };
    for (const type of ['dragenter', 'dragover', 'drop']) element.dispatchEvent(new DragEvent(type, options));
  }, { dropped: files, ...at });
  const all = await waitFor(async () => (await windows()).length === 4 && windows(), 'all four are there');
  const tiles = (await made.wall.state()).wall.tiles;
  const under = all.map((/** @type {any} */ { rect: [x, y, width, height] }) => tiles.findIndex((/** @type {any} */ { at: [left, top], size: [w, h] }) =>
    x >= left && y >= top && x + width <= left + w && y + height <= top + h));
  assert.deepEqual([...under].sort(), [0, 1, 2, 3], 'each has a tile of its own');
});

test('a wall is saved, closed and restored with at most five clicks', async () => {
  await made.wall.play('test:160x90@5', { place: [20, 30, 160, 90] });
  await made.wall.play('test:64x64@5', { place: [330, 40, 64, 64] });
  const page = await made.open();
  const { hand, button } = counting(page);
  await hand.click(page.locator('#tab-sessions'));
  await hand.click(page.locator('vt-sessions').getByRole('button', { name: 'Save' }).first());
  await waitFor(async () => (await made.wall.state()).sessions.some((/** @type {any} */ { name }) => name !== 'autosave'), 'it is saved');
  await hand.click(button('Close all windows'));
  await waitFor(async () => (await windows()).length === 0, 'the wall is empty');
  await hand.click(page.locator('vt-sessions').getByRole('list', { name: 'Sessions' }).getByRole('button', { name: /^Restore/ }));
  const back = await waitFor(async () => (await windows()).length === 2 && windows(), 'both are back');
  assert.deepEqual(back.map((/** @type {any} */ { rect }) => rect), [[20, 30, 160, 90], [330, 40, 64, 64]]);
  assert.ok(hand.clicks <= 5, `${hand.clicks} clicks`);
});

test('what was on the wall before the manager ended comes back with one click', async () => {
  await made.wall.play('test:64x64@5', { place: [50, 60, 64, 64] });
  await made.wall.call('move', { window: (await windows())[0].window, x: 80, y: 60 });
  await waitFor(async () => (await made.wall.state()).sessions.some((/** @type {any} */ { name, windows: count }) => name === 'autosave' && count === 1), 'it is saved by itself');
  made.expected = /WebSocket|ERR_CONNECTION/;
  await made.wall.stopManager();
  await made.wall.startManager();
  const page = await made.open();
  const { hand, button } = counting(page);
  await hand.click(button(/^Restore the last windows: 1 window, today/));
  const [back] = await waitFor(async () => (await windows()).length === 1 && windows(), 'it is back');
  assert.deepEqual(back.rect, [80, 60, 64, 64]);
  assert.equal(hand.clicks, 1);
  await waitFor(async () => (await made.wall.state()).history.entries.some((/** @type {any} */ { what }) => /^moved/.test(what)), 'what was done before is known');
});
