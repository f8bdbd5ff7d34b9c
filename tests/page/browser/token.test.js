// A wall with a token: asked for, said in the address, wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { connected, fixture } from '../support/fixture.js';

const made = fixture({ token: 'open sesame' });

test('the token is asked for until it is right', async () => {
  const page = await made.browser.open(made.wall.url);
  made.pages.push(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Token').fill('wrong');
  await dialog.getByLabel('Token').press('Enter');
  await dialog.getByText('not right').waitFor();
  await dialog.getByLabel('Token').fill('open sesame');
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await connected(page);
  await dialog.waitFor({ state: 'hidden' });
  await page.reload();
  await connected(page);
});

test('the token may come with the address, and does not stay there', async () => {
  const page = await made.open({ hash: '#token=open%20sesame' });
  assert.ok(!page.url().includes('sesame'));
});
