// The inspector of the selected windows, and the controls of their playback.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { fixture, select, showPanel } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';
import { pdf } from '../support/pdf.js';
import { makeClip } from '../support/programs.js';

const made = fixture();

test('position and size are typed in', async () => {
  const number = await made.wall.play('test:160x90@5', { place: [10, 10, 160, 90] });
  const page = await made.open();
  const panel = await showPanel(page, 'inspector');
  await select(page, number);
  assert.equal(await panel.getByLabel('X', { exact: true }).inputValue(), '10');
  const is = (/** @type {number[]} */ rect) => waitFor(async () => (await made.wall.window(number)).rect.join() === rect.join(), `it is at ${rect}`);
  await panel.getByLabel('X', { exact: true }).fill('123');
  await panel.getByLabel('X', { exact: true }).press('Enter');
  await is([123, 10, 160, 90]);
  await panel.getByLabel('Width', { exact: true }).fill('320');
  await panel.getByLabel('Width', { exact: true }).press('Enter');
  await is([123, 10, 320, 180]);
  await panel.getByLabel('Keep the aspect ratio').uncheck();
  await panel.getByLabel('Height', { exact: true }).fill('50');
  await panel.getByLabel('Height', { exact: true }).press('Enter');
  await is([123, 10, 320, 50]);
  await made.wall.call('move', { window: number, x: 7, y: 8 });
  await waitFor(async () => (await panel.getByLabel('X', { exact: true }).inputValue()) === '7', 'changes of others are shown');
});

test('sides that are typed before the manager answers are all kept', async () => {
  const number = await made.wall.play('test:160x90@5', { place: [10, 10, 160, 90] });
  const page = await made.open();
  const panel = await showPanel(page, 'inspector');
  await select(page, number);
  made.wall.manager?.child.kill('SIGSTOP');
  try {
    for (const [side, value] of [['X', '123'], ['Width', '320']]) {
      await panel.getByLabel(side, { exact: true }).fill(value);
      await panel.getByLabel(side, { exact: true }).press('Enter');
    }
  } finally {
    made.wall.manager?.child.kill('SIGCONT');
  }
  await waitFor(async () => (await made.wall.window(number)).rect.join() === '123,10,320,180', 'it has both');
});

test('several windows show what they have in common', async () => {
  const first = await made.wall.play('test:80x60@5', { place: [10, 10, 80, 60] });
  const second = await made.wall.play('test:80x60@5', { place: [200, 100, 80, 60] });
  const page = await made.open();
  const panel = await showPanel(page, 'inspector');
  await select(page, first, second);
  await panel.getByText('2 windows').waitFor();
  assert.equal(await panel.getByLabel('Width', { exact: true }).inputValue(), '80');
  assert.equal(await panel.getByLabel('X', { exact: true }).inputValue(), '');
  await panel.getByLabel('Y', { exact: true }).fill('30');
  await panel.getByLabel('Y', { exact: true }).press('Enter');
  for (const number of [first, second]) await waitFor(async () => (await made.wall.window(number)).rect[1] === 30, 'both moved');
  assert.equal((await made.wall.window(second)).rect[0], 200, 'the other side stays');
});

test('lock, order, maximise and close', async () => {
  const lower = await made.wall.play('test:80x60@5', { place: [10, 10, 80, 60] });
  await made.wall.play('test:80x60@5', { place: [200, 100, 80, 60] });
  const page = await made.open();
  const panel = await showPanel(page, 'inspector');
  await select(page, lower);
  const window = () => made.wall.window(lower);
  await panel.getByRole('button', { name: 'Bring to front' }).click();
  await waitFor(async () => (await made.wall.state()).windows.at(-1).window === lower, 'it is on top');
  await panel.getByRole('button', { name: 'Maximise' }).click();
  await waitFor(async () => (await window()).maximised && (await window()).rect[3] === made.wall.size[1], 'it is maximised');
  await panel.getByRole('button', { name: 'Maximise', pressed: true }).click();
  await waitFor(async () => (await window()).rect.join() === '10,10,80,60', 'it is back');
  await panel.getByRole('button', { name: 'Lock' }).click();
  await waitFor(async () => (await window()).locked, 'it is locked');
  await waitFor(() => panel.getByLabel('X', { exact: true }).isDisabled(), 'its place cannot be typed');
  await panel.getByRole('button', { name: 'Lock', pressed: true }).click();
  await waitFor(async () => !(await window()).locked, 'it is free');
  await panel.getByRole('button', { name: 'Close' }).click();
  await waitFor(async () => (await window()) === undefined, 'it is closed');
});

