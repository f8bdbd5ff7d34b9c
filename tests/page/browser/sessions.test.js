// Restored sessions bring back the streams, not only the places.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { connected, fixture, showPanel } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';

const made = fixture();

const windows = async () => (await made.wall.state()).windows;

test('a session is saved, and restored with its streams', async () => {
  await made.wall.play('test:160x90@5', { place: [20, 30, 160, 90] });
  await made.wall.play('test:64x64@5', { place: [330, 40, 64, 64] });
  const page = await made.open();
  const panel = await showPanel(page, 'sessions');
  await panel.getByLabel('Save the wall as').fill('opening day');
  await panel.getByLabel('Save the wall as').press('Enter');
  await panel.getByRole('list', { name: 'Sessions' }).locator('.miniature .window').nth(1).waitFor();

  for (const { window } of await windows()) await made.wall.call('close', { window });
  await waitFor(async () => (await windows()).length === 0, 'the wall is empty');
  await panel.getByRole('button', { name: 'Restore: opening day' }).click();
  const back = await waitFor(async () => (await windows()).length === 2 && windows(), 'both are back');
  assert.deepEqual(back.map((/** @type {any} */ window) => window.rect), [[20, 30, 160, 90], [330, 40, 64, 64]]);
  await waitFor(async () => (await made.wall.wallPixels()).count([20, 30, 160, 90], ([r, g, b]) => r + g + b > 60) > 7000, 'its picture is on the wall');
});

test('restoring over what is there asks first, and replaces it', async () => {
  await made.wall.play('test:64x64@5', { place: [0, 0, 64, 64] });
  await made.wall.call('session_save', { name: 'one' });
  await made.wall.play('test:160x90@5', { place: [100, 0, 160, 90] });
  const page = await made.open();
  const panel = await showPanel(page, 'sessions');
  await panel.getByRole('button', { name: 'Restore: one' }).click();
  const former = (await windows()).map((/** @type {any} */ window) => window.window);
  await panel.getByRole('button', { name: 'Replace all windows?: one' }).click();
  const [back] = await waitFor(async () => {
    const now = await windows();
    return now.length === 1 && !former.includes(now[0].window) && now;
  }, 'what was added is gone, what was saved is started again');
  assert.deepEqual(back.rect, [0, 0, 64, 64]);
  await panel.getByRole('button', { name: 'Remove: one' }).click();
  await panel.getByRole('button', { name: 'Really?: one' }).click();
  await waitFor(async () => (await made.wall.state()).sessions.every((/** @type {any} */ session) => session.name !== 'one'), 'it is removed');
});

test('switching to a session keeps the windows that stay', async () => {
  await made.wall.play('test:64x64@5', { place: [0, 0, 64, 64] });
  await made.wall.call('session_save', { name: 'left' });
  const [{ window: kept }] = await windows();
  await made.wall.call('move', { window: kept, x: 200, y: 0 });
  await made.wall.play('test:160x90@5', { place: [20, 80, 160, 90] });
  const page = await made.open();
  const panel = await showPanel(page, 'sessions');
  await panel.getByRole('button', { name: 'Switch: left' }).click();
  const [stays] = await waitFor(async () => (await windows()).length === 1 && windows(), 'the other window is closed');
  assert.deepEqual([stays.window, stays.rect], [kept, [0, 0, 64, 64]]);
  await made.wall.call('session_remove', { name: 'left' });
});

test('a session is previewed, and shown by a fade', async () => {
  await made.wall.play('test:64x64@5', { place: [0, 0, 64, 64] });
  await made.wall.call('session_save', { name: 'dawn' });
  for (const { window } of await windows()) await made.wall.call('close', { window });
  const stays = await made.wall.play('test:160x90@5', { place: [20, 80, 160, 90] });
  const page = await made.open();
  const panel = await showPanel(page, 'sessions');
  await panel.getByRole('button', { name: 'Preview: dawn' }).click();
  await page.getByText('“dawn” would open 1, keep 0 and close 1 windows.').first().waitFor();
  assert.deepEqual((await windows()).map((/** @type {any} */ window) => window.window), [stays], 'nothing changes');

  await panel.getByLabel('Fade when switching').fill('5');
  await panel.getByRole('button', { name: 'Switch: dawn' }).click();
  await panel.locator('input[type=number]:focus').waitFor(); // it says its limit
  assert.deepEqual((await windows()).map((/** @type {any} */ window) => window.window), [stays], 'nothing is requested');
  await panel.getByLabel('Fade when switching').fill('1.5');
  await panel.getByRole('button', { name: 'Switch: dawn' }).click();
  await waitFor(async () => (await windows()).every((/** @type {any} */ window) => window.rect[2] === 64), 'it is shown');
  await waitFor(async () => (await made.wall.call('stats')).receivers.some((/** @type {any} */ receiver) => receiver.stats?.fades > 0), 'a receiver has faded');
  await made.wall.call('session_remove', { name: 'dawn' });
});

