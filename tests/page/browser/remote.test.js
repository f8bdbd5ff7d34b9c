// The remote on a phone: playback, pages, sound, blanking, the pointer, sessions, roles.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { axeFindings } from '../support/axe.js';
import { smallTargets, wrongBoxes } from '../support/boxes.js';
import { connected, fixture } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';
import { pdf } from '../support/pdf.js';
import { makeClip } from '../support/programs.js';

const kPhone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const kKey = 'open sesame, please';

const made = fixture({ key: kKey, variables: { XDG_CACHE_HOME: '' } });

/** @param {string} [hash] @param {import('playwright-core').BrowserContextOptions} [options] */
async function remote(hash = `#key=${encodeURIComponent(kKey)}`, options = {}) {
  const page = await made.browser.open(`${made.wall.url}remote${hash}`, { ...kPhone, ...options });
  made.pages.push(page);
  return page;
}

const playback = async (/** @type {number} */ number) => (await made.wall.window(number))?.playback ?? {};

test('a film is paused, skipped and muted', async () => {
  const film = await makeClip(path.join(made.wall.folder, 'harbour.mp4'), { seconds: 60 });
  const number = await made.wall.play(film, { place: [10, 10, 160, 90] });
  const page = await remote();
  await connected(page);
  assert.ok(page.url().endsWith('/remote/'), 'the address has a slash and no key');
  await page.getByRole('button', { name: 'Pause' }).tap();
  await waitFor(async () => (await playback(number)).paused === true, 'it is paused');
  const before = (await playback(number)).position_s;
  await page.getByRole('button', { name: 'Forward 10 s' }).tap();
  await waitFor(async () => (await playback(number)).position_s > before + 9, 'it is ten seconds further');
  await page.getByRole('button', { name: 'Back 10 s' }).tap();
  await waitFor(async () => Math.abs((await playback(number)).position_s - before) < 1, 'it is back');
  await page.getByRole('button', { name: 'Play' }).tap();
  await waitFor(async () => (await playback(number)).paused === false, 'it plays');
  await page.getByRole('button', { name: 'Undo' }).waitFor();
});

test('pages of a document are turned, and the window is chosen', async () => {
  const report = path.join(made.wall.folder, 'report.pdf');
  writeFileSync(report, pdf([[1, 0, 0], [0, 1, 0]]));
  const number = await made.wall.play(report, { place: [190, 20, 160, 90] });
  const card = await made.wall.play('test:160x90@5', { place: [10, 20, 160, 90] });
  const page = await remote();
  await connected(page);
  await page.getByLabel('Window').selectOption(String(number));
  await page.getByRole('button', { name: 'Next page' }).tap();
  await waitFor(async () => (await playback(number)).page === 2, 'the second page is shown');
  await page.locator('.times', { hasText: 'page 2 of 2' }).waitFor();
  const timer = page.getByRole('timer');
  await waitFor(async () => (await timer.innerText()) !== '0:00', 'the time since the first page was turned');
  await page.getByRole('button', { name: 'Reset timer' }).tap();
  assert.equal(await timer.innerText(), '0:00', 'it stands still');
  const next = page.getByRole('img', { name: 'Next page' });
  assert.equal(await next.isVisible(), false, 'there is no third page');
  await page.getByRole('button', { name: 'Previous page' }).tap();
  await next.waitFor();
  await page.getByLabel('Window').selectOption(String(card));
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Next page' }).isVisible(), false);
});

/** Writes a presentation (ODP) that is already converted. @param {string} name @param {{title?: string, notes?: string}[]} pages @returns {string} its path */
function presentation(name, pages) {
  const { folder } = made.wall;
  const spaces = ['office', 'draw', 'presentation', 'text'].map((space) => `xmlns:${space}="${space}"`).join(' ');
  const frame = (/** @type {string} */ kind, /** @type {string} */ words) => `<draw:frame presentation:class="${kind}"><text:p>${words}</text:p></draw:frame>`;
  const slides = pages.map(({ title = '', notes = '' }) => `<draw:page>${frame('title', title)}<presentation:notes>${frame('notes', notes)}</presentation:notes></draw:page>`);
  const content = path.join(folder, 'content.xml');
  writeFileSync(content, `<office:document-content ${spaces}><office:body><office:presentation>${slides.join('')}</office:presentation></office:body></office:document-content>`);
  const file = path.join(folder, name);
  execFileSync('python3', ['-m', 'zipfile', '-c', file, content]);
  const cache = path.join(folder, '.cache/vitrail/documents');
  mkdirSync(cache, { recursive: true });
  writeFileSync(path.join(cache, `${createHash('sha256').update(readFileSync(file)).digest('hex')}.pdf`), pdf(pages.map(() => [1, 0, 0])));
  return file;
}

