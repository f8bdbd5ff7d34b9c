// The page uses the browser's language, or the one that the person chose.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { connected, fixture, showPeople } from '../support/fixture.js';

const made = fixture();

/** The tables of texts that the page has loaded. @param {import('playwright-core').Page} page */
const tables = (page) => page.evaluate(() => performance.getEntriesByType('resource').flatMap(({ name }) => /texts\/(\w+)\.js$/.exec(name)?.[1] ?? []));

test('the language follows the browser, and the choice of the person', async () => {
  const page = await made.open({ locale: 'de-AT' });
  await page.getByRole('tab', { name: 'Quellen' }).waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'de');
  assert.deepEqual(await tables(page), ['de'], 'no other language is loaded');
  await page.getByRole('searchbox', { name: 'Quellen suchen' }).waitFor();
  await (await showPeople(page)).getByLabel('Sprache').selectOption('English');
  await page.getByRole('tab', { name: 'Sources' }).waitFor();
  await connected(page);
  assert.deepEqual(await tables(page), ['en']);
  await (await showPeople(page)).getByLabel('Language').selectOption('Same as the browser');
  await page.getByRole('tab', { name: 'Quellen' }).waitFor();
});

test('the remote loads one language', async () => {
  const page = await made.browser.open(`${made.wall.url}remote/`, { locale: 'de-DE' });
  made.pages.push(page);
  await connected(page);
  await page.getByText('Die Wand ist leer.').waitFor();
  assert.deepEqual(await tables(page), ['de']);
});
