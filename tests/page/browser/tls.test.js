// The page by HTTPS, with a certificate that the browser does not trust.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { fixture, showPanel } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';
import { makeClip } from '../support/programs.js';

const kKey = 'open sesame, please';

const made = fixture({
  key: kKey,
  browserFlags: ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'],
  managerArguments: async (folder) => {
    const [certificate, key] = ['page.crt', 'page.key'].map((name) => path.join(folder, name));
    await promisify(execFile)('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes',
      '-subj', '/CN=wall', '-addext', 'subjectAltName=IP:127.0.0.1', '-out', certificate, '-keyout', key]);
    mkdirSync(path.join(folder, 'media'));
    await makeClip(path.join(folder, 'media/a film.mp4'), { seconds: 2 });
    return ['--media', path.join(folder, 'media'), '--page-certificate', certificate, '--page-key', key];
  },
});
const kTrusting = { hash: `#key=${encodeURIComponent(kKey)}`, ignoreHTTPSErrors: true };

test('the page works by HTTPS as it does without', async () => {
  const page = await made.open(kTrusting);
  assert.ok(await page.evaluate(() => isSecureContext && location.protocol === 'https:'));
  const window = await made.wall.play('test:64x64@10');
  await page.locator(`#window-${window}`).waitFor();
  const panel = await showPanel(page, 'sources');
  await panel.getByRole('button', { name: /a film/ }).locator('img').waitFor();
  const file = await makeClip(path.join(made.wall.folder, 'another.mp4'), { seconds: 1 });
  await panel.getByLabel('Files to upload').setInputFiles(file);
  await panel.getByRole('button', { name: 'Rename another.mp4' }).waitFor();
});

test('a camera is shared by TLS', async () => {
  const page = await made.open({ ...kTrusting, name: 'Ann' });
  const panel = await showPanel(page, 'sources');
  await panel.getByRole('button', { name: 'Share camera' }).click();
  const camera = async () => (await made.wall.state()).windows.find((/** @type {{ title: string }} */ { title }) => title === 'Ann’s camera');
  await waitFor(async () => (await camera())?.stats?.frames_shown > 5, 'the camera is seen');
  await panel.getByRole('button', { name: 'Stop sharing Ann’s camera' }).click();
  await waitFor(async () => !(await camera()), 'its window closes');
});

test('an address without the s leads to it, with the key', async () => {
  const plain = made.wall.url.replace('https:', 'http:');
  const page = await made.browser.open(plain + kTrusting.hash, { ignoreHTTPSErrors: true });
  made.pages.push(page);
  await page.locator('#connection[data-phase="open"]').waitFor();
  assert.ok(page.url().startsWith('https:'));
  assert.ok(!page.url().includes('sesame'));
});