test('a picture is turned, mirrored, cropped, seen through and shown for one eye', async () => {
  const number = await made.wall.play('test:160x90@5', { place: [10, 10, 160, 90] });
  const page = await made.open();
  const panel = await showPanel(page, 'inspector');
  await select(page, number);
  const picture = panel.getByRole('region', { name: 'Picture' });
  const shows = (/** @type {object | undefined} */ look) => waitFor(async () => {
    const { look: now } = await made.wall.window(number);
    return JSON.stringify(now) === JSON.stringify(look);
  }, `it shows ${JSON.stringify(look)}`);
  await picture.getByRole('button', { name: 'Turn right' }).click();
  await shows({ rotate: 90 });
  assert.deepEqual((await made.wall.window(number)).rect, [45, 0, 90, 160]);
  await picture.getByRole('button', { name: 'Turn left' }).click();
  await shows(undefined);
  await picture.getByRole('button', { name: 'Mirror' }).click();
  await shows({ flip: true });
  await picture.getByRole('button', { name: 'Mirror', pressed: true }).click();
  await shows(undefined);
  await picture.getByLabel('Width of the part').fill('80');
  await picture.getByLabel('Width of the part').press('Enter');
  await shows({ crop: [0, 0, 80, 90] });
  await picture.getByRole('button', { name: 'Whole picture' }).click();
  await shows(undefined);
  await picture.getByLabel('Stereo').selectOption('Left eye');
  await shows({ stereo: 'left' });
  await picture.getByLabel('Halves').selectOption('Top and bottom');
  await shows({ halves: 'top-bottom', stereo: 'left' });
  await picture.getByLabel('Stereo').selectOption('No stereo');
  await picture.getByLabel('Halves').waitFor({ state: 'hidden' });
  await made.wall.call('look', { window: number, halves: 'side-by-side' });
  await picture.getByLabel('Opacity').press('ArrowLeft');
  await picture.getByLabel('Opacity').press('ArrowLeft');
  await shows({ opacity: 0.98 });
  await made.wall.call('look', { window: number, opacity: 0.5 });
  await waitFor(async () => (await picture.getByLabel('Opacity').inputValue()) === '0.5', 'changes of others are shown');
});

test('a film is paused, sought, sped up and looped', async () => {
  const film = await makeClip(path.join(made.wall.folder, 'film.mp4'), { seconds: 20 });
  const number = await made.wall.play(film, { place: [0, 0, 320, 180] });
  const playback = async () => (await made.wall.window(number))?.playback;
  await waitFor(playback, 'the player tells where it is');
  const page = await made.open();
  const panel = await showPanel(page, 'inspector');
  await select(page, number);
  await panel.getByRole('button', { name: 'Pause' }).click();
  await waitFor(async () => (await playback()).paused, 'it is paused');
  await panel.getByLabel('Position', { exact: true }).fill('15');
  await waitFor(async () => Math.abs((await playback()).position_s - 15) < 1, 'it is at 15 s');
  await panel.getByText('0:15 / 0:20').waitFor();
  await panel.getByRole('combobox', { name: 'Speed', exact: true }).selectOption('2 ×');
  await waitFor(async () => (await playback()).rate === 2, 'twice as fast');
  await panel.getByRole('button', { name: 'Loop' }).click();
  await waitFor(async () => (await playback()).loop, 'it loops');
  await panel.getByRole('button', { name: 'Play', exact: true }).click();
  await waitFor(async () => !(await playback()).paused, 'it plays');
});

test('Space pauses the selected film and lets it play on', async () => {
  const film = await makeClip(path.join(made.wall.folder, 'space.mp4'), { seconds: 20 });
  const number = await made.wall.play(film, { place: [0, 0, 320, 180], loop: true });
  const playback = async () => (await made.wall.window(number))?.playback;
  await waitFor(playback, 'the player tells where it is');
  const page = await made.open();
  const panel = await showPanel(page, 'inspector');
  await select(page, number);
  await panel.getByRole('button', { name: 'Pause' }).waitFor();
  await page.keyboard.press('Space');
  await waitFor(async () => (await playback()).paused, 'it is paused');
  await panel.getByRole('button', { name: 'Play', exact: true }).waitFor();
  await page.keyboard.press('Space');
  await waitFor(async () => !(await playback()).paused, 'it plays');
});