test('the notes of a presentation follow its page, whoever turns it', async () => {
  const file = presentation('talk.odp', [{ title: 'Start', notes: 'Good &amp; morning<text:line-break/>everybody' }, { title: 'Middle' }, { title: 'End', notes: 'Thanks' }]);
  const number = await made.wall.play(file, { place: [10, 20, 160, 90] });
  const page = await remote();
  await connected(page);
  const notes = page.getByRole('region', { name: 'Speaker’s notes' });
  await notes.getByText('Good & morning\neverybody').waitFor();
  await notes.getByText('Next page: Middle').waitFor();
  assert.deepEqual(await axeFindings(page), []);
  assert.deepEqual(await wrongBoxes(page), []);
  await page.getByRole('button', { name: 'Next page' }).tap();
  await notes.getByText('No notes for this page.').waitFor();
  await made.wall.call('control', { window: number, action: 'page', value: 3 });
  await notes.getByText('Thanks').waitFor();
  assert.equal(await notes.getByText('Next page').count(), 0);
});

test('a presentation of one page has notes, and no pages to turn', async () => {
  await made.wall.play(presentation('one.odp', [{ notes: 'Alone' }]), { place: [10, 20, 160, 90] });
  const page = await remote();
  await connected(page);
  await page.getByRole('region', { name: 'Speaker’s notes' }).getByText('Alone').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Next page' }).isVisible(), false);
});

test('notes that could not be read are asked for again when the page is turned', async () => {
  const talk = [{ notes: 'One' }, { notes: 'Two' }];
  const file = presentation('mended.odp', talk);
  const number = await made.wall.play(file, { place: [10, 20, 160, 90] });
  await waitFor(async () => (await playback(number)).pages === 2, 'it is open');
  writeFileSync(file, 'damaged');
  const page = await remote();
  await connected(page);
  const notes = page.getByRole('region', { name: 'Speaker’s notes' });
  await notes.getByText('cannot be read').waitFor();
  presentation('mended.odp', talk);
  await page.getByRole('button', { name: 'Next page' }).tap();
  await notes.getByText('Two').waitFor();
});

test('why there are no notes is told, in German, too', async () => {
  const report = path.join(made.wall.folder, 'plain.pdf');
  writeFileSync(report, pdf([[1, 0, 0], [0, 1, 0]]));
  await made.wall.play(report, { place: [190, 20, 160, 90] });
  const german = await remote(undefined, { locale: 'de-DE' });
  await connected(german);
  await german.getByText('Keine Notizen zu dieser Seite.').waitFor();
});

