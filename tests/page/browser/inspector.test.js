// The selected windows in figures, and the controls of what plays.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { fixture, select, showPanel } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';
import { pdf } from '../support/pdf.js';
import { makeClip } from '../support/programs.js';

const made = fixture();

test('position and size are typed in', async () => {
  const number = await made.wall.play('test:160x90@5', { place: [10, 10, 160, 90] });
  const page = await made.open();
  const panel = await showPanel(page, 'inspector');
  await select(page, number);
  assert.equal(await panel.getByLabel('X', { exact: true }).inputValue(), '10');
  const is = (/** @type {number[]} */ rect) => waitFor(async () => (await made.wall.window(number)).rect.join() === rect.join(), `it is at ${rect}`);
  await panel.getByLabel('X', { exact: true }).fill('123');
  await panel.getByLabel('X', { exact: true }).press('Enter');
  await is([123, 10, 160, 90]);
  await panel.getByLabel('Width', { exact: true }).fill('320');
  await panel.getByLabel('Width', { exact: true }).press('Enter');
  await is([123, 10, 320, 180]);
  await panel.getByLabel('Keep the picture’s shape').uncheck();
  await panel.getByLabel('Height', { exact: true }).fill('50');
  await panel.getByLabel('Height', { exact: true }).press('Enter');
  await is([123, 10, 320, 50]);
  await made.wall.call('move', { window: number, x: 7, y: 8 });
  await waitFor(async () => (await panel.getByLabel('X', { exact: true }).inputValue()) === '7', 'changes of others are shown');
});

test('several windows show what they have in common', async () => {
  const first = await made.wall.play('test:80x60@5', { place: [10, 10, 80, 60] });
  const second = await made.wall.play('test:80x60@5', { place: [200, 100, 80, 60] });
  const page = await made.open();
  const panel = await showPanel(page, 'inspector');
  await select(page, first, second);
  await panel.getByText('2 windows').waitFor();
  assert.equal(await panel.getByLabel('Width', { exact: true }).inputValue(), '80');
  assert.equal(await panel.getByLabel('X', { exact: true }).inputValue(), '');
  await panel.getByLabel('Y', { exact: true }).fill('30');
  await panel.getByLabel('Y', { exact: true }).press('Enter');
  for (const number of [first, second]) await waitFor(async () => (await made.wall.window(number)).rect[1] === 30, 'both moved');
  assert.equal((await made.wall.window(second)).rect[0], 200, 'the other side stays');
});

test('lock, order, maximise and close', async () => {
  const lower = await made.wall.play('test:80x60@5', { place: [10, 10, 80, 60] });
  await made.wall.play('test:80x60@5', { place: [200, 100, 80, 60] });
  const page = await made.open();
  const panel = await showPanel(page, 'inspector');
  await select(page, lower);
  const window = () => made.wall.window(lower);
  await panel.getByRole('button', { name: 'Bring to front' }).click();
  await waitFor(async () => (await made.wall.state()).windows.at(-1).window === lower, 'it is on top');
  await panel.getByRole('button', { name: 'Maximised' }).click();
  await waitFor(async () => (await window()).maximised && (await window()).rect[3] === made.wall.size[1], 'it is maximised');
  await panel.getByRole('button', { name: 'Maximised', pressed: true }).click();
  await waitFor(async () => (await window()).rect.join() === '10,10,80,60', 'it is back');
  await panel.getByRole('button', { name: 'Locked' }).click();
  await waitFor(async () => (await window()).locked, 'it is locked');
  await waitFor(() => panel.getByLabel('X', { exact: true }).isDisabled(), 'its place cannot be typed');
  await panel.getByRole('button', { name: 'Locked', pressed: true }).click();
  await waitFor(async () => !(await window()).locked, 'it is free');
  await panel.getByRole('button', { name: 'Close' }).click();
  await waitFor(async () => (await window()) === undefined, 'it is closed');
});

