// Links to the pages of the other walls of a site.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { connected, fixture } from '../support/fixture.js';

const kLobby = { name: 'lobby <1>', page: 'https://lobby.example:7480/' };

const made = fixture({
  managerArguments: (folder) => {
    const file = path.join(folder, 'walls.json');
    writeFileSync(file, JSON.stringify({ walls: [{ name: 'test', manager: 'here', page: 'http://here/' }, { ...kLobby, manager: 'lobby' }] }));
    return ['--walls', file];
  },
});

test('the page links to the other walls once, also after a reconnection', async () => {
  const page = await made.open();
  const links = () => page.locator('#walls a').evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')]));
  assert.deepEqual(await links(), [[kLobby.name, kLobby.page]]);
  await made.wall.killManager();
  await page.locator('#connection[data-phase=waiting]').waitFor();
  await made.wall.startManager();
  await connected(page);
  assert.deepEqual(await links(), [[kLobby.name, kLobby.page]]);
});