test('the wall is blanked, muted and pointed at', async () => {
  const other = await made.wall.client('other');
  await other.call('subscribe', { pointers: true });
  const page = await remote();
  await connected(page);
  const blank = page.getByRole('button', { name: 'Blank' });
  await blank.tap();
  await waitFor(async () => (await made.wall.state()).blank === true, 'the wall is black');
  await blank.and(page.locator('[aria-pressed=true]')).tap();
  await waitFor(async () => (await made.wall.state()).blank === false, 'the wall is back');
  await page.getByText('Curtain').tap();
  await page.getByLabel('Line on the wall').fill('back at 11:15');
  await page.getByLabel('Source or address').fill('test:64x64@5');
  await blank.tap();
  await waitFor(async () => (await made.wall.state()).windows.some((/** @type {any} */ window) => window.decoration?.kind === 'curtain'), 'a curtain covers it');
  assert.equal((await made.wall.state()).blank_text, 'back at 11:15');
  await blank.and(page.locator('[aria-pressed=true]')).tap();
  await waitFor(async () => !(await made.wall.state()).windows.some((/** @type {any} */ window) => window.decoration?.kind === 'curtain'), 'it is gone');
  await page.getByRole('button', { name: 'Mute all' }).tap();
  await waitFor(async () => (await made.wall.state()).sound.muted === true, 'the wall is silent');
  await made.wall.call('master_volume', { muted: false });

  const pad = page.locator('.pad');
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  assert.ok(box);
  const reported = () => other.notifications.filter(({ method }) => method === 'pointers').map(({ params }) => params.pointers);
  await page.mouse.move(box.x + box.width / 4, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const [width, height] = made.wall.size;
  await waitFor(() => reported().some((all) => all.some((/** @type {any} */ { at: [x, y] }) => Math.hypot(x - width / 2, y - height / 2) < width / 50)), 'it points at the centre');
  await page.mouse.up();
  await waitFor(() => reported().at(-1)?.length === 0, 'the pointer is gone');
  await page.getByLabel('Arrow, laser, spotlight or magnifier').selectOption('Spotlight');
  await page.mouse.down();
  await waitFor(() => reported().at(-1)?.[0]?.style === 'spotlight', 'it is a spotlight');
  await page.mouse.up();
  await waitFor(() => reported().at(-1)?.length === 0, 'the spotlight is gone');

  await pad.focus();
  await page.keyboard.press('ArrowRight');
  await waitFor(() => reported().at(-1)?.[0]?.at[0] > width * 0.53, 'a key moves it to the right');
  await page.keyboard.press('Escape');
  await waitFor(() => reported().at(-1)?.length === 0, 'Escape hides it');
  other.close();
});

test('the wall switches to a session after a second tap', async () => {
  const number = await made.wall.play('test:160x90@5', { place: [40, 40, 160, 90] });
  await made.wall.call('session_save', { name: 'Monday' });
  await made.wall.call('move', { window: number, x: 200, y: 10 });
  const page = await remote();
  await connected(page);
  await page.getByRole('button', { name: 'Monday' }).tap();
  assert.deepEqual((await made.wall.window(number)).rect, [200, 10, 160, 90], 'the first tap asks');
  await page.getByRole('button', { name: 'Replace all windows?' }).tap();
  await waitFor(async () => (await made.wall.window(number))?.rect.join() === '40,40,160,90', 'its window stays, at its place');
  await made.wall.call('session_remove', { name: 'Monday' });
});

test('a viewer sees no controls, and a name and password let people in', async () => {
  const file = path.join(made.wall.folder, 'password');
  writeFileSync(file, 'correct horse\n');
  await made.wall.vitrail('user', 'add', 'vera', '--role', 'viewer', '--password-file', file);
  await made.wall.play('test:160x90@5', { place: [40, 40, 160, 90] });
  const page = await remote('');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('vera');
  await dialog.getByLabel('Password').fill('correct horse');
  await dialog.getByRole('button', { name: 'Sign in' }).tap();
  await connected(page);
  await page.getByLabel('Window').waitFor();
  for (const name of ['Pause', 'Blank', 'Mute all', 'Undo']) assert.equal(await page.getByRole('button', { name }).isVisible(), false, name);
  assert.equal(await page.locator('.pad').isVisible(), false);
});

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  test(`${colorScheme}: axe finds nothing, and no control overlaps another, also sideways and in German`, async () => {
    const film = await makeClip(path.join(made.wall.folder, 'boat.mp4'), { seconds: 20 });
    await made.wall.play(film, { place: [10, 10, 160, 90], loop: true });
    await made.wall.call('session_save', { name: 'Tuesday' });
    for (const options of [{}, { locale: 'de-DE', viewport: { width: 740, height: 360 } }]) {
      const page = await remote(undefined, { ...options, colorScheme });
      await connected(page);
      await page.locator('.saved button').waitFor();
      await page.locator('summary').tap();
      assert.deepEqual(await smallTargets(page), []);
      assert.deepEqual(await axeFindings(page), []);
      assert.deepEqual(await wrongBoxes(page), []);
    }
    await made.wall.call('session_remove', { name: 'Tuesday' });
  });
}
