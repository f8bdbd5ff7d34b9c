// Behind a proxy that does not pass WebSocket upgrades, the page says so, and connects when the proxy passes them.
import { test } from 'node:test';

import { connected, fixture } from '../support/fixture.js';
import { Proxy } from '../support/proxy.js';

const made = fixture();

/** Opens a page through a proxy. @param {import('node:test').TestContext} t @param {boolean} passesUpgrades */
async function open(t, passesUpgrades) {
  const proxy = await Proxy.start(made.wall.url);
  t.after(() => proxy.close());
  proxy.passesUpgrades = passesUpgrades;
  const page = await made.browser.open(proxy.url);
  made.pages.push(page);
  return { page, proxy };
}

test('a proxy that lets no WebSocket through is named, and what it must do', async (t) => {
  made.expected = /WebSocket connection to/;
  const { page, proxy } = await open(t, false);
  const message = page.locator('#offline');
  await message.filter({ hasText: 'The page loads, but its WebSocket connection fails: the proxy must forward the headers “Upgrade” and “Connection”' }).waitFor();
  proxy.passesUpgrades = true;
  await connected(page);
  await message.waitFor({ state: 'hidden' });
});

test('a manager that is gone is no proxy', async (t) => {
  made.expected = /WebSocket connection to|ERR_|Failed to load/;
  const { page } = await open(t, true);
  await connected(page);
  await made.wall.killManager();
  await page.locator('#offline', { hasText: 'No connection to the wall' }).waitFor();
  await made.wall.startManager();
  await connected(page);
});
