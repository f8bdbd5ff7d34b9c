// Active events: what is shown of them, and how people end them.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { axeFindings } from '../support/axe.js';
import { fixture } from '../support/fixture.js';

const made = fixture();

/** Saves the session that the event "door" shows, and leaves one other window on the wall. */
async function prepare() {
  const alarm = await made.wall.play('test:64x64@5', { place: [0, 0, 64, 64] });
  await made.wall.call('session_save', { name: 'alarm' });
  await made.wall.call('close', { window: alarm });
  await made.wall.call('event_rules', {
    rules: [
      { event: 'door', scene: 'alarm', acknowledge: true },
      { event: 'heat', scene: 'alarm' },
    ],
  });
  return made.wall.play('test:160x90@5', { place: [100, 0, 160, 90] });
}

test('an event is shown, hides the windows before it, and is ended from the keyboard', async () => {
  const before = await prepare();
  const page = await made.open();
  await page.locator(`#window-${before}`).waitFor();
  await made.wall.call('event_start', { name: 'heat' });
  await made.wall.call('event_start', { name: 'door', id: 'north' });
  const events = page.getByRole('region', { name: 'Active events' });
  await events.getByText(/^door \(north\), since today, /).waitFor();
  await events.getByText(/^heat, since today, /).waitFor();
  assert.equal(await events.getByRole('button').count(), 1, 'people may end only one of them');
  await page.locator(`#window-${before}`).waitFor({ state: 'detached' });
  assert.deepEqual(await axeFindings(page), []);

  await events.getByRole('button', { name: 'Acknowledge: door (north)' }).focus();
  await page.keyboard.press('Enter');
  await events.getByText(/^door/).waitFor({ state: 'detached' });
  await made.wall.call('event_clear', { name: 'heat' });
  await events.waitFor({ state: 'hidden' });
  await page.locator(`#window-${before}`).waitFor();
});

test('what an event could not do is shown beside it', async () => {
  await made.wall.call('event_rules', { rules: [{ event: 'door', do: [{ window: 'nobody', label: 'Alarm' }], camera: 'Gate', preset: '1' }] });
  const page = await made.open();
  await made.wall.call('event_start', { name: 'door' });
  const events = page.getByRole('region', { name: 'Active events' });
  await events.getByText('Gate: there is no camera', { exact: false }).last().waitFor();
  await events.getByText(/^nobody: /).waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await made.wall.call('event_clear', { name: 'door' });
  await events.waitFor({ state: 'hidden' });
});

test('events are shown in German, and viewers cannot end them', async () => {
  await prepare();
  const page = await made.open({ locale: 'de-AT', colorScheme: 'dark', viewport: { width: 390, height: 844 } });
  await made.wall.call('event_start', { name: 'door' });
  const events = page.getByRole('region', { name: 'Laufende Ereignisse' });
  await events.getByText(/^door, seit heute, /).waitFor();
  await events.getByRole('button', { name: 'Quittieren: door' }).waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await page.evaluate(() => (document.body.dataset.right = 'viewer'));
  await events.getByRole('button').waitFor({ state: 'hidden' });
  await made.wall.call('event_clear', { name: 'door' });
  await events.waitFor({ state: 'hidden' });
});
