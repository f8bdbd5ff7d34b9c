// WHEP: a browser watches the wall on the recorder's own page.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { fixture } from '../support/fixture.js';
import { Loudspeakers } from '../support/loudspeakers.js';
import { waitFor } from '../support/patience.js';
import { kBin } from '../support/programs.js';

/** @typedef {import('playwright-core').Page} Page */

const kTolerance = 12; // of levels: an encoder with loss lies between
const kMissing = existsSync(path.join(kBin, 'vitrail-whip')) ? false : 'was built without WebRTC';
/** @type {[number, number][]} */
const kPoints = [[160, 240], [480, 240]];

const loudspeakers = new Loudspeakers();
const made = fixture({
  grid: { columns: 1, rows: 1, resolution: [640, 480] },
  ...loudspeakers.options,
  browserFlags: ['--allow-loopback-in-peer-connection', '--autoplay-policy=no-user-gesture-required'],
});

/** A red and a blue half on the whole wall. @returns {Promise<[number, number, number][]>} what the wall shows at the points */
async function showColours() {
  const file = path.join(made.wall.folder, 'colours.png');
  await promisify(execFile)('ffmpeg', ['-loglevel', 'error', '-y', '-f', 'lavfi', '-i', 'color=0xd02020:size=320x480', '-f', 'lavfi', '-i',
    'color=0x2040c0:size=320x480', '-filter_complex', 'hstack', '-frames:v', '1', '-update', '1', file]);
  made.wall.start('bplay', file, '--place', '0,0,640x480');
  return waitFor(async () => {
    const pixels = await made.wall.wallPixels();
    const [left, right] = kPoints.map(([x, y]) => pixels.at(x, y));
    return left[0] > 150 && right[2] > 150 ? [left, right] : undefined;
  }, 'the wall shows the colours');
}

async function serve() {
  const recorder = made.wall.start('vitrail-recorder', 'http://127.0.0.1:0/whep', '--fps', '15');
  const link = await waitFor(() => {
    if (!recorder.running) throw new Error(recorder.output());
    return /page: (\S+)/.exec(recorder.output())?.[1];
  }, 'it says where it serves');
  return { recorder, link };
}

/** The colours of the points in the next picture that the page shows; none if there is none for a second. @param {Page} page */
const look = (page) => page.evaluate(async (points) => {
  const video = /** @type {HTMLVideoElement} */ (document.querySelector('#wall'));
  const shown = await new Promise((done) => {
    video.requestVideoFrameCallback(() => done(true));
    setTimeout(() => done(false), 1000);
  });
  if (!shown) return [];
  const drawing = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d', { willReadFrequently: true }));
  return points.map(([x, y]) => {
    drawing.drawImage(video, x, y, 1, 1, 0, 0, 1, 1);
    return [...drawing.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  });
}, kPoints);

/** @param {Page} page @param {[number, number, number][]} wall */
async function sees(page, wall) {
  /** @type {number[][]} */
  let last = [];
  await waitFor(async () => {
    last = await look(page);
    return wall.every((colour, point) => colour.every((level, i) => Math.abs(level - (last[point]?.[i] ?? NaN)) <= kTolerance));
  }, 'the page shows the wall').catch((error) => { throw new Error(`${error.message}: ${JSON.stringify({ wall, last })}`); });
}

test('two browsers see the wall; one leaves, the other vanishes', { skip: kMissing }, async () => {
  made.expected = /503.*whep/; // an offer before the first picture is made again
  const wall = await showColours();
  const { recorder, link } = await serve();
  const [first, second] = [await made.browser.open(link), await made.browser.open(link)];
  for (const page of [first, second]) await sees(page, wall);
  assert.equal(await first.locator('#sound').isVisible(), true, 'the wall plays sound');
  await first.goto('about:blank');
  await waitFor(() => /a viewer has left: 1 of 20/.test(recorder.output()), 'the first one has left');
  const [{ window }] = (await made.wall.state()).windows;
  await made.wall.call('close', { window });
  await sees(second, [[0, 0, 0], [0, 0, 0]]);
  await second.context().close(); // the page cannot say so
  await waitFor(() => /a viewer has left: 0 of 20/.test(recorder.output()), 'the second one is missed');
  await first.context().close();
  await recorder.end('SIGINT');
  assert.match(recorder.output(), /\d+ pictures sent/);
});

test('with a wrong key nobody watches', { skip: kMissing }, async () => {
  made.expected = /401.*whep/;
  const { link } = await serve();
  const page = await made.browser.open(link.replace(/key=.*/, 'key=wrong'));
  await page.locator('#state', { hasText: 'not valid' }).waitFor();
  await page.context().close();
});
