// Sources from the list come onto the wall by mouse, keyboard and finger; files of the computer by upload.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { test } from 'node:test';

import { fixture, onPage, showPanel } from '../support/fixture.js';
import { kPatienceMs, waitFor } from '../support/patience.js';
import { readPng } from '../support/png.js';
import { kBin, makeClip } from '../support/programs.js';

/** @typedef {import('playwright-core').Page} Page */

const kChunkBytes = 4 << 20; // the page's upload chunk

const made = fixture({
  managerArguments: async (folder) => {
    const media = path.join(folder, 'media');
    mkdirSync(media);
    await makeClip(path.join(media, 'harbour.mp4'), { seconds: 10 });
    copyFileSync(path.join(media, 'harbour.mp4'), path.join(media, 'mountains.mp4'));
    await makeClip(path.join(media, 'plan.png'), { seconds: 1, rate: 1, extra: ['-frames:v', '1'] });
    await makeClip(path.join(media, 'stairs.png'), { seconds: 1, rate: 1, extra: ['-frames:v', '1', '-vf', 'negate'] });
    writeFileSync(path.join(media, 'broken.mp4'), Buffer.alloc(5000, 7));
    const commands = path.join(folder, 'commands.json');
    const clock = { title: 'Hall <clock>', arguments: [path.join(kBin, 'bplay'), 'test:160x90@5'] };
    writeFileSync(commands, JSON.stringify({ clock, slow: { title: 'Slow program', arguments: ['sleep', '600'] } }));
    return ['--media', media, '--uploads', path.join(folder, 'uploads'), '--upload-limit', '8', '--commands', commands];
  },
});

const windows = async () => (await made.wall.state()).windows;

/** The only window, as soon as it is open. */
const opened = () => waitFor(async () => (await windows())[0], 'a window opens');

/** @param {Page} page */
async function sources(page) {
  return showPanel(page, 'sources');
}

/** Drags a source onto the wall. @param {Page} page @param {import('playwright-core').Locator} source @param {number} x wall pixels @param {number} y */
async function carry(page, source, x, y) {
  await source.hover();
  await page.mouse.down();
  const to = await onPage(page, made.wall, x, y);
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.locator('.carried-ghost.over').waitFor();
  await page.mouse.up();
}

test('the list is searched and filtered', async () => {
  const page = await made.open();
  const panel = await sources(page);
  await panel.getByRole('button', { name: /harbour/ }).waitFor();
  await panel.getByLabel('Search sources').fill('mount');
  await panel.getByRole('button', { name: /harbour/ }).waitFor({ state: 'detached' });
  assert.equal(await panel.getByRole('button', { name: /mountains/ }).count(), 1);
  await panel.getByLabel('Search sources').fill('');
  await panel.getByRole('button', { name: 'Test cards' }).click();
  await panel.getByRole('button', { name: /mountains/ }).waitFor({ state: 'detached' });
  await panel.locator('.source').first().waitFor();
});

test('a film dragged onto the wall starts there', async () => {
  const page = await made.open();
  const panel = await sources(page);
  await carry(page, panel.getByRole('button', { name: /harbour/ }), 480, 60);
  const window = await opened();
  assert.match(window.title, /harbour/);
  const [x, y, width, height] = window.rect;
  assert.ok(Math.abs(x + width / 2 - 480) <= 8 && Math.abs(y + height / 2 - 60) <= 8, `its middle is where it was dropped: ${window.rect}`);
  await waitFor(async () => (await made.wall.wallPixels()).count([Math.max(x, 330), Math.max(y, 0), 40, 40], ([r, g, b]) => r + g + b > 60) > 800, 'its picture is there');
  assert.equal((await windows()).length, 1, 'the press that began it plays nothing more');
});

test('a source is played from the keyboard', async () => {
  const page = await made.open();
  const panel = await sources(page);
  await panel.getByLabel('Search sources').fill('plan');
  await panel.getByRole('button', { name: /harbour/ }).waitFor({ state: 'detached' });
  await panel.getByRole('button', { name: /plan/ }).focus();
  await page.keyboard.press('Enter');
  assert.match((await opened()).title, /plan/);
});

test('a source is carried by a finger', async () => {
  const page = await made.open({ hasTouch: true });
  const panel = await sources(page);
  const box = await panel.getByRole('button', { name: /mountains/ }).boundingBox();
  assert.ok(box);
  const to = await onPage(page, made.wall, 100, 90);
  const touches = await page.context().newCDPSession(page);
  const at = (/** @type {number} */ x, /** @type {number} */ y) => ({ touchPoints: [{ x, y }] });
  await touches.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(box.x + 30, box.y + 20) });
  await page.locator('.carried-ghost').waitFor();
  await touches.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(to.x, to.y) });
  await page.locator('.carried-ghost.over').waitFor();
  await touches.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  assert.match((await opened()).title, /mountains/);
});

