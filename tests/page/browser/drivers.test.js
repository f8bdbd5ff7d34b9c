// Who drives a window: shown on the window and in its panel, taken over, handed over, released.
import { test } from 'node:test';

import { fixture, select, showPanel } from '../support/fixture.js';
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
