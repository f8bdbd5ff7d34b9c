// How well it goes: figures in the panel, and on the wall itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fixture, showPanel } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';

const made = fixture();

test('figures of windows and receivers are shown and plotted', async () => {
  const number = await made.wall.play('test:160x90@10', { place: [10, 10, 160, 90] });
  const page = await made.open();
  const panel = await showPanel(page, 'stats');
  const window = panel.getByRole('list', { name: 'Figures of the windows' }).getByRole('listitem');
  await window.filter({ hasText: /[1-9]\d*\.\d fps/ }).waitFor();
  await window.filter({ hasText: /\d\.\d Mbit\/s/ }).waitFor();
  await waitFor(async () => ((await window.locator('.line').first().getAttribute('points')) ?? '').split(' ').length >= 3, 'the plot grows');
  const receivers = panel.getByRole('list', { name: 'Figures of the receivers' });
  await receivers.getByText('node1').waitFor();
  await receivers.locator('li', { hasText: /\d\.\d ms/ }).first().waitFor();
  await made.wall.call('close', { window: number });
  await window.waitFor({ state: 'detached' });
});

test('the overlay is switched on the wall', async () => {
  await made.wall.play('test:160x90@5', { place: [10, 10, 160, 90] });
  const page = await made.open();
  const panel = await showPanel(page, 'stats');
  const button = panel.getByRole('button', { name: 'Show on wall' });
  const beside = /** @type {[number, number, number, number]} */ ([330, 0, 318, 180]); // no window there
  const plain = await made.wall.wallPixels();
  await button.click();
  await panel.getByRole('button', { name: 'Show on wall', pressed: true }).waitFor();
  assert.equal((await made.wall.state()).overlay, true);
  await waitFor(async () => (await made.wall.wallPixels()).differences(plain, beside) > 100, 'the receiver’s figures are on its tile');
  await button.click();
  await waitFor(async () => (await made.wall.wallPixels()).differences(plain, beside) === 0, 'they are gone');
});

test('tiles say their names', async () => {
  const page = await made.open();
  const panel = await showPanel(page, 'stats');
  const plain = await made.wall.wallPixels();
  await panel.getByRole('button', { name: 'Name tiles' }).click();
  await waitFor(async () => (await made.wall.wallPixels()).differences(plain) > 500, 'the names are on the wall');
  await panel.getByRole('button', { name: 'Name tiles', pressed: true }).click();
  await waitFor(async () => (await made.wall.wallPixels()).differences(plain) === 0, 'they are gone');
});