test('a saved program is started where it is dropped', async () => {
  const page = await made.open();
  const panel = await sources(page);
  await panel.getByRole('button', { name: 'Programs' }).click();
  await carry(page, panel.getByRole('button', { name: /Hall <clock>/ }), 160, 90);
  const [x, y, width, height] = (await opened()).rect;
  assert.ok(Math.abs(x + width / 2 - 160) <= 8 && Math.abs(y + height / 2 - 90) <= 8, 'its middle is where it was dropped');
});

test('cards say what a file is', async () => {
  const page = await made.open();
  const panel = await sources(page);
  const film = panel.getByRole('button', { name: /^Play harbour\.mp4 0:10 · \d+×\d+ · [\d.]+ [kM]B$/ });
  await film.waitFor();
  assert.match(await film.innerText(), /harbour\.mp4\s+0:10 · /, 'and nothing of where it is');
  assert.match(await panel.getByRole('button', { name: /^Play plan\.png/ }).innerText(), /plan\.png\s+\d+×\d+ · /);
  const broken = panel.getByRole('button', { name: /Cannot be shown/ });
  assert.ok(await broken.isDisabled());
  assert.match(await broken.innerText(), /broken\.mp4\s+Cannot be shown: .*damaged/);
  assert.equal(await panel.getByRole('button', { name: 'Remove harbour.mp4' }).count(), 0, 'they are only read');
});

test('an uploaded file is renamed and removed', async () => {
  const page = await made.open();
  made.expected = /404.*\/preview\?source=uploads/; // the preview may be requested after the source was removed
  const panel = await sources(page);
  await panel.getByLabel('Files to upload').setInputFiles(path.join(made.wall.folder, 'media/mountains.mp4'));
  await opened();
  await panel.getByText(/^Uploads take [\d.]+ [kM]B of 68\.72 GB\.$/).waitFor();
  await panel.getByRole('button', { name: 'Rename mountains.mp4' }).click();
  const name = panel.getByLabel('New name of mountains.mp4');
  await name.press('Escape');
  await name.waitFor({ state: 'detached' });
  await panel.getByRole('button', { name: 'Rename mountains.mp4' }).click();
  await name.fill('Alps');
  await name.press('Enter');
  await panel.getByRole('button', { name: /^Play Alps\.mp4/ }).waitFor();
  assert.ok(existsSync(path.join(made.wall.folder, 'uploads/Alps.mp4')));
  await panel.getByRole('button', { name: 'Remove Alps.mp4' }).click();
  await panel.getByRole('button', { name: /^Play Alps\.mp4/ }).waitFor({ state: 'detached' });
  assert.equal(existsSync(path.join(made.wall.folder, 'uploads/Alps.mp4')), false);
});

test('what runs is found and brought where it is dropped', async () => {
  const number = await made.wall.play('test:160x90@5', { place: [10, 10, 160, 90] });
  const page = await made.open();
  const panel = await sources(page);
  await panel.getByRole('button', { name: 'Running' }).click();
  const running = panel.getByRole('button', { name: /Bring to front/ });
  await running.getByText('Bring to front').waitFor();
  await waitFor(async () => await panel.getByRole('button', { name: /^Play/ }).count() === 0, 'only what runs is listed');
  await running.click();
  await page.locator(`#window-${number}[aria-selected="true"]`).waitFor();
  await carry(page, running, 480, 90);
  await waitFor(async () => (await made.wall.window(number)).rect.join() === '400,45,160,90', 'it stands around the place');
  assert.equal((await windows()).length, 1, 'nothing was started');
});

test('addresses are kept and removed', async () => {
  const page = await made.open();
  const panel = await sources(page);
  await panel.getByText('Add address').click();
  await panel.getByLabel('Address', { exact: true }).fill('rtsp://127.0.0.1/door');
  await panel.getByLabel('Title', { exact: true }).fill('<i>Door</i>');
  await panel.getByRole('button', { name: 'Save the address' }).click();
  await panel.getByRole('button', { name: 'Remove <i>Door</i>' }).click();
  await panel.getByRole('button', { name: 'Remove <i>Door</i>' }).waitFor({ state: 'detached' });
  assert.equal((await made.wall.call('sources', { kind: 'url' })).total, 0);
});

