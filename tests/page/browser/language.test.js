// The page uses the browser's language, or the one that the person chose.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { connected, fixture, showPeople } from '../support/fixture.js';

const made = fixture();

test('the language follows the browser, and the choice of the person', async () => {
  const page = await made.open({ locale: 'de-AT' });
  await page.getByRole('tab', { name: 'Quellen' }).waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'de');
  await page.getByRole('searchbox', { name: 'Quellen suchen' }).waitFor();
  await (await showPeople(page)).getByLabel('Sprache').selectOption('English');
  await page.getByRole('tab', { name: 'Sources' }).waitFor();
  await connected(page);
  await (await showPeople(page)).getByLabel('Language').selectOption('Same as the browser');
  await page.getByRole('tab', { name: 'Quellen' }).waitFor();
});
