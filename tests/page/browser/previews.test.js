// Files among the sources have previews, which are made when they become visible.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { fixture, showPanel } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';
import { makeClip } from '../support/programs.js';

const kFiles = 30; // more than are visible

const made = fixture({
  managerArguments: async (folder) => {
    const media = path.join(folder, 'media');
    mkdirSync(media);
    await makeClip(path.join(media, 'a film.mp4'), { seconds: 2 });
    writeFileSync(path.join(media, 'b broken.mp4'), 'no film');
    const plan = path.join(folder, 'plan.png');
    await makeClip(plan, { seconds: 1, rate: 1, extra: ['-frames:v', '1'] });
    for (let i = 0; i < kFiles; ++i) copyFileSync(plan, path.join(media, `plan ${String(i).padStart(2, '0')}.png`));
    return ['--media', media];
  },
});

test('a film has a picture, and what is broken its icon', async () => {
  const page = await made.open();
  const panel = await showPanel(page, 'sources');
  const film = panel.getByRole('button', { name: /a film\.mp4/ }).locator('img');
  await film.waitFor();
  assert.equal(await film.getAttribute('alt'), 'Preview of a film.mp4');
  await waitFor(() => film.evaluate((image) => /** @type {HTMLImageElement} */ (image).naturalWidth > 0), 'the picture is there');
  const broken = panel.getByRole('button', { name: /b broken/ });
  assert.equal(await broken.locator('img').isVisible(), false);
  assert.equal(await broken.locator('svg').isVisible(), true);
});

test('only what somebody sees is asked for', async () => {
  const page = await made.open({ viewport: { width: 1200, height: 500 } });
  const asked = () => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name))
    .filter(({ pathname }) => pathname === '/preview').map(({ searchParams }) => searchParams.get('source')));
  const panel = await showPanel(page, 'sources');
  await panel.getByRole('button', { name: /a film\.mp4/ }).locator('img').waitFor();
  const last = `media1/plan ${kFiles - 1}.png`;
  const first = await asked();
  assert.ok(first.includes('media1/a film.mp4') && !first.includes(last), first.join());
  const card = panel.getByRole('button', { name: new RegExp(`plan ${kFiles - 1}`) });
  await card.scrollIntoViewIfNeeded();
  await card.locator('img').waitFor();
  assert.ok((await asked()).includes(last));
});