test('pages of a document are turned', async () => {
  const file = path.join(made.wall.folder, 'three pages.pdf');
  writeFileSync(file, pdf([[1, 0, 0], [0, 1, 0], [0, 0, 1]]));
  const number = await made.wall.play(file, { place: [0, 0, 320, 180] });
  const page = await made.open();
  const panel = await showPanel(page, 'inspector');
  await select(page, number);
  await panel.getByText('of 3').waitFor();
  // The pages are red, green and blue: the pixel at the tile's centre identifies the shown page.
  const shows = (/** @type {number} */ index) => waitFor(async () => {
    const rgb = (await made.wall.wallPixels()).at(160, 90);
    return rgb.every((part, channel) => (channel === index ? part > 200 : part < 60));
  }, `the wall shows page ${index + 1}`);
  await shows(0);
  await panel.getByRole('button', { name: 'Next page' }).click();
  await shows(1);
  await waitFor(async () => (await panel.getByLabel('Page', { exact: true }).inputValue()) === '2', 'the page tells its number');
  await panel.getByLabel('Page', { exact: true }).fill('3');
  await panel.getByLabel('Page', { exact: true }).press('Enter');
  await shows(2);
  await panel.getByRole('button', { name: 'Previous page' }).click();
  await shows(1);
});

test('a clicker turns the document of the wall, wherever the focus is', async () => {
  const file = path.join(made.wall.folder, 'keys.pdf');
  writeFileSync(file, pdf([[1, 0, 0], [0, 1, 0], [0, 0, 1]]));
  const number = await made.wall.play(file, { place: [0, 0, 320, 180] });
  const page = await made.open();
  const at = (/** @type {number} */ wanted) => waitFor(async () => (await made.wall.window(number)).playback?.page === wanted, `page ${wanted} is shown`);
  const zoom = page.locator('.zoom');
  const whole = await zoom.textContent();
  await at(1);
  await select(page, number);
  await page.locator(`#window-${number} .foot`, { hasText: 'page 1 of 3' }).waitFor();
  await page.keyboard.press('PageDown');
  await at(2);
  await page.locator(`#window-${number} .foot`, { hasText: 'page 2 of 3' }).waitFor();
  await page.keyboard.press('PageDown');
  await at(3);
  await page.locator('.window-bar').getByRole('button', { name: 'Previous page' }).click();
  await at(2);
  assert.equal(await zoom.textContent(), whole);
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowLeft');
  await at(1);
  await page.locator('#tab-sources').click();
  await page.locator('vt-sources .source').first().focus();
  await page.keyboard.press('ArrowRight');
  await at(2);
  const second = await made.wall.play(file, { place: [328, 0, 320, 180] });
  await page.locator(`#window-${second} .foot`, { hasText: 'page 1 of 3' }).waitFor();
  await page.keyboard.press('PageDown');
  await page.locator('.toast', { hasText: 'select one to' }).waitFor();
  await select(page, second);
  await page.keyboard.press('PageDown');
  await waitFor(async () => (await made.wall.window(second)).playback?.page === 2, 'the selected one is turned');
  await at(2);
  assert.deepEqual((await made.wall.window(second)).rect, [328, 0, 320, 180]);
  assert.equal(await zoom.textContent(), whole);
  await page.keyboard.press('z');
  await waitFor(async () => (await zoom.textContent()) !== whole, 'the view is zoomed');
});

