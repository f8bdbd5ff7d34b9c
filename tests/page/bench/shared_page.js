// A page that shares frames with their number drawn in them, and the latency until the wall shows them.
import { showPanel, connected } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';
import { cpuSeconds, processes } from './cpu_time.js';

/** @typedef {import('../support/browser.js').Browser} Browser */
/** @typedef {import('../support/wall.js').Wall} Wall */
/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ width: number, height: number, fps: number }} Pictures */

const kClockTries = 20;

/**
 * Shares for some seconds and measures.
 * @param {Browser} browser @param {Wall} wall @param {Pictures} pictures @param {number} seconds
 */
export async function shareFor(browser, wall, pictures, seconds) {
  const eyes = wall.start('seen_frames', '--manager', wall.env.VITRAIL_MANAGER);
  const page = await browser.open('about:blank');
  await page.addInitScript(drawNumbers, pictures);
  await page.goto(wall.url);
  await connected(page);
  await (await showPanel(page, 'sources')).getByRole('button', { name: 'Share screen' }).click();
  const { window } = await waitFor(async () => (await wall.state()).windows[0], 'its window opens');
  await wall.call('place', { windows: [{ window, rect: [0, 0, pictures.width, pictures.height] }] });
  await waitFor(() => eyes.output().includes('number'), 'the wall shows a number');
  const guest = processes().find(({ name, parent }) => name === 'vitrail-guest' && parent === wall.manager?.child.pid);
  if (!guest) throw new Error('there is no guest');
  const begin = await report(page, wall, guest.pid);
  await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  const end = await report(page, wall, guest.pid);
  const clock = await clockOf(page);
  const drawn = await page.evaluate(() => /** @type {number[]} */ (/** @type {any} */ (globalThis).drawnAtMs));
  const ages = eyes.output().split('\n').filter((line) => line.endsWith('}')).map((line) => JSON.parse(line))
    .map(({ taken_ns: takenNs, number }) => ({ takenNs, ageMs: takenNs / 1e6 - (drawn[number] + clock) }))
    .filter(({ takenNs }) => takenNs > begin.ns && takenNs < end.ns).map(({ ageMs }) => ageMs);
  await eyes.end();
  await page.context().close();
  const elapsed = (end.ns - begin.ns) / 1e9;
  return {
    ages,
    fpsDrawn: (end.drawn - begin.drawn) / elapsed,
    fpsShown: (end.shown - begin.shown) / elapsed,
    guestCpu: (end.cpu - begin.cpu) / elapsed,
  };
}

/** Reads all figures right after the wall has reported new ones, so that they belong together. @param {Page} page @param {Wall} wall @param {number} guest */
async function report(page, wall, guest) {
  const shown = async () => (await wall.state()).windows[0].stats?.frames_shown ?? 0;
  const before = await shown();
  await waitFor(async () => await shown() !== before, 'figures of the window');
  const drawn = await page.evaluate(() => /** @type {any} */ (globalThis).drawnAtMs.length);
  return { ns: Number(process.hrtime.bigint()), shown: await shown(), drawn, cpu: cpuSeconds(guest) };
}

/** The offset from the page's clock to this machine's monotonic clock, in milliseconds. @param {Page} page */
async function clockOf(page) {
  let best = { took: Infinity, offset: 0 };
  for (let i = 0; i < kClockTries; ++i) {
    const asked = Number(process.hrtime.bigint()) / 1e6;
    const now = await page.evaluate(() => performance.now());
    const took = Number(process.hrtime.bigint()) / 1e6 - asked;
    if (took < best.took) best = { took, offset: asked + took / 2 - now };
  }
  return best.offset;
}

/**
 * Runs in the page: replaces screen capture by a canvas. Each frame has its number in squares of 64 pixels, one per bit, the
 * highest first, after a white and a black square; below it text scrolls, as on a desktop. @param {Pictures} pictures
 */
function drawNumbers({ width, height, fps }) {
  const kBits = 22;
  const kSide = 64;
  const drawnAtMs = /** @type {number[]} */ ([]);
  Object.assign(globalThis, { drawnAtMs });
  const words = Array.from({ length: 400 }, (_, i) => `${i} ${'the quick brown fox jumps over the lazy dog '.repeat(3)}`);
  navigator.mediaDevices.getDisplayMedia = async () => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width, height });
    const drawing = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { alpha: false }));
    const stream = canvas.captureStream(0);
    const [track] = /** @type {CanvasCaptureMediaStreamTrack[]} */ (stream.getVideoTracks());
    const square = (/** @type {number} */ at, /** @type {boolean} */ white) => {
      drawing.fillStyle = white ? '#fff' : '#000';
      drawing.fillRect(at * kSide, 0, kSide, kSide);
    };
    const draw = () => {
      const number = drawnAtMs.length;
      drawing.fillStyle = '#f4f4f0';
      drawing.fillRect(0, kSide, width, height);
      drawing.fillStyle = '#222';
      drawing.font = '16px sans-serif';
      for (let y = kSide + 20 - number % 20, line = Math.floor(number / 20); y < height + 20; y += 20, ++line) {
        drawing.fillText(words[line % words.length], 20, y, width);
      }
      square(0, true);
      square(1, false);
      for (let bit = 0; bit < kBits; ++bit) square(bit + 2, Boolean((number >> (kBits - 1 - bit)) & 1));
      drawnAtMs.push(performance.now());
      track.requestFrame();
    };
    setInterval(draw, 1000 / fps);
    return stream;
  };
}
