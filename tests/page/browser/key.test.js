// A wall with a key: entered, in the address, wrong; and people with a password instead.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { connected, fixture, showPanel } from '../support/fixture.js';
import { makeClip } from '../support/programs.js';

const made = fixture({
  key: 'open sesame, please',
  managerArguments: async (folder) => {
    mkdirSync(path.join(folder, 'media'));
    await makeClip(path.join(folder, 'media/a film.mp4'), { seconds: 2 });
    return ['--media', path.join(folder, 'media')];
  },
});

test('the key is asked for until it is right', async () => {
  const page = await made.browser.open(made.wall.url);
  made.pages.push(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Key').fill('a wrong one, sorry');
  await dialog.getByLabel('Key').press('Enter');
  await dialog.getByText('Wrong name').waitFor();
  await dialog.getByLabel('Key').fill('open sesame, please');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await connected(page);
  await dialog.waitFor({ state: 'hidden' });
  await page.reload();
  await connected(page);
});

test('somebody signs in by name and password, which are not kept', async () => {
  const file = path.join(made.wall.folder, 'password');
  writeFileSync(file, 'correct horse\n');
  await made.wall.vitrail('user', 'add', 'ann', '--role', 'viewer', '--password-file', file);
  const page = await made.browser.open(made.wall.url);
  made.pages.push(page);
  const dialog = page.getByRole('dialog');
  const signIn = async (/** @type {string} */ password) => {
    await dialog.getByLabel('Name').fill('ann');
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
  };
  await signIn('a wrong one, sorry');
  await dialog.getByText('Wrong name').waitFor();
  await signIn('correct horse');
  await connected(page);
  const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
  assert.ok(!kept.includes('correct horse'));
  await page.reload();
  await connected(page);
  await page.waitForLoadState('networkidle'); // a preview in flight would be refused and reported
  await made.wall.vitrail('user', 'remove', 'ann');
  await dialog.getByText('Wrong name').waitFor();
});

test('the key may come with the address, and does not stay there', async () => {
  const page = await made.open({ hash: '#key=open%20sesame%2C%20please' });
  assert.ok(!page.url().includes('sesame'));
});

test('previews come and uploads go with a proof', async () => {
  const page = await made.open({ hash: '#key=open%20sesame%2C%20please' });
  const panel = await showPanel(page, 'sources');
  await panel.getByRole('button', { name: /a film/ }).locator('img').waitFor();
  const file = await makeClip(path.join(made.wall.folder, 'another.mp4'), { seconds: 1 });
  await panel.getByLabel('Files to upload').setInputFiles(file);
  await panel.getByRole('button', { name: 'Rename another.mp4' }).waitFor();
});
