// The journal in the history's panel: entries, filters, denied attempts, the wall before and after an entry, exports, languages.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { axeFindings } from '../support/axe.js';
import { fixture, showPanel } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';

const kKey = 'open sesame, please';
const made = fixture({ key: kKey });

/** The hash that signs in with a key. @param {string} [key] */
const signIn = (key = kKey) => `#key=${encodeURIComponent(key)}`;

/** A key of this role, held by vera. @param {string} role */
async function keyOf(role) {
  const file = path.join(made.wall.folder, 'key');
  writeFileSync(file, kKey, { mode: 0o600 });
  return (await made.wall.vitrail('key', 'show', '--role', role, '--name', 'vera', file)).trim();
}

/** Opens the journal by the keyboard. */
async function openJournal() {
  const page = await made.open({ hash: signIn() });
  await (await showPanel(page, 'history')).getByRole('button', { name: /^Journal/ }).press('Enter');
  const journal = page.getByRole('dialog', { name: 'Journal' });
  await journal.getByRole('listitem').first().waitFor();
  return { page, journal };
}

/** Moves a window from 10 to 222, and tries to close it as a viewer. */
async function moveAndDeny() {
  const window = await made.wall.play('test:80x60@5', { place: [10, 10, 80, 60] });
  // Layouts are noted once a second, and for each question.
  await made.wall.call('journal', { at: Date.now() / 1000 + 60 });
  await made.wall.call('move', { window, x: 222, y: 10 });
  const headers = { authorization: `Bearer ${await keyOf('viewer')}`, 'content-type': 'application/json' };
  assert.equal((await fetch(`${made.wall.url}api/close`, { method: 'POST', headers, body: JSON.stringify({ window }) })).status, 403);
  return window;
}

test('changes and denied attempts are listed, filtered, and drawn', async () => {
  const number = await moveAndDeny();
  const { page, journal } = await openJournal();
  const entries = journal.getByRole('listitem');
  await entries.and(journal.locator('.denied')).filter({ hasText: 'vera' }).filter({ hasText: 'denied' }).filter({ hasText: 'close' }).waitFor();

  await journal.getByLabel('Verb').fill('move');
  await journal.getByLabel('Window', { exact: true }).fill(String(number));
  await journal.getByLabel('Window', { exact: true }).press('Enter');
  await waitFor(async () => (await entries.count()) === 1, 'one entry is left');
  await entries.getByRole('button', { name: /^The wall before and after/ }).press('Enter');
  const walls = entries.getByRole('figure');
  await walls.nth(1).waitFor();
  const places = await entries.locator('.miniature .window').evaluateAll((all) => all.map((node) => Number(node.getAttribute('x'))));
  assert.deepEqual(places, [10, 222]);
  assert.match(await walls.first().innerText(), /^Before: .*80x60/);
  assert.deepEqual(await axeFindings(page), []);

  await journal.getByLabel('Person or key').fill('nobody at all');
  await journal.getByRole('button', { name: 'Search' }).press('Enter');
  await journal.getByText('Nothing found.').waitFor();
  await journal.getByLabel('Window', { exact: true }).fill('');
  await journal.getByLabel('Verb').fill('');
  await journal.getByLabel('Person or key').fill('vera');
  await journal.getByLabel('Person or key').press('Enter');
  await waitFor(async () => (await entries.count()) >= 1 && (await entries.locator('strong').count()) === (await entries.count()), 'all that vera tried was denied');
  await journal.getByLabel('From').fill('2999-01-01T00:00');
  await journal.getByLabel('From').press('Enter');
  await journal.getByText('Nothing found.').waitFor();
});

test('what is shown is exported', async () => {
  await moveAndDeny();
  const { page, journal } = await openJournal();
  await journal.getByLabel('Verb').fill('close');
  await journal.getByRole('button', { name: 'Search' }).click();
  await waitFor(async () => (await journal.locator('.what').allInnerTexts()).every((text) => text.startsWith('close')), 'only closings are shown');
  /** @param {string} format */
  const saved = async (format) => {
    const [download] = await Promise.all([page.waitForEvent('download'), journal.getByRole('button', { name: `Export as ${format}` }).click()]);
    return readFileSync(await download.path(), 'utf8');
  };
  const lines = (await saved('JSON')).split('\n').map((line) => JSON.parse(line));
  assert.ok(lines.length > 0 && lines.every(({ verb }) => verb === 'close'), JSON.stringify(lines));
  assert.match(await saved('CSV'), /^n,at,who.*\r\n.*"vera".*"unauthorized"/);
});

test('it is dark, German and on a phone, too; an operator does not see it', async () => {
  await moveAndDeny();
  const page = await made.open({ hash: signIn(), locale: 'de-AT', colorScheme: 'dark', viewport: { width: 390, height: 844 }, hasTouch: true });
  await (await showPanel(page, 'history')).getByRole('button', { name: /^Journal/ }).click();
  const journal = page.getByRole('dialog', { name: 'Journal' });
  await journal.getByText('abgelehnt').first().waitFor();
  await journal.getByRole('button', { name: /^Die Wand vor und nach/ }).first().click();
  await journal.getByText(/^Danach: /).first().waitFor();
  assert.deepEqual(await axeFindings(page), []);
  const box = await journal.boundingBox();
  assert.ok(box && box.x >= 0 && box.x + box.width <= 390);
  await page.keyboard.press('Escape');
  assert.equal(await journal.count(), 0);

  const operator = await made.open({ hash: signIn(await keyOf('operator')) });
  const history = await showPanel(operator, 'history');
  await history.getByRole('listitem').first().waitFor();
  assert.equal(await history.getByRole('button', { name: /^Journal/ }).isVisible(), false);
});
