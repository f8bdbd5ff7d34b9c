// The manager dies, and the page continues at its standby.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';

import { Browser } from '../support/browser.js';
import { connected } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';
import { Wall } from '../support/wall.js';

const kKey = 'open sesame, please';

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}

test('the page goes to the standby that took over, with what lets it in', async () => {
  const wall = await Wall.start({ key: kKey });
  const browser = await Browser.start();
  try {
    const port = await freePort();
    const standby = wall.start('vitrail-manager', '--wall', path.join(wall.folder, 'wall.json'), '--listen', '127.0.0.1:0',
      '--page', `127.0.0.1:${port}`, '--state', path.join(wall.folder, 'second'), '--standby-of', String(wall.env.VITRAIL_MANAGER));
    await waitFor(() => standby.output().includes('standing by for'), 'it stands by');
    const page = await browser.open(`${wall.url}#key=${encodeURIComponent(kKey)}`);
    await connected(page);
    await page.route('**/uploads/*', () => {}); // the upload never finishes
    await page.getByRole('tab', { name: 'Sources' }).click();
    await page.getByLabel('Files to upload').setInputFiles({ name: 'slow.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(5000) });
    await page.getByRole('progressbar', { name: 'slow.mp4' }).first().waitFor();
    await wall.killManager();
    await waitFor(() => page.url().startsWith(`http://127.0.0.1:${port}/`), 'the page goes on');
    await page.locator('.toast.error', { hasText: 'stopped during an upload' }).waitFor();
    await connected(page);
    assert.ok(!page.url().includes('sesame') && !page.url().includes('interrupted'));
    assert.ok(standby.output().includes('taking over'));
  } finally {
    await browser.close();
    await wall.close();
  }
});