test('a text and the time are written on the wall', async () => {
  const page = await made.open();
  const panel = await sources(page);
  await panel.getByText('Write', { exact: true }).click();
  await panel.getByLabel('Text', { exact: true }).fill('Two\nlines');
  await panel.getByRole('button', { name: 'Show the note' }).click();
  const note = await opened();
  assert.deepEqual([note.title, note.media], ['Two', ['note:Two\\nlines']]);
  await panel.getByText('Write', { exact: true }).click();
  await panel.getByRole('button', { name: 'Show a clock' }).click();
  await waitFor(async () => (await windows()).some((/** @type {{media?: string[]}} */ window) => window.media?.[0].startsWith('clock:')), 'the clock is there');
});

test('a film behind a saved address is played', async () => {
  const film = readFileSync(path.join(made.wall.folder, 'media/harbour.mp4'));
  // The index of an MP4 is at its end, so players send range requests.
  const server = createServer((request, response) => {
    const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    response.writeHead(request.headers.range ? 206 : 200, {
      'Content-Type': 'video/mp4',
      'Accept-Ranges': 'bytes',
      'Content-Length': film.length - from,
      'Content-Range': `bytes ${from}-${film.length - 1}/${film.length}`,
    });
    response.end(film.subarray(from));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  try {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    const page = await made.open();
    const panel = await sources(page);
    await panel.getByText('Add address').click();
    await panel.getByLabel('Address', { exact: true }).fill(`http://127.0.0.1:${port}/harbour.mp4`);
    await panel.getByLabel('Title', { exact: true }).fill('Camera');
    await panel.getByRole('button', { name: 'Save the address' }).click();
    await panel.getByRole('button', { name: /^Play Camera/ }).click();
    const { window } = await opened();
    await waitFor(async () => (await made.wall.window(window)).playback?.duration_s > 9, 'the film is read from there');
    await panel.getByRole('button', { name: 'Remove Camera' }).click();
    await panel.getByRole('button', { name: 'Remove Camera' }).waitFor({ state: 'detached' });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

/** @param {Page} page @param {string} target selector of the element @param {{name: string, base64: string}} file @param {{x: number, y: number}} at */
function dropFile(page, target, file, at) {
  return page.evaluate(([selector, name, base64, x, y]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(atob(String(base64)), (character) => character.charCodeAt(0))], String(name)));
    const options = { dataTransfer: transfer, clientX: Number(x), clientY: Number(y), bubbles: true, cancelable: true };
    const element = /** @type {Element} */ (document.querySelector(String(selector)));
    for (const type of ['dragenter', 'dragover', 'drop']) element.dispatchEvent(new DragEvent(type, options));
  }, [target, file.name, file.base64, at.x, at.y]);
}

test('files carried over the wall show where they would stand, above all that is there', async () => {
  const number = await made.wall.play('test:160x90@5', { place: [0, 0, ...made.wall.size] });
  const page = await made.open();
  await page.locator(`#window-${number}`).waitFor();
  const [stage, at] = [await page.locator('vt-wall').boundingBox(), await onPage(page, made.wall, 160, 90)];
  assert.ok(stage);
  /** The outermost pixel of the stage, where there is only its background. */
  const edge = async () => {
    await page.screenshot({ path: path.join(made.wall.folder, 'stage.png'), clip: { x: stage.x, y: stage.y + stage.height / 2, width: 1, height: 1 } });
    return readPng(readFileSync(path.join(made.wall.folder, 'stage.png'))).at(0, 0).join();
  };
  const before = await edge();
  /** @param {string} type */
  const carried = (type) => page.evaluate(([kind, x, y]) => {
    const transfer = new DataTransfer();
    for (const name of ['one.mp4', 'two.mp4']) transfer.items.add(new File([''], name));
    document.querySelector('vt-wall')?.dispatchEvent(new DragEvent(String(kind), { dataTransfer: transfer, clientX: Number(x), clientY: Number(y), bubbles: true, cancelable: true }));
  }, [type, at.x, at.y]);
  await carried('dragover');
  const ghosts = page.locator('.ghost');
  await waitFor(async () => (await ghosts.count()) === 2, 'a ghost for each file');
  await waitFor(async () => (await edge()) !== before, 'the outline is painted over everything');
  await carried('dragleave');
  await waitFor(async () => (await ghosts.count()) === 0, 'no ghosts any more');
  await waitFor(async () => (await edge()) === before, 'it is gone');
});

test('a picture dropped from the computer is uploaded and shown there', async () => {
  const page = await made.open();
  await sources(page);
  const base64 = readFileSync(path.join(made.wall.folder, 'media/plan.png')).toString('base64');
  await dropFile(page, 'vt-wall', { name: 'from home.png', base64 }, await onPage(page, made.wall, 500, 100));
  const window = await opened();
  assert.match(window.title, /from home/);
  const [x, , width] = window.rect;
  assert.ok(Math.abs(x + width / 2 - 500) <= 8, `its middle is where it was dropped: ${window.rect}`);
  const stored = await made.wall.call('sources', { search: 'from home', kind: 'file' });
  assert.equal(stored.total, 1);
});

test('a picture is dropped where no panel was opened yet', async () => {
  const page = await made.open({ viewport: { width: 390, height: 844 } });
  assert.equal(await page.locator('#panels > *').count(), 0, 'no panel is there');
  const base64 = readFileSync(path.join(made.wall.folder, 'media/stairs.png')).toString('base64');
  await dropFile(page, 'vt-wall', { name: 'by phone.png', base64 }, await onPage(page, made.wall, 160, 90));
  assert.match((await opened()).title, /by phone/);
});

test('a file dropped beside the wall does not take the page\'s place', async () => {
  const page = await made.open();
  const prevented = await page.evaluate(() => {
    const options = { dataTransfer: new DataTransfer(), bubbles: true, cancelable: true };
    const header = /** @type {Element} */ (document.querySelector('header'));
    return ['dragover', 'drop'].map((type) => !header.dispatchEvent(new DragEvent(type, options)));
  });
  assert.deepEqual(prevented, [true, true]);
});

test('a file that nothing can show is refused in words', async () => {
  const page = await made.open();
  await sources(page);
  made.expected = /415/;
  await dropFile(page, 'vt-wall', { name: 'notes.txt', base64: btoa('Buy milk.') }, await onPage(page, made.wall, 160, 90));
  await page.locator('.toast.error', { hasText: 'cannot be shown' }).waitFor();
  await page.locator('#alert', { hasText: 'notes.txt' }).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Dismiss notes.txt' }).click();
  assert.equal((await windows()).length, 0);
  assert.equal(existsSync(path.join(made.wall.folder, 'uploads/notes.txt')), false, 'nothing is kept');
});

test('a file on its way is shown where it will stand', async () => {
  const page = await made.open();
  await sources(page);
  /** @type {(value?: unknown) => void} */
  let goOn = () => {};
  const held = new Promise((resolve) => (goOn = resolve));
  await page.route('**/uploads/*', async (route) => {
    if (route.request().method() === 'PATCH') await held;
    return route.continue();
  });
  const base64 = readFileSync(path.join(made.wall.folder, 'media/mountains.mp4')).toString('base64');
  const at = await onPage(page, made.wall, 500, 100);
  await dropFile(page, 'vt-wall', { name: 'slow.mp4', base64 }, at);
  const box = page.locator('.upload-box', { hasText: 'slow.mp4' });
  await box.getByRole('progressbar', { name: /slow\.mp4/ }).waitFor();
  await box.getByText('0 %').waitFor();
  const place = await box.boundingBox();
  assert.ok(place && Math.abs(place.x + place.width / 2 - at.x) <= 8 && Math.abs(place.y + place.height / 2 - at.y) <= 8, `around the place: ${JSON.stringify(place)}`);
  const asks = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
  assert.equal(await asks(), true, 'who leaves is asked');
  goOn();
  await box.waitFor({ state: 'detached' });
  await opened();
  assert.equal(await asks(), false);
});

test('a file on its way is given up where it would stand', async () => {
  const page = await made.open();
  await page.route('**/uploads/*', (route) => (route.request().method() === 'PATCH' ? route.abort('connectionreset') : route.continue()));
  made.expected = /ERR_CONNECTION_RESET/;
  const begun = page.waitForRequest((request) => request.method() === 'PATCH');
  const deleted = page.waitForRequest((request) => request.method() === 'DELETE');
  await dropFile(page, 'vt-wall', { name: 'slow.mp4', base64: btoa('film') }, await onPage(page, made.wall, 500, 100));
  await begun; // before that there would be no upload to delete
  await page.locator('.upload-box').getByRole('button', { name: 'Cancel slow.mp4' }).click();
  await deleted;
  await page.locator('.upload-box').waitFor({ state: 'detached' });
  assert.equal((await windows()).length, 0);
});

test('a file that only seems to be a film is refused with the reason', async () => {
  const page = await made.open();
  const panel = await sources(page);
  made.expected = /415/;
  const beginning = Buffer.from('\0\0\0\x10ftypisom\0\0\0\0');
  const base64 = Buffer.concat([beginning, Buffer.alloc(5000)]).toString('base64');
  await dropFile(page, 'vt-wall', { name: 'empty.mp4', base64 }, await onPage(page, made.wall, 160, 90));
  await page.locator('.toast.error', { hasText: 'empty.mp4: the file cannot be shown: ' }).waitFor();
  await panel.getByRole('button', { name: 'Dismiss empty.mp4' }).click();
  assert.equal(existsSync(path.join(made.wall.folder, 'uploads/empty.mp4')), false);
});

test('an upload goes on after a lost connection', async () => {
  const page = await made.open();
  const panel = await sources(page);
  /** @type {string[]} */
  const offsets = [];
  await page.route('**/uploads/*', (route) => {
    const request = route.request();
    if (request.method() !== 'PATCH') return route.continue();
    offsets.push(request.headers()['upload-offset']);
    return offsets.length === 2 || offsets.length === 3 ? route.abort('connectionreset') : route.continue();
  });
  made.expected = /ERR_CONNECTION_RESET/;
  const film = await makeClip(path.join(made.wall.folder, 'long.avi'), { seconds: 4, extra: ['-c:v', 'rawvideo', '-pix_fmt', 'yuv420p'] });
  const bytes = readFileSync(film);
  assert.ok(bytes.length > kChunkBytes && bytes.length < 2 * kChunkBytes, 'it is sent in two pieces');
  await panel.getByLabel('Files to upload').setInputFiles(film);
  await panel.getByText('trying again').waitFor();
  assert.match((await opened()).title, /long/);
  assert.deepEqual(offsets, [0, kChunkBytes, kChunkBytes, kChunkBytes].map(String), 'what the manager has is not sent again');
  assert.ok(readFileSync(path.join(made.wall.folder, 'uploads/long.avi')).equals(bytes), 'all of it has arrived');
});

test('why a source cannot be shown is said, without its password', async () => {
  // A port on which nothing listens any more.
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((resolve) => server.close(resolve));
  const { source } = await made.wall.call('source_save', { url: `http://me:secret@127.0.0.1:${port}/door.mp4`, title: 'Door' });
  const page = await made.open();
  const panel = await sources(page);
  await panel.getByLabel('Search sources').fill('Door');
  await panel.getByRole('button', { name: /^Play Door/ }).click();
  const toast = page.locator('.toast.error', { hasText: `cannot open http://me:…@127.0.0.1:${port}/door.mp4: Connection refused` });
  await toast.waitFor();
  await made.wall.call('source_remove', { source });
});

test('a file that is too large is refused in words', async () => {
  const page = await made.open();
  const panel = await sources(page);
  made.expected = /413/;
  const large = path.join(made.wall.folder, 'large.bin');
  writeFileSync(large, Buffer.alloc(9 << 20));
  await panel.getByLabel('Files to upload').setInputFiles(large);
  const entry = panel.locator('.uploads li[data-phase="failed"]');
  await entry.waitFor();
  assert.match(await entry.innerText(), /8 MiB|limit|large/i);
  await panel.getByRole('button', { name: 'Dismiss large.bin' }).click();
  await entry.waitFor({ state: 'detached', timeout: kPatienceMs });
  assert.equal((await windows()).length, 0);
});

test('an upload is cancelled', async () => {
  const page = await made.open();
  const panel = await sources(page);
  await page.route('**/uploads/*', (route) => (route.request().method() === 'PATCH' ? route.abort('connectionreset') : route.continue()));
  made.expected = /ERR_CONNECTION_RESET/;
  const deleted = page.waitForRequest((request) => request.method() === 'DELETE');
  await panel.getByLabel('Files to upload').setInputFiles(path.join(made.wall.folder, 'media/mountains.mp4'));
  await panel.getByText('trying again').waitFor();
  await panel.getByRole('button', { name: 'Cancel mountains.mp4' }).click();
  await deleted;
  assert.equal(await panel.locator('.uploads li').count(), 0);
});

test('a player that works on its window is seen on the wall, and ended there', async () => {
  const page = await made.open();
  const panel = await sources(page);
  await panel.getByLabel('Search sources').fill('slow');
  await panel.getByRole('button', { name: /Slow program/ }).first().click();
  const box = page.locator('[data-opening]', { hasText: 'Opening slow' });
  await box.waitFor();
  await box.getByRole('button', { name: 'Cancel slow' }).click();
  await box.waitFor({ state: 'detached' });
  await page.locator('.toast.error', { hasText: 'before its window opened' }).waitFor();
});
