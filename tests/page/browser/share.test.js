// Screens and cameras of the browser on the wall: the captured content appears, and either side can end the share.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';

import { fixture, showPanel } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';
import { ownLook, seen } from '../support/shown.js';

/** @typedef {import('playwright-core').Page} Page */

const kWidth = 320;
const kHeight = 240;
const kCorner = /** @type {const} */ ([0.95, 0.95]); // a point of the fake screen where nothing moves

/** A camera for Chromium: the left half red, the right half blue; YUV in BT.601. @param {string} file */
function writeCamera(file) {
  const plane = (/** @type {number} */ width, /** @type {number} */ height, /** @type {number} */ left, /** @type {number} */ right) =>
    Buffer.from(Array.from({ length: width * height }, (_, i) => ((i % width) < width / 2 ? left : right)));
  const picture = Buffer.concat([Buffer.from('FRAME\n'), plane(kWidth, kHeight, 89, 75),
    plane(kWidth / 2, kHeight / 2, 102, 189), plane(kWidth / 2, kHeight / 2, 205, 105)]);
  writeFileSync(file, Buffer.concat([Buffer.from(`YUV4MPEG2 W${kWidth} H${kHeight} F30:1 Ip A1:1 C420jpeg\n`), ...Array(4).fill(picture)]));
}

const kFolder = mkdtempSync(path.join(tmpdir(), 'vitrail-camera-'));
writeCamera(path.join(kFolder, 'camera.y4m'));
after(() => rmSync(kFolder, { recursive: true, force: true }));

const made = fixture({
  grid: { columns: 1, rows: 1, resolution: [640, 480] },
  browserFlags: ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${path.join(kFolder, 'camera.y4m')}`],
});

const windows = async () => (await made.wall.state()).windows;

/** @param {Page} page @param {'screen' | 'camera'} kind */
async function share(page, kind) {
  const panel = await showPanel(page, 'sources');
  await panel.getByRole('button', { name: `Share ${kind}` }).click();
  await waitFor(async () => (await windows()).length === 1, 'its window opens').catch(async (error) => {
    throw new Error(`${error.message}; the page says “${await page.locator('#toasts').innerText()}”, and shares “${await panel.locator('.shares').innerText()}”`);
  });
  return panel;
}

test('a camera is on the wall until it is stopped on the page', async () => {
  const page = await made.open({ name: 'Ann' });
  const panel = await share(page, 'camera');
  await seen(made.wall, 0.25, 0.5, [208, 32, 32]);
  await seen(made.wall, 0.75, 0.5, [32, 64, 192]);
  const [window] = await windows();
  assert.equal(window.title, 'Ann’s camera');
  assert.deepEqual(window.frame_size, [kWidth, kHeight]);
  await panel.getByRole('button', { name: 'Pause Ann’s camera' }).click();
  await panel.getByRole('button', { name: 'Resume Ann’s camera' }).click();
  await panel.getByRole('button', { name: 'Stop sharing Ann’s camera' }).click();
  await waitFor(async () => (await windows()).length === 0, 'its window closes');
  assert.equal(await panel.locator('.shares > li').count(), 0);
});

test('a window that is closed on the wall ends the capture', async () => {
  const page = await made.open({ name: 'Ann' });
  const panel = await share(page, 'camera');
  const [{ window }] = await windows();
  await made.wall.call('close', { window });
  await panel.locator('.shares > li').waitFor({ state: 'detached' });
  await page.getByText('Ann’s camera is no longer shared').first().waitFor();
});

test('a page that is closed takes its window along', async () => {
  const page = await made.open({ name: 'Ann' });
  await share(page, 'camera');
  await page.close();
  await waitFor(async () => (await windows()).length === 0, 'its window closes');
});

for (const codec of ['avc1', 'vp8']) {
  test(`colours are on the wall as they are on the screen, by ${codec}`, async () => {
    const page = await made.open({ name: 'Ann' });
    // The browser reports full range and BT.709 for a canvas, and VP8 streams do not carry that.
    await page.evaluate((only) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 1280, height: 720 });
      const drawing = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
      setInterval(() => {
        for (const [x, colour] of ['#d02020', '#2040c0'].entries()) {
          drawing.fillStyle = colour;
          drawing.fillRect(640 * x, 0, 640, 720);
        }
      }, 40);
      navigator.mediaDevices.getDisplayMedia = async () => canvas.captureStream(25);
      const isSupported = VideoEncoder.isConfigSupported;
      VideoEncoder.isConfigSupported = async (config) => config.codec.startsWith(only) ? isSupported.call(VideoEncoder, config) : { supported: false, config };
    }, codec);
    await share(page, 'screen');
    await seen(made.wall, 0.25, 0.5, [208, 32, 32]);
    await seen(made.wall, 0.75, 0.5, [32, 64, 192]);
  });
}

test('a screen is on the wall', async () => {
  const page = await made.open({ name: 'Ann' });
  await share(page, 'screen');
  const [window] = await windows();
  assert.equal(window.title, 'Ann’s screen');
  await seen(made.wall, ...kCorner, await ownLook(page, ...kCorner));
});
