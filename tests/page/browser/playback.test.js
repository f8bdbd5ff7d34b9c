// Films that reach their end stay and are shown as ended.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { fixture, select, showPanel } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';
import { makeClip } from '../support/programs.js';

let film = '';
let brief = '';
const made = fixture({
  managerArguments: async (folder) => {
    mkdirSync(path.join(folder, 'media'));
    film = path.join(folder, 'media', 'short.mp4');
    await makeClip(film, { seconds: 1 });
    brief = path.join(folder, 'media', 'brief.mp4');
    await makeClip(brief, { seconds: 1 });
    return [];
  },
});

const playback = async (/** @type {number} */ number) => (await made.wall.window(number))?.playback ?? {};

test('a film that ends holds its last picture, is told, and plays again', async () => {
  const page = await made.open();
  const number = await made.wall.play(film, { place: [10, 10, 160, 90] });
  await waitFor(async () => (await playback(number)).ended === true, 'it has ended');
  await page.locator('.toast', { hasText: "'short.mp4' has ended" }).first().waitFor();
  await page.locator(`#window-${number}[aria-label*="ended"]`).waitFor();
  assert.ok((await made.wall.wallPixels()).count([10, 10, 160, 90], ([r, g, b]) => r + g + b > 60) > 7000, 'its picture is on the wall');
  const history = await showPanel(page, 'history');
  await history.locator('.note', { hasText: 'has ended' }).waitFor();

  await select(page, number);
  const bar = page.getByRole('toolbar', { name: 'Selected windows' });
  await bar.getByRole('button', { name: /^Loop/ }).click();
  await waitFor(async () => (await playback(number)).loop === true && !(await playback(number)).ended, 'it begins again, and will again');
  await bar.getByRole('button', { name: /^Loop/ }).click();
  await waitFor(async () => (await playback(number)).ended === true, 'it ends');
  await bar.getByRole('button', { name: /^Replay/ }).click();
  await waitFor(async () => !(await playback(number)).ended, 'it plays');
  await waitFor(async () => (await playback(number)).ended === true, 'to its end');
  await page.locator(`#window-${number}`).press('Space');
  await waitFor(async () => !(await playback(number)).ended, 'and again');
  const inspector = await showPanel(page, 'inspector');
  await inspector.getByRole('button', { name: 'Replay' }).click();
  await waitFor(async () => !(await playback(number)).ended, 'and from the panel');
});

test('a film that closes at its end is told, and undo does not offer what is gone', async () => {
  const page = await made.open();
  await made.wall.play(brief, { place: [10, 10, 160, 90], at_end: 'close' });
  await page.locator('.toast', { hasText: 'left the wall' }).waitFor();
  await waitFor(async () => (await made.wall.state()).windows.length === 0, 'its window is gone');
  const { undo } = (await made.wall.state()).history;
  assert.ok(undo === null || !/brief/.test(undo.what), `undo offers ${undo?.what}`);
});

test('several windows are closed, and brought back, in one step', async () => {
  const numbers = [await made.wall.play('test:64x64@5', { place: [0, 0, 64, 64] }), await made.wall.play('test:64x64@5', { place: [100, 0, 64, 64] })];
  const page = await made.open();
  await select(page, ...numbers);
  await page.getByRole('toolbar', { name: 'Selected windows' }).getByRole('button', { name: /^Close/ }).click();
  await waitFor(async () => (await made.wall.state()).windows.length === 0, 'both are closed');
  await page.locator('#undo[title*="closed 2 windows"]').click();
  await waitFor(async () => (await made.wall.state()).windows.length === 2, 'both are back');
});
