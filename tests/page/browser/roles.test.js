// The page for each role: permitted actions, explanations, and signing out.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { connected, fixture, select, showPanel, showPeople } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';
import { WallPage } from '../support/wall_page.js';

const made = fixture({ key: 'open sesame, please', managerArguments: (folder) => ['--uploads', path.join(folder, 'uploads')] });

/** @param {string} name @param {string} role */
async function signedIn(name, role) {
  const file = path.join(made.wall.folder, 'password');
  writeFileSync(file, 'correct horse\n');
  await made.wall.vitrail('user', 'add', name, '--role', role, '--password-file', file);
  const page = await made.browser.open(made.wall.url);
  made.pages.push(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Password').fill('correct horse');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await connected(page);
  return page;
}

test('before one signs in nothing is wrong', async () => {
  const page = await made.browser.open(made.wall.url);
  made.pages.push(page);
  await page.getByRole('dialog').waitFor();
  assert.equal(await page.locator('#offline').isVisible(), false);
  assert.equal(await page.locator('#connection').textContent(), 'sign in');
  assert.equal(await page.locator('.toast').count(), 0);
});

test('a viewer looks, and is told so', async () => {
  const number = await made.wall.play('test:160x90@5', { place: [40, 40, 160, 90] });
  const page = await signedIn('vera', 'viewer');
  await page.locator('#role', { hasText: 'viewer' }).waitFor();
  for (const id of ['#undo', '#redo', '#pointer-tool']) assert.equal(await page.locator(id).isVisible(), false, id);
  const sources = await showPanel(page, 'sources');
  assert.equal(await sources.getByRole('button', { name: 'Upload files' }).isVisible(), false);
  assert.equal(await sources.locator('.source').first().isDisabled(), true);
  await page.locator(`#window-${number}`).waitFor();
  await select(page, number);
  assert.equal(await page.locator('.window-bar button').count(), 0);
  await new WallPage(page, made.wall).drag([100, 80], [200, 100]);
  await page.locator('.toast', { hasText: 'signed in as a viewer' }).waitFor();
  assert.deepEqual((await made.wall.window(number)).rect, [40, 40, 160, 90]);
});

test('a presenter changes and undoes what is their own', async () => {
  const others = await made.wall.play('test:160x90@5', { place: [40, 40, 160, 90] });
  const page = await signedIn('paul', 'presenter');
  await (await showPanel(page, 'sources')).getByRole('button', { name: /^Play Test card/ }).first().click();
  const own = await waitFor(async () => (await made.wall.state()).windows.find((/** @type {any} */ { window }) => window !== others), 'it plays');
  await page.locator(`#window-${own.window}`).waitFor();
  await select(page, own.window);
  await page.keyboard.press('Delete');
  await waitFor(async () => !(await made.wall.window(own.window)), 'it is closed');
  await page.locator('#undo:enabled').click();
  await waitFor(async () => (await made.wall.state()).windows.length === 2, 'it is back');
  await select(page, others);
  assert.equal(await page.locator('.window-bar button').count(), 0);
  await (await showPanel(page, 'inspector')).getByText('belongs to somebody else').waitFor();
});

test('who signs out is asked who they are', async () => {
  const page = await signedIn('olga', 'operator');
  const people = await showPeople(page);
  await people.getByText('signed in as olga, an operator').waitFor();
  await people.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('dialog').getByLabel('Password').waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.getItem('vitrail.key') ?? ''), '');
});
