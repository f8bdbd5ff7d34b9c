// Tasks of a person who sees the page for the first time, with the highest permitted number of clicks.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { fixture, showPanel } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';
import { makeClip } from '../support/programs.js';
import { WallPage } from '../support/wall_page.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */

const kFilms = ['harbour', 'mountains', 'rivers', 'roads', 'woods'];

const made = fixture({
  grid: { columns: 2, rows: 2, resolution: [320, 180], mullion: [8, 8] },
  managerArguments: async (folder) => {
    const media = path.join(folder, 'media');
    mkdirSync(path.join(media, 'lectures'), { recursive: true });
    for (const name of kFilms) await makeClip(path.join(media, `${name}.mp4`), { seconds: 10 });
    await makeClip(path.join(media, 'plan.png'), { seconds: 1, rate: 1, extra: ['-frames:v', '1'] });
    const anHourAgo = Date.now() / 1000 - 3600;
    for (const name of readdirSync(media)) utimesSync(path.join(media, name), anHourAgo, anHourAgo);
    await makeClip(path.join(media, 'lectures', 'opening.mp4'), { seconds: 10 });
    return ['--media', media];
  },
});

/** A desktop display: high enough that the bar of picked items covers no card. */
const kDesk = { viewport: { width: 1280, height: 1000 } };

const windows = async () => (await made.wall.state()).windows;

/** Opens the list of sources and counts clicks. @param {Page} page */
async function atSources(page) {
  const panel = await showPanel(page, 'sources');
  await panel.getByRole('button', { name: /^Play harbour/ }).waitFor();
  const hand = {
    clicks: 0,
    /** @param {Locator} target @param {Parameters<Locator['click']>[0]} [options] */
    async click(target, options) {
      hand.clicks += 1;
      await target.click(options);
    },
  };
  return { panel, hand, source: (/** @type {string} */ name) => panel.getByRole('button', { name: new RegExp(`^Play ${name}`) }) };
}

test('the first film: two clicks', async () => {
  const { hand, source } = await atSources(await made.open());
  await hand.click(source('harbour'));
  await waitFor(async () => (await windows()).length === 1, 'it plays');
  assert.ok(hand.clicks <= 2);
});

test('three films and a picture as 2×2: at most six clicks', async () => {
  const { panel, hand, source } = await atSources(await made.open(kDesk));
  for (const name of ['harbour', 'mountains', 'rivers', 'plan']) await hand.click(source(name), { modifiers: ['Control'] });
  await hand.click(panel.getByRole('button', { name: 'Side by side' }));
  const all = await waitFor(async () => (await windows()).length === 4 && windows(), 'all four are there');
  const tiles = (await made.wall.state()).wall.tiles;
  const under = all.map((/** @type {any} */ { rect: [x, y, width, height] }) => tiles.findIndex((/** @type {any} */ { at: [left, top], size: [w, h] }) =>
    x >= left && y >= top && x + width <= left + w && y + height <= top + h));
  assert.deepEqual([...under].sort(), [0, 1, 2, 3], 'each has a tile of its own');
  assert.ok(hand.clicks <= 6, `${hand.clicks} clicks`);
});

test('a playlist of five that loops: at most seven clicks', async () => {
  const { panel, hand, source } = await atSources(await made.open(kDesk));
  await hand.click(panel.getByRole('checkbox', { name: 'Select harbour.mp4' }));
  for (const name of kFilms.slice(1)) await hand.click(source(name), { modifiers: ['Control'] });
  await hand.click(panel.getByRole('button', { name: 'Playlist', exact: true }));
  const { media, playback } = await waitFor(async () => (await windows())[0]?.playback && (await windows())[0], 'it plays');
  assert.equal(media.length, 5);
  assert.equal(playback.loop, true);
  assert.equal((await windows()).length, 1);
  assert.ok(hand.clicks <= 7, `${hand.clicks} clicks`);
});

test('Shift picks a range, Escape picks nothing', async () => {
  const { panel, source } = await atSources(await made.open());
  await source('harbour').click({ modifiers: ['Control'] });
  await source('plan').click({ modifiers: ['Shift'] });
  await panel.getByText('4 selected').waitFor(); // harbour, opening, mountains, plan
  await panel.page().keyboard.press('Escape');
  await panel.getByText('4 selected').waitFor({ state: 'hidden' });
});

test('two windows change places: one drag', async () => {
  const [first, second] = [await made.wall.play('test:160x90@5', { place: [0, 0, 160, 90] }), await made.wall.play('test:160x90@5', { place: [328, 188, 320, 180] })];
  const wallPage = new WallPage(await made.open(), made.wall);
  await wallPage.shown(second);
  await wallPage.holding('Control', () => wallPage.drag([80, 45], [480, 270]));
  await waitFor(async () => (await made.wall.window(first)).rect[0] === 328, 'the first is where the second was');
  assert.deepEqual((await made.wall.window(second)).rect, [0, 0, 160, 90]);
  await wallPage.page.locator('#undo').click();
  await waitFor(async () => (await made.wall.window(first)).rect[0] === 0, 'one undo takes it back');
});