test('what is offered goes by what is shown, and for several by what all have', async () => {
  const film = await made.wall.play(await makeClip(path.join(made.wall.folder, 'mixed.mp4'), { seconds: 5 }), { place: [0, 0, 160, 90], loop: true });
  const picture = await made.wall.play(await makeClip(path.join(made.wall.folder, 'still.png'), { seconds: 1, rate: 1, extra: ['-frames:v', '1'] }), { place: [200, 0, 160, 90] });
  writeFileSync(path.join(made.wall.folder, 'mixed.pdf'), pdf([[1, 0, 0], [0, 1, 0]]));
  const document = await made.wall.play(path.join(made.wall.folder, 'mixed.pdf'), { place: [400, 0, 160, 90] });
  for (const number of [film, picture, document]) await waitFor(async () => (await made.wall.window(number)).playback, 'it tells what it is');
  const page = await made.open();
  const panel = await showPanel(page, 'inspector');
  const bar = page.locator('.window-bar');
  /** The actions offered for these windows. @param {...number} numbers */
  const offered = async (...numbers) => {
    await page.locator('vt-wall').press('Escape');
    await select(page, ...numbers);
    await panel.getByText(numbers.length === 1 ? 'Application' : `${numbers.length} windows`).waitFor();
    const has = async (/** @type {string} */ id) => (await bar.locator(`[data-action=${id}]`).count()) === 1;
    return {
      play: [await has('play'), await panel.getByRole('slider', { name: 'Position' }).isVisible()],
      pages: [await has('page-next'), await panel.getByRole('button', { name: 'Next page' }).isVisible()],
      close: [await has('close'), await panel.getByRole('button', { name: 'Close' }).isVisible()],
    };
  };
  const [yes, no] = [[true, true], [false, false]];
  assert.deepEqual(await offered(film), { play: yes, pages: no, close: yes });
  assert.deepEqual(await offered(picture), { play: no, pages: no, close: yes });
  assert.deepEqual(await offered(document), { play: no, pages: yes, close: yes });
  assert.deepEqual(await offered(film, picture, document), { play: no, pages: no, close: yes });
  assert.doesNotMatch(await panel.innerText(), /differ| of /);
  for (const number of [picture, document]) assert.doesNotMatch((await page.locator(`#window-${number}`).getAttribute('aria-label')) ?? '', /playing|fps/);
  assert.match((await page.locator(`#window-${film}`).getAttribute('aria-label')) ?? '', /playing/);
  assert.equal(await page.locator(`#window-${picture} .badges svg`).count(), 0);
});

test('where files lie on the server is not shown', async () => {
  const number = await made.wall.play(await makeClip(path.join(made.wall.folder, 'private.mp4'), { seconds: 5 }), { place: [0, 0, 160, 90], loop: true });
  const page = await made.open();
  const panel = await showPanel(page, 'inspector');
  await select(page, number);
  await panel.locator('dd', { hasText: 'private.mp4' }).waitFor();
  assert.ok(!(await page.locator('body').innerText()).includes(made.wall.folder));
});

test('the volume of a film with sound', async () => {
  const film = await makeClip(path.join(made.wall.folder, 'sound.mp4'), { seconds: 5, extra: ['-f', 'lavfi', '-i', 'sine', '-shortest'] });
  const number = await made.wall.play(film, { place: [0, 0, 320, 180], loop: true });
  await waitFor(async () => (await made.wall.window(number))?.playback?.volume !== undefined, 'it has sound');
  const page = await made.open();
  const panel = await showPanel(page, 'inspector');
  await select(page, number);
  await panel.getByLabel('Volume', { exact: true }).fill('0.25');
  await waitFor(async () => (await made.wall.window(number)).playback.volume === 0.25, 'it is quieter');
  const mute = panel.getByRole('button', { name: 'Mute' });
  await mute.click();
  await waitFor(async () => (await made.wall.window(number)).playback.volume === 0, 'it is silent');
  await panel.getByRole('button', { name: 'Mute', pressed: true }).waitFor();
  await page.locator(`#window-${number}[aria-label*=muted]`).waitFor();
  assert.equal(await page.locator(`#window-${number} .badges svg`).count(), 2, 'it plays, and is muted');
  await page.locator(`#window-${number}`).focus();
  await page.keyboard.press('Shift+M');
  await waitFor(async () => (await made.wall.window(number)).playback.volume === 0.25, 'it is as loud as before');
});

test('one window is heard alone, or always the selected one', async () => {
  const film = await makeClip(path.join(made.wall.folder, 'alone.mp4'), { seconds: 5, extra: ['-f', 'lavfi', '-i', 'sine', '-shortest'] });
  const numbers = [await made.wall.play(film, { place: [0, 0, 160, 90], loop: true }), await made.wall.play(film, { place: [160, 0, 160, 90], loop: true })];
  const [first, second] = numbers;
  const isHeard = async (/** @type {number} */ number) => (await made.wall.window(number)).muted !== true;
  for (const number of numbers) await waitFor(async () => (await made.wall.window(number))?.playback?.volume !== undefined, 'it has sound');
  const page = await made.open();
  const panel = await showPanel(page, 'inspector');
  await select(page, first);
  await panel.getByRole('button', { name: 'Hear only this window' }).click();
  await waitFor(async () => (await isHeard(first)) && !(await isHeard(second)), 'the first is heard alone');
  await panel.getByRole('button', { name: 'Hear only what is selected' }).click();
  await select(page, second);
  await waitFor(async () => (await isHeard(second)) && !(await isHeard(first)), 'the second is heard alone');
});
