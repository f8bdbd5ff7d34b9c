// What the panels show of the actions of several people: history, names, and titles that are only ever text.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fixture, select, showPanel, showPeople } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';

const made = fixture();

test('what one does the other sees, and takes back', async () => {
  const number = await made.wall.play('test:80x60@5', { place: [10, 10, 80, 60] });
  const [ada, grace] = await Promise.all([made.open({ name: 'Ada' }), made.open({ name: 'Grace' })]);
  const inspector = await showPanel(ada, 'inspector');
  await select(ada, number);
  await inspector.getByLabel('X', { exact: true }).fill('222');
  await inspector.getByLabel('X', { exact: true }).press('Enter');
  await waitFor(async () => (await made.wall.window(number)).rect[0] === 222, 'it moved');

  const history = await showPanel(grace, 'history');
  await history.getByRole('list', { name: 'Steps, newest first' }).getByRole('listitem').first().filter({ hasText: 'Ada' }).waitFor();
  await grace.locator(`#window-${number}[aria-label*="at 222"]`).waitFor();
  await history.getByRole('button', { name: /^Undo/ }).click();
  await waitFor(async () => (await made.wall.window(number)).rect[0] === 10, 'Grace took it back');
  await waitFor(async () => (await inspector.getByLabel('X', { exact: true }).inputValue()) === '10', 'Ada sees it');
  await history.locator('.undone').first().waitFor();
  await history.getByRole('button', { name: /^Redo/ }).click();
  await waitFor(async () => (await made.wall.window(number)).rect[0] === 222, 'and did it again');
});

test('one goes back to a step of the history, and forward again', async () => {
  const number = await made.wall.play('test:80x60@5', { place: [10, 10, 80, 60] });
  for (const x of [100, 200, 300]) await made.wall.call('move', { window: number, x, y: 10 });
  const history = await showPanel(await made.open(), 'history');
  const steps = history.getByRole('list', { name: 'Steps, newest first' }).getByRole('listitem');
  const goTo = async (/** @type {number} */ step, /** @type {number} */ x) => {
    await steps.nth(step).getByRole('button', { name: /^Go back to here/ }).click();
    await waitFor(async () => (await made.wall.window(number)).rect[0] === x, `it is at ${x}`);
  };
  await goTo(2, 100);
  await steps.nth(1).and(history.locator('.undone')).waitFor();
  await steps.first().getByText(/^today, \d/).waitFor();
  await goTo(0, 300);
});

test('people are listed, and change their names', async () => {
  const [ada, grace] = await Promise.all([made.open({ name: 'Ada' }), made.open({ name: 'Grace' })]);
  const people = (await showPeople(ada)).getByRole('list', { name: 'People here' });
  await people.getByText('Grace').waitFor();
  const own = await showPeople(grace);
  await own.getByLabel('My name').fill('Grace <u>Hopper</u>');
  await own.getByLabel('Colour').fill('#14916a');
  await own.getByRole('button', { name: 'Change' }).click();
  await people.getByText('Grace <u>Hopper</u>').waitFor();
  await waitFor(async () => (await made.wall.state()).clients.some((/** @type {any} */ client) => client.colour === '#14916a'), 'the colour too');
});

test('HTML in titles is text', async () => {
  const title = '<img src=x onerror="document.title=\'owned\'"><b>bold</b>';
  const player = made.wall.start('bplay', '--title', title, '--place', '10,10,160x90', 'test:160x90@5');
  const { window } = await waitFor(async () => (await made.wall.state()).windows[0], 'the window opens');
  const page = await made.open();
  await select(page, window);
  for (const name of ['inspector', 'history', 'stats', 'arrange', 'sessions']) await showPanel(page, name);
  await page.locator(`#window-${window} .title`).filter({ hasText: '<b>bold</b>' }).waitFor();
  assert.equal(await page.locator('body b').count(), 0);
  assert.equal(await page.locator('img[src="x"]').count(), 0);
  assert.notEqual(await page.title(), 'owned');
  await player.end();
});
