// Who drives a window: shown on the window and in its panel, taken over, handed over, released.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { connected, fixture, select, showPanel } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';

const made = fixture();

/** Waits until this person drives the window. @param {number} number @param {string} [name] omitted: nobody */
function driven(number, name) {
  return waitFor(async () => (await made.wall.window(number)).driver?.name === name, `${name ?? 'nobody'} drives the window`);
}

test('a person takes a window over, hands it over, and releases it', async () => {
  made.wall.start('draw_c');
  const { window } = await waitFor(async () => (await made.wall.state()).windows[0], 'the application’s window');
  const ann = await made.wall.client('Ann');
  await ann.call('subscribe');
  await ann.call('drive', { window, action: 'take' });
  const page = await made.open({ name: 'Grace' });
  const badge = page.locator(`#window-${window} .driver`);
  await badge.filter({ hasText: 'Ann' }).waitFor();
  await select(page, window);
  const panel = await showPanel(page, 'inspector');
  await panel.getByText('Ann controls this window.').waitFor();

  await page.locator(`#window-${window}`).focus();
  await page.keyboard.press('Enter');
  await page.locator('.input-bar').getByText('Ann controls this window.').waitFor();
  await page.locator('.input-bar').getByRole('button', { name: 'Take over' }).click();
  await driven(window, 'Grace');
  await page.locator('.input-bar').getByText('You control').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await driven(window);

  await panel.getByRole('button', { name: 'Take over' }).click();
  await panel.getByText('You control this window.').waitFor();
  await panel.getByLabel('Hand over to').selectOption({ label: 'Ann' });
  await panel.getByRole('button', { name: 'Hand over' }).click();
  await driven(window, 'Ann');
  await panel.getByRole('button', { name: 'Release' }).click();
  await driven(window);
  await badge.filter({ hasText: 'Ann' }).waitFor({ state: 'detached' });
  ann.close();
});

test('input drives a window until input mode is left', async () => {
  made.wall.start('draw_c');
  const { window } = await waitFor(async () => (await made.wall.state()).windows[0], 'the application’s window');
  const page = await made.open({ name: 'Grace' });
  await select(page, window);
  await page.keyboard.press('Enter');
  await driven(window, 'Grace');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await driven(window);
});

test('input of several people reaches a window until one of them takes it over', async () => {
  made.wall.start('draw_c');
  const { window } = await waitFor(async () => (await made.wall.state()).windows[0], 'the application’s window');
  const ann = await made.wall.client('Ann');
  const key = { window, type: 'key_down', key: 'F9' };
  await ann.call('input', key);
  const page = await made.open({ name: 'Grace' });
  await page.locator(`#window-${window} .driver`).filter({ hasText: 'Ann' }).waitFor();
  await select(page, window);
  const panel = await showPanel(page, 'inspector');
  await panel.getByText('Ann controls this window.').waitFor();
  await page.locator(`#window-${window}`).focus();
  await page.keyboard.press('Enter');
  const bar = page.locator('.input-bar');
  await bar.getByText('You control').waitFor();
  await driven(window, 'Ann');
  await ann.call('drive', { window, action: 'release' });
  await driven(window);

  await page.keyboard.press('a');
  await driven(window, 'Grace');
  await panel.getByText('You control this window.').waitFor();
  await panel.getByRole('button', { name: 'Take over' }).waitFor();
  await ann.call('input', key);
  await bar.getByRole('button', { name: 'Take over' }).click();
  for (const place of [bar, panel]) await place.getByRole('button', { name: 'Take over' }).waitFor({ state: 'hidden' });
  await assert.rejects(ann.call('input', key), /'Grace' drives window/);
  ann.close();
});

test('a window that is taken after input mode was left is released', async () => {
  made.wall.start('draw_c');
  const { window } = await waitFor(async () => (await made.wall.state()).windows[0], 'the application’s window');
  const page = await made.open({ name: 'Grace' });
  let take = () => {};
  /** @type {string[]} */
  const actions = [];
  await page.routeWebSocket('**/control', (socket) => {
    const manager = socket.connectToServer();
    socket.onMessage((text) => {
      const { method, params } = JSON.parse(String(text));
      if (method === 'drive') actions.push(params.action);
      if (params?.action === 'take') take = () => manager.send(text);
      else manager.send(text);
    });
  });
  await page.reload();
  await connected(page);
  await select(page, window);
  await page.keyboard.press('Enter');
  await page.locator('.input-bar').getByRole('button', { name: 'Take over' }).click();
  await page.locator('.input-bar').getByRole('button', { name: 'Leave' }).click();
  await driven(window);
  assert.deepEqual(actions, ['take']);
  take();
  await waitFor(() => actions.length > 1, 'the release');
  assert.deepEqual(actions, ['take', 'release']);
  await driven(window);
});

test('windows are handed over to people who may control them', async () => {
  made.wall.start('draw_c');
  const { window } = await waitFor(async () => (await made.wall.state()).windows[0], 'the application’s window');
  const people = [await made.wall.client('Ann'), await made.wall.client('Vic')];
  for (const person of people) await person.call('subscribe');
  const page = await made.open({ name: 'Grace' });
  await page.routeWebSocket('**/control', (socket) => {
    const manager = socket.connectToServer();
    manager.onMessage((text) => {
      const message = JSON.parse(String(text));
      for (const client of (message.result ?? message.params)?.clients ?? []) if (client.name === 'Vic') client.right = 'viewer';
      socket.send(JSON.stringify(message));
    });
  });
  await page.reload();
  await connected(page);
  await select(page, window);
  const panel = await showPanel(page, 'inspector');
  await panel.getByLabel('Hand over to').locator('option', { hasText: 'Ann' }).waitFor({ state: 'attached' });
  assert.equal(await panel.getByLabel('Hand over to').locator('option', { hasText: 'Vic' }).count(), 0);
  for (const person of people) person.close();
});