test('what was on the wall when the manager ended is offered again', async () => {
  await made.wall.play('test:64x64@5', { place: [50, 60, 64, 64] });
  await waitFor(async () => (await made.wall.state()).sessions.some((/** @type {any} */ session) => session.name === 'autosave' && session.windows === 1), 'it is saved by itself');
  const page = await made.open();
  made.expected = /WebSocket|ERR_CONNECTION/;
  await made.wall.stopManager();
  await page.locator('#connection:not([data-phase="open"])').waitFor();
  await made.wall.startManager();
  await connected(page);
  const panel = await showPanel(page, 'sessions');
  await panel.getByRole('button', { name: 'Restore the wall' }).click();
  const [back] = await waitFor(async () => (await windows()).length === 1 && windows(), 'it is back');
  assert.deepEqual(back.rect, [50, 60, 64, 64]);
  await panel.getByRole('button', { name: 'Restore the wall' }).waitFor({ state: 'detached' });
});

test('a layout is drawn as its windows stand', async () => {
  await made.wall.play('test:64x64@5', { place: [50, 60, 64, 64] });
  await made.wall.play('test:64x64@5', { place: [330, 40, 128, 128] });
  const page = await made.open();
  const panel = await showPanel(page, 'sessions');
  await panel.getByLabel('Save the layout as').fill('two squares');
  await panel.getByLabel('Save the layout as').press('Enter');
  const drawn = panel.getByRole('list', { name: 'Layouts' }).locator('.miniature .window');
  await drawn.nth(1).waitFor();
  const places = await drawn.evaluateAll((nodes) => nodes.map((node) => ['x', 'y', 'width', 'height'].map((name) => Number(node.getAttribute(name)))));
  assert.deepEqual(places, [[50, 60, 64, 64], [330, 40, 128, 128]]);
  await made.wall.call('layout_remove', { name: 'two squares' });
});

test('a playlist is made, ordered by keys and by dragging, and played', async () => {
  const page = await made.open();
  const panel = await showPanel(page, 'sessions');
  const order = async () => (await made.wall.call('playlist_get', { name: 'lobby' })).items.map((/** @type {any} */ item) => item.title);
  const [first, second, third] = ['test:64x64@5', 'test:32x32@5', 'test:48x48@5'];
  const source = panel.getByLabel('Source or address');
  await panel.getByLabel('Playlist', { exact: true }).fill('lobby');
  for (const card of [first, second, third]) {
    await source.fill(card);
    await source.press('Enter');
    await waitFor(async () => (await source.inputValue()) === '', 'it is added');
  }
  assert.deepEqual(await order(), [first, second, third]);

  await panel.getByText('3 items').click();
  const items = panel.getByRole('list', { name: 'lobby' }).getByRole('button');
  await items.nth(2).waitFor();
  await items.nth(0).focus();
  await page.keyboard.press('Alt+ArrowDown');
  await waitFor(async () => (await order())[1] === first, 'it moved down');
  await panel.locator('li:nth-child(2) > button:focus').waitFor();
  await items.nth(2).dragTo(items.nth(0));
  await waitFor(async () => (await order())[0] === third, 'it moved to the top');
  assert.deepEqual(await order(), [third, second, first]);
  await items.nth(0).focus();
  await page.keyboard.press('Delete');
  await waitFor(async () => (await order()).length === 2, 'it is removed');

  const plays = async () => (await made.wall.call('playlist_list')).playlists[0].plays;
  await panel.getByRole('button', { name: 'Play: lobby' }).click();
  await waitFor(async () => (await plays())?.item === 1, 'it plays');
  await panel.getByRole('button', { name: 'Next item: lobby' }).click();
  await waitFor(async () => (await plays())?.item === 2, 'the next item is shown');
  await panel.getByRole('button', { name: 'End: lobby' }).click();
  await waitFor(async () => !(await plays()), 'it has ended');
  await panel.getByRole('button', { name: 'Remove: lobby' }).click();
  await panel.getByRole('button', { name: 'Really?: lobby' }).click();
  await waitFor(async () => (await made.wall.call('playlist_list')).playlists.length === 0, 'it is deleted');
});

test('a tour goes on and back, is held, and ends', async () => {
  const cards = ['test:64x64@5', 'test:32x32@5', 'test:48x48@5'];
  await made.wall.call('tour_start', { name: 'gates', sources: cards, every_s: 3600 });
  const tour = async () => (await made.wall.call('tour_list')).tours[0];
  const shows = (/** @type {string} */ card) => waitFor(async () => (await tour()).cells[0].source === card, `it shows ${card}`);
  const page = await made.open();
  const panel = await showPanel(page, 'sessions');
  const facts = panel.getByRole('list', { name: 'Tours' }).getByRole('listitem');
  await facts.getByText('1 of 3, every 1:00:00, 0 pinned').waitFor();
  await panel.getByRole('button', { name: 'Next item: gates' }).click();
  await shows(cards[1]);
  await panel.getByRole('button', { name: 'Previous item: gates' }).click();
  await shows(cards[0]);

  await panel.getByRole('button', { name: 'Pause: gates' }).focus();
  await page.keyboard.press('Enter');
  await waitFor(async () => (await tour()).held, 'it is held');
  await made.wall.call('lock', { window: (await tour()).cells[0].window });
  await panel.getByRole('button', { name: 'Play: gates' }).click();
  await waitFor(async () => !(await tour()).held, 'it goes on');
  await facts.getByText('1 pinned').waitFor();
  await panel.getByRole('button', { name: 'End: gates' }).click();
  await facts.waitFor({ state: 'detached' });
  assert.equal(await tour(), undefined);
});
