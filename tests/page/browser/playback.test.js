// Films that reach their end stay and are shown as ended; tracks are chosen while a film plays.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { fixture, select, showPanel } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';
import { makeClip } from '../support/programs.js';

let film = '';
let brief = '';
let tracks = '';
const made = fixture({
  managerArguments: async (folder) => {
    mkdirSync(path.join(folder, 'media'));
    film = path.join(folder, 'media', 'short.mp4');
    await makeClip(film, { seconds: 1 });
    brief = path.join(folder, 'media', 'brief.mp4');
    await makeClip(brief, { seconds: 1 });
    tracks = path.join(folder, 'media', 'tracks.mkv');
    const text = path.join(folder, 'text.srt');
    writeFileSync(text, '1\n00:00:00,000 --> 00:00:30,000\nWWW\n');
    const sound = ['-f', 'lavfi', '-i', 'sine=440:duration=30'];
    await makeClip(tracks, { seconds: 30, extra: [...sound, ...sound, '-i', text, '-map', '0', '-map', '1', '-map', '2', '-map', '3',
      '-disposition:a:0', 'default', '-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=deu', '-metadata:s:s:0', 'title=Signs', '-t', '30'] });
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

test('tracks are chosen from menus, which only films with a choice have', async () => {
  const page = await made.open();
  const number = await made.wall.play(tracks, { place: [10, 10, 160, 90], at_end: 'loop' });
  const plain = await made.wall.play('test:64x64@5', { place: [200, 10, 64, 64] });
  const inspector = await showPanel(page, 'inspector');
  const subtitles = inspector.getByLabel('Subtitles');
  const sound = inspector.getByLabel('Sound track');
  await select(page, plain);
  await inspector.getByLabel('Speed').waitFor();
  assert.ok(!(await subtitles.isVisible()) && !(await sound.isVisible()), 'a test card has no tracks');

  await select(page, number);
  await sound.waitFor();
  assert.deepEqual(await subtitles.locator('option').allTextContents(), ['Only forced', 'Off', '1: Signs']);
  const names = await sound.locator('option').allTextContents();
  assert.deepEqual(names, ['1: English · mono', '2: German · mono', 'All as one programme']);
  assert.deepEqual([await subtitles.inputValue(), await sound.inputValue()], ['-1', '1']);
  await subtitles.selectOption({ label: '1: Signs' });
  await waitFor(async () => (await playback(number)).tracks?.subtitle === 1, 'they are shown');
  await sound.focus();
  await page.keyboard.press('ArrowDown');
  await waitFor(async () => (await playback(number)).tracks?.sound === 2, 'German is heard');
  await made.wall.call('control', { window: number, action: 'subtitles', value: 0 });
  await waitFor(async () => (await subtitles.inputValue()) === '0', 'the menu follows other people');
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
