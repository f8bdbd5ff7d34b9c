// The panel of a window that shows a camera. The test answers for the manager, which has no camera here.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { axeFindings } from '../support/axe.js';
import { connected, fixture, select, showPanel } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';

/** @typedef {import('playwright-core').Page} Page */

const made = fixture();
const kMedium = 'rtsp://camera.example/door';

/** The answers of a manager that has the camera. @type {Record<string, object>} */
const kAnswers = { sources: { sources: [{ moves: true }] }, camera_presets: { presets: [{ preset: '1', name: 'Door' }, { preset: '2', name: 'Gate' }] }, camera_move: {} };

const kFailed = { code: 1000, message: 'the camera does not answer', data: { name: 'internal' } };

/** Lets the window show a camera; returns the movements that the page asks for. @param {Page} page @param {number} window @param {() => void} [failed] called when requests have been answered with errors; omitted: they succeed */
async function showCamera(page, window, failed) {
  /** @type {object[]} */
  const moves = [];
  await page.routeWebSocket('**/control', (socket) => {
    const manager = socket.connectToServer();
    socket.onMessage((text) => {
      const { id, method, params } = JSON.parse(String(text));
      if (method === 'camera_move') moves.push(params);
      if (!(method in kAnswers && (method !== 'sources' || params.ids))) return manager.send(text);
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...(failed ? { error: kFailed } : { result: kAnswers[method] }) }));
      failed?.();
    });
    manager.onMessage((text) => {
      const message = JSON.parse(String(text));
      for (const one of (message.result ?? message.params)?.windows ?? []) if (one.window === window) one.media = [kMedium];
      socket.send(JSON.stringify(message));
    });
  });
  return moves;
}

test('a camera moves while a button is held, and goes to presets', async () => {
  const window = await made.wall.play('test:160x90@5', { place: [10, 10, 160, 90] });
  const page = await made.open();
  const moves = await showCamera(page, window);
  await page.reload();
  await connected(page);
  await select(page, window);
  const panel = await showPanel(page, 'inspector');
  const button = (/** @type {string} */ name) => panel.locator('.pad').getByRole('button', { name, exact: true });
  const came = async (/** @type {object[]} */ ...expected) => {
    await waitFor(() => moves.length >= expected.length, 'the movements');
    assert.deepEqual(moves.splice(0), expected.map((one) => ({ window, ...one })));
  };
  await button('Left').hover();
  await page.mouse.down();
  await waitFor(() => moves.length >= 2, 'the movement goes on');
  await page.mouse.up();
  await waitFor(() => moves.some((one) => 'move' in one && one.move === 'stop'), 'the stop');
  assert.deepEqual(moves[0], { window, move: 'left', ms: 3000 });
  assert.deepEqual(moves.splice(0).at(-1), { window, move: 'stop' });

  await button('Zoom in').focus();
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await came({ move: 'in', ms: 3000 }, { move: 'stop' });
  await page.keyboard.press('Space');
  await came({ move: 'in', ms: 3000 }, { move: 'stop' });
  await button('Up').dispatchEvent('click', { detail: 0 }); // as a screen reader
  await came({ move: 'up', ms: 500 });
  await button('Home position').click();
  await came({ move: 'home' });
  await panel.getByLabel('Preset').selectOption({ label: 'Gate' });
  await panel.getByRole('button', { name: 'Go to' }).click();
  await came({ preset: '2' });
  assert.deepEqual(await axeFindings(page), []);
});

test('a camera that does not answer has no controls, and its window is selected without a message', async () => {
  const window = await made.wall.play('test:160x90@5', { place: [10, 10, 160, 90] });
  const page = await made.open();
  let answers = 0;
  await showCamera(page, window, () => answers++);
  await page.reload();
  await connected(page);
  await select(page, window);
  const panel = await showPanel(page, 'inspector');
  await waitFor(() => answers > 0, 'the answer');
  await page.evaluate(() => new Promise((resume) => requestAnimationFrame(resume)));
  assert.equal(await page.locator('#toasts > .error').count(), 0);
  assert.ok(await panel.locator('.pad').isHidden());
});