test('a source dropped on a window replaces what it shows: one drag', async () => {
  const number = await made.wall.play('test:160x90@5', { place: [328, 0, 320, 180] });
  const opened = await made.open();
  const { source } = await atSources(opened);
  await opened.locator(`#window-${number}`).waitFor();
  await source('harbour').dragTo(opened.locator(`#window-${number}`));
  const [now] = await waitFor(async () => (await windows()).length === 1 && (await windows())[0].window !== number && windows(), 'another is in its place');
  assert.deepEqual(now.rect, [328, 0, 320, 180]);
});

test('all is muted, quieter, and dark: one click each', async () => {
  await made.wall.play('test:160x90@5', { place: [0, 0, 160, 90] });
  const opened = await made.open();
  const bar = opened.locator('.wall-bar');
  await bar.getByRole('button', { name: /^Mute all/ }).click();
  await waitFor(async () => (await made.wall.state()).sound.muted, 'all is muted');
  await bar.getByRole('button', { name: /^Unmute all/ }).click();
  await waitFor(async () => !(await made.wall.state()).sound.muted, 'and heard again');
  await bar.getByRole('slider', { name: 'Volume of the wall' }).fill('0.5');
  await waitFor(async () => (await made.wall.state()).sound.volume === 0.5, 'half as loud');
  await made.wall.call('master_volume', { volume: 1 });
  await bar.getByRole('button', { name: /^Blank the wall/ }).click();
  await opened.getByText('The wall is blank').waitFor();
  assert.ok((await made.wall.state()).blank);
  await opened.locator('#tab-sources').focus();
  await opened.keyboard.press('.');
  await waitFor(async () => !(await made.wall.state()).blank, 'a clicker brings it back');
});

test('the wall is blank with a line, and its pictures stand still', async () => {
  const number = await made.wall.play('test:160x90@5', { place: [0, 0, 160, 90] });
  const opened = await made.open();
  await opened.locator(`#window-${number}`).waitFor();
  await opened.locator('vt-wall').focus();
  await opened.keyboard.press('Shift+B');
  await opened.getByRole('textbox', { name: 'Line on the wall' }).fill('back at 11:15');
  await opened.keyboard.press('Enter');
  await opened.getByText('with the line “back at 11:15”').waitFor();
  await opened.keyboard.press('Shift+B');
  await opened.getByRole('combobox', { name: 'Source or address' }).fill('test:64x64@5');
  await opened.keyboard.press('Enter');
  const isCurtain = (/** @type {any} */ window) => window.decoration?.kind === 'curtain';
  await waitFor(async () => (await windows()).some(isCurtain), 'a curtain covers it');
  await opened.keyboard.press('Shift+B');
  await opened.getByRole('textbox', { name: 'Line on the wall' }).fill('back at 11:15');
  await opened.keyboard.press('Enter');
  await waitFor(async () => !(await windows()).some(isCurtain), 'the curtain is gone');
  assert.equal((await made.wall.state()).blank_text, 'back at 11:15');
  await opened.keyboard.press('b');
  await waitFor(async () => !(await made.wall.state()).blank, 'it is shown again');
  const bar = opened.locator('.wall-bar');
  await bar.getByRole('button', { name: /^Freeze the pictures/ }).click();
  await waitFor(async () => (await windows())[0].frozen !== undefined, 'it is frozen');
  await opened.getByRole('option', { name: /frozen/ }).waitFor();
  await bar.getByRole('button', { name: /^Show the current pictures/ }).click();
  await waitFor(async () => (await windows())[0].frozen === undefined, 'it goes on');
});

test('sources have folders, an order, favourites and what was played lately', async () => {
  const { panel, source } = await atSources(await made.open(kDesk));
  await panel.getByLabel(/^Folder/).selectOption('media1/lectures');
  await source('opening').waitFor();
  await source('harbour').waitFor({ state: 'detached' });
  await panel.getByLabel(/^Folder/).selectOption('All folders');
  await panel.getByLabel(/^Order/).selectOption('Newest first');
  await waitFor(async () => /opening/.test((await panel.locator('.source .title').first().textContent()) ?? ''), 'the newest comes first');
  await source('rivers').click({ modifiers: ['Control'] });
  await panel.getByRole('button', { name: 'Favourite on or off' }).click();
  await panel.getByRole('button', { name: 'Select nothing' }).click();
  await panel.getByRole('button', { name: '★ Favourites' }).click();
  await panel.getByText('1 source', { exact: true }).waitFor();
  await source('rivers').click();
  await waitFor(async () => (await windows()).length === 1, 'it plays');
  await panel.getByRole('button', { name: 'Recent' }).click();
  await source('rivers').waitFor();
  await panel.getByText('1 source', { exact: true }).waitFor();
});