test('a film is paused, sought, sped up and looped', async () => {
  const film = await makeClip(path.join(made.wall.folder, 'film.mp4'), { seconds: 20 });
  const number = await made.wall.play(film, { place: [0, 0, 320, 180] });
  const playback = async () => (await made.wall.window(number))?.playback;
  await waitFor(playback, 'the player tells where it is');
  const page = await made.open();
  const panel = await showPanel(page, 'inspector');
  await select(page, number);
  await panel.getByRole('button', { name: 'Pause' }).click();
  await waitFor(async () => (await playback()).paused, 'it is paused');
  await panel.getByLabel('Position', { exact: true }).fill('15');
  await waitFor(async () => Math.abs((await playback()).position_s - 15) < 1, 'it is at 15 s');
  await panel.getByText('0:15 / 0:20').waitFor();
  await panel.getByRole('combobox', { name: 'Speed', exact: true }).selectOption('2 ×');
  await waitFor(async () => (await playback()).rate === 2, 'twice as fast');
  await panel.getByRole('button', { name: 'Loop' }).click();
  await waitFor(async () => (await playback()).loop, 'it loops');
  await panel.getByRole('button', { name: 'Play', exact: true }).click();
  await waitFor(async () => !(await playback()).paused, 'it plays');
});

test('Space pauses the selected film and lets it play on', async () => {
  const film = await makeClip(path.join(made.wall.folder, 'space.mp4'), { seconds: 20 });
  const number = await made.wall.play(film, { place: [0, 0, 320, 180], loop: true });
  const playback = async () => (await made.wall.window(number))?.playback;
  await waitFor(playback, 'the player tells where it is');
  const page = await made.open();
  const panel = await showPanel(page, 'inspector');
  await select(page, number);
  await panel.getByRole('button', { name: 'Pause' }).waitFor();
  await page.keyboard.press('Space');
  await waitFor(async () => (await playback()).paused, 'it is paused');
  await panel.getByRole('button', { name: 'Play', exact: true }).waitFor();
  await page.keyboard.press('Space');
  await waitFor(async () => !(await playback()).paused, 'it plays');
});

test('pages of a document are turned', async () => {
  const file = path.join(made.wall.folder, 'three pages.pdf');
  writeFileSync(file, pdf([[1, 0, 0], [0, 1, 0], [0, 0, 1]]));
  const number = await made.wall.play(file, { place: [0, 0, 320, 180] });
  const page = await made.open();
  const panel = await showPanel(page, 'inspector');
  await select(page, number);
  await panel.getByText('of 3').waitFor();
  // Red, green and blue: the tile's middle says which page the wall shows.
  const shows = (/** @type {number} */ index) => waitFor(async () => {
    const rgb = (await made.wall.wallPixels()).at(160, 90);
    return rgb.every((part, channel) => (channel === index ? part > 200 : part < 60));
  }, `the wall shows page ${index + 1}`);
  await shows(0);
  await panel.getByRole('button', { name: 'Next page' }).click();
  await shows(1);
  await waitFor(async () => (await panel.getByLabel('Page', { exact: true }).inputValue()) === '2', 'the page tells its number');
  await panel.getByLabel('Page', { exact: true }).fill('3');
  await panel.getByLabel('Page', { exact: true }).press('Enter');
  await shows(2);
  await panel.getByRole('button', { name: 'Page before' }).click();
  await shows(1);
});

test('the volume of a film with sound', async () => {
  const film = await makeClip(path.join(made.wall.folder, 'sound.mp4'), { seconds: 5, extra: ['-f', 'lavfi', '-i', 'sine', '-shortest'] });
  const number = await made.wall.play(film, { place: [0, 0, 320, 180], loop: true });
  await waitFor(async () => (await made.wall.window(number))?.playback?.volume !== undefined, 'it has sound');
  const page = await made.open();
  const panel = await showPanel(page, 'inspector');
  await select(page, number);
  await panel.getByLabel('Volume', { exact: true }).fill('0.25');
  await waitFor(async () => (await made.wall.window(number)).playback.volume === 0.25, 'it is quieter');
});
