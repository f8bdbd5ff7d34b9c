// A tab that plays something is shared: Chromium captures picture and sound, and both arrive at the wall.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fixture, showPanel } from '../support/fixture.js';
import { Loudspeakers } from '../support/loudspeakers.js';
import { waitFor } from '../support/patience.js';
import { ownLook, seen } from '../support/shown.js';

const kTitle = 'A tab with sound';
const kColours = ['#d02020', '#2040c0']; // left and right, as with the tones
const kHz = [600, 1500];
const kLoudness = 0.5;

const loudspeakers = new Loudspeakers();
const made = fixture({
  grid: { columns: 1, rows: 1, resolution: [640, 480] },
  ...loudspeakers.options,
  browserFlags: [`--auto-select-tab-capture-source-by-title=${kTitle}`, '--autoplay-policy=no-user-gesture-required'],
  wholeBrowser: true,
});

/**
 * Runs in the page: draws and plays endlessly. rate: sample rate of the sound; if given, picture and sound exist only in the
  * stream that replaces the page's own screen capture.
 * @param {{ colours: string[], hz: number[], loudness: number, rate?: number }} wanted
 */
function play({ colours, hz, loudness, rate }) {
  const canvas = Object.assign(document.createElement('canvas'), { width: innerWidth, height: innerHeight });
  canvas.style.cssText = 'position: fixed; inset: 0';
  if (!rate) document.body.append(canvas);
  const drawing = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  setInterval(() => {
    for (const [i, colour] of colours.entries()) {
      drawing.fillStyle = colour;
      drawing.fillRect((i * canvas.width) / 2, 0, canvas.width / 2, canvas.height);
    }
  }, 40);
  const sound = new AudioContext({ sampleRate: rate });
  const sides = new ChannelMergerNode(sound, { numberOfInputs: hz.length });
  const shared = new MediaStreamAudioDestinationNode(sound);
  sides.connect(rate ? shared : sound.destination);
  if (rate) navigator.mediaDevices.getDisplayMedia = async () => new MediaStream([canvas.captureStream(), shared.stream].flatMap((stream) => stream.getTracks()));
  for (const [i, frequency] of hz.entries()) {
    const tone = new OscillatorNode(sound, { frequency });
    tone.connect(new GainNode(sound, { gain: loudness })).connect(sides, 0, i);
    tone.start();
  }
}

/** Whether each loudspeaker plays its own tone and not the other's. */
const isHeard = () => kHz.every((hz, i) => loudspeakers.strength(hz, i) > 0.8 * kLoudness && loudspeakers.strength(hz, 1 - i) < 0.3 * kLoudness);
const isSilent = () => [0, 1].every((channel) => Math.max(...loudspeakers.heard(channel)) === 0);

test('a tab is seen and heard on the wall until it is closed', async () => {
  const tab = await made.browser.open(`data:text/html,<title>${kTitle}</title>`);
  await tab.evaluate(play, { colours: kColours, hz: kHz, loudness: kLoudness });
  const page = await made.open({ name: 'Ann' });
  const panel = await showPanel(page, 'sources');
  await panel.getByRole('button', { name: 'Share screen' }).click();
  for (const { x, strongest } of [{ x: 0.25, strongest: 0 }, { x: 0.75, strongest: 2 }]) {
    const own = await ownLook(page, x, 0.5);
    assert.equal(own.indexOf(Math.max(...own)), strongest, `red and blue: ${own}`);
    await seen(made.wall, x, 0.5, own);
  }
  await waitFor(isHeard, 'both tones are heard').catch((error) => {
    throw new Error(`${error.message}; ${kHz.flatMap((hz) => [0, 1].map((side) => `${hz} Hz at ${side}: ${loudspeakers.strength(hz, side)}`))}`);
  });
  await panel.getByRole('button', { name: 'Pause Ann’s screen' }).click();
  await waitFor(isSilent, 'a pause is silent');
  await panel.getByRole('button', { name: 'Resume Ann’s screen' }).click();
  await waitFor(isHeard, 'it goes on');
  await tab.context().close();
  await waitFor(async () => (await made.wall.state()).windows.length === 0, 'its window closes');
  await waitFor(isSilent, 'silence');
  assert.equal(await panel.locator('.shares > li').count(), 0);
});

// The sound of a tab has 44.1 kHz here; other sources have the rate of their device.
for (const rate of [22050, 48000, 96000]) {
  test(`sound of ${rate} Hz is heard`, async () => {
    const page = await made.open({ name: 'Ann' });
    await page.evaluate(play, { colours: kColours, hz: kHz, loudness: kLoudness, rate });
    const panel = await showPanel(page, 'sources');
    await panel.getByRole('button', { name: 'Share screen' }).click();
    await waitFor(isHeard, 'both tones are heard');
    await panel.getByRole('button', { name: 'Stop sharing Ann’s screen' }).click();
    await waitFor(isSilent, 'silence');
  });
}
