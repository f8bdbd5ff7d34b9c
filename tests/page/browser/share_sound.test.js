// The sound of what is shared, heard on the wall: Chromium's fake one beeps, and SDL's "disk" driver writes what a receiver would play to a file.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';

import { fixture, showPanel } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';

const kRate = 48000;
const kChannels = 2;
// Of Chromium's fake sound: a square wave of 400 Hz for 20 ms, twice a second.
const kBeepHz = 400;
const kBeepSamples = 0.02 * kRate;
const kLoud = 0.2;

const kFolder = mkdtempSync(path.join(tmpdir(), 'vitrail-heard-'));
const kHeard = path.join(kFolder, 'heard.raw');
const kVariables = { SDL_AUDIODRIVER: 'disk', SDL_DISKAUDIOFILE: kHeard };

const made = fixture({
  grid: { columns: 1, rows: 1, resolution: [640, 480] },
  keys: { audio: { receiver: 'node1' } },
  variables: kVariables,
  browserFlags: ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'],
});
after(() => rmSync(kFolder, { recursive: true, force: true }));

/** Samples of the left loudspeaker, all that was heard so far. */
function heard() {
  if (!existsSync(kHeard)) return [];
  const bytes = readFileSync(kHeard);
  const values = new Float32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4));
  return values.filter((_, i) => i % kChannels === 0);
}

/** Where each beep begins. @param {ArrayLike<number>} samples */
function beepsIn(samples) {
  /** @type {number[]} */
  const beeps = [];
  for (let i = 0; i < samples.length; ++i) {
    if (Math.abs(samples[i]) > kLoud && !(i - (beeps.at(-1) ?? -Infinity) < 4 * kBeepSamples)) beeps.push(i);
  }
  return beeps;
}

/** How strong a frequency is in a beep. @param {ArrayLike<number>} samples @param {number} begin @param {number} hz */
function strength(samples, begin, hz) {
  let [real, imaginary] = [0, 0];
  for (let i = 0; i < kBeepSamples; ++i) {
    const angle = (2 * Math.PI * hz * i) / kRate;
    real += samples[begin + i] * Math.cos(angle);
    imaginary += samples[begin + i] * Math.sin(angle);
  }
  return Math.hypot(real, imaginary) / kBeepSamples;
}

test('the sound of a screen is heard on the wall, and ends with it', async () => {
  const page = await made.open({ name: 'Ann' });
  const panel = await showPanel(page, 'sources');
  await panel.getByRole('button', { name: 'Share screen' }).click();
  await waitFor(() => beepsIn(heard()).length >= 4, 'the wall beeps').catch(async (error) => {
    throw new Error(`${error.message}; the page says “${await page.locator('#toasts').innerText()}”, ${heard().length} samples were heard`);
  });
  const samples = heard();
  const [, second, third] = beepsIn(samples);
  assert.ok(Math.abs((third - second) / kRate - 0.5) < 0.05, `twice a second: ${second}, ${third}`);
  const beep = strength(samples, second, kBeepHz);
  for (const other of [kBeepHz / 2, kBeepHz * 2]) {
    assert.ok(beep > 3 * strength(samples, second, other), `${kBeepHz} Hz: ${beep}; ${other} Hz: ${strength(samples, second, other)}`);
  }
  await panel.getByRole('button', { name: 'Pause Ann’s screen' }).click();
  await waitFor(() => beepsIn(heard().slice(-kRate)).length === 0, 'a pause is silent');
  await panel.getByRole('button', { name: 'Go on with Ann’s screen' }).click();
  await waitFor(() => beepsIn(heard().slice(-kRate)).length > 0, 'it goes on');
  await panel.getByRole('button', { name: 'Stop sharing Ann’s screen' }).click();
  await waitFor(() => beepsIn(heard().slice(-kRate)).length === 0, 'silence');
});
