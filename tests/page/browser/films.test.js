// The films of a film server in the page: listed with their load, played on the wall, refused with the reason.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';

import { fixture, onPage, showPanel } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';
import { makeClip, run } from '../support/programs.js';

let server = '';
let films = '';

/** A port that is free now; the manager's options name it before the film server listens there. @returns {Promise<number>} */
const freePort = () => new Promise((resolve) => {
  const socket = createServer().listen(0, '127.0.0.1', () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (socket.address());
    socket.close(() => resolve(port));
  });
});

const made = fixture({
  managerArguments: async (folder) => {
    films = path.join(folder, 'films');
    mkdirSync(films);
    const clip = await makeClip(path.join(films, 'trailer.mp4'), { seconds: 4 });
    for (const name of ['harbour.vmov', 'mountains.vmov']) await run('vitrail', ['convert', clip, path.join(films, name)], process.env);
    server = `127.0.0.1:${await freePort()}`;
    return ['--film-server', server, '--film-server', '127.0.0.1:9'];
  },
});

/** @type {Promise<unknown> | undefined} */
let serving;

/** Opens the page with the film server running. Its storage is fast enough for one film, but not for two. */
async function filmsPanel() {
  made.expected ??= /503.*\/preview\?film=server/; // a poster that is not ready yet and is requested again
  const page = await made.open();
  if (!serving) made.wall.start('vitrail-server', '--films', films, '--listen', server, '--source-rate', '0.6', '--catalogue', path.join(made.wall.folder, 'films.db'));
  serving ??= waitFor(() => made.wall.call('films').then(() => true, () => false), 'the film server answers');
  await serving;
  return { page, panel: await showPanel(page, 'films') };
}

const windows = async () => (await made.wall.state()).windows;

test('films are listed with what they are and take, and found', async () => {
  const { panel } = await filmsPanel();
  const film = panel.getByRole('button', { name: /^Play harbour\.vmov 0:04 · 320×180 · 15 fps · [\d.]+ [kM]B · \d+(\.\d+)? MB\/s$/ });
  await film.waitFor();
  assert.equal(await film.locator('img').getAttribute('alt'), 'Poster of harbour.vmov');
  await waitFor(() => film.locator('img').evaluate((image) => /** @type {HTMLImageElement} */ (image).naturalWidth === 320), 'its poster is there');
  const stored = panel.getByRole('button', { name: /trailer\.mp4 Must be converted first/ });
  assert.ok(await stored.isDisabled());
  await panel.getByLabel('Search films').fill('MOUNT');
  await film.waitFor({ state: 'detached' });
  await panel.getByText('1 film', { exact: true }).waitFor();
});

test('a film is put on the wall by dragging it there', async () => {
  const { page, panel } = await filmsPanel();
  await panel.getByRole('button', { name: /harbour/ }).hover();
  await page.mouse.down();
  const to = await onPage(page, made.wall, 480, 60);
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.locator('.carried-ghost.over').waitFor();
  await page.mouse.up();
  const window = await waitFor(async () => (await windows())[0], 'a window opens');
  const [x, y, width, height] = window.rect;
  assert.ok(Math.abs(x + width / 2 - 480) <= 8 && Math.abs(y + height / 2 - 60) <= 8, `its middle is where it was dropped: ${window.rect}`);
  assert.deepEqual(window.media, [`server://${server}/harbour.vmov`]);
});

test('a film that would be too much is refused with the numbers, and played with what is left if that is wanted', async () => {
  const { page, panel } = await filmsPanel();
  await panel.getByRole('button', { name: /harbour/ }).focus();
  await page.keyboard.press('Enter');
  await waitFor(async () => (await windows()).length === 1, 'a window opens');
  await panel.getByRole('button', { name: /mountains/ }).click();
  const why = /mountains\.vmov needs [\d.]+ MB\/s, but of the 0\.51 MB\/s available for films \(85 % of the 0\.60 MB\/s that the storage delivers\) [\d.]+ are already reserved/;
  await panel.getByText(why).waitFor();
  await waitFor(async () => why.test(await page.locator('#alert').innerText()), 'it is said, too');
  assert.equal((await windows()).length, 1);
  await panel.getByRole('button', { name: 'Play it anyway, skipping frames' }).click();
  await waitFor(async () => (await windows()).length === 2, 'it plays');
  await panel.getByText(why).waitFor({ state: 'hidden' });
});

test('a film server that is away is told of in words, and another is chosen', async () => {
  const { panel } = await filmsPanel();
  await panel.getByRole('button', { name: /harbour/ }).waitFor();
  await panel.getByRole('button', { name: '127.0.0.1:9' }).click();
  await panel.getByText(/no answer from the film server at 127\.0\.0\.1:9/).waitFor();
  await panel.getByRole('button', { name: server }).click();
  await panel.getByRole('button', { name: /harbour/ }).waitFor();
});
