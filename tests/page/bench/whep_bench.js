// scripts/bench whep: how late a browser shows what the wall shows, by WHEP.
import { parseArgs } from 'node:util';

import { number, onWall, percentile, run } from './bench.js';
import { waitFor } from '../support/patience.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('../support/wall.js').Wall} Wall */

const kHelp = `Measures on a wall of one tile that nothing else shows: a person's pointer jumps from mark to mark, and a page in
a real browser, which watches the recorder by WHEP, reads from each picture at which mark the pointer is. The time is from the
request to the manager to the page's picture, so it is the time from encoder to picture and also the pointer's way to the wall.
Usage: scripts/bench whep [OPTIONS]

  --fps N=30             of the recorder, 5 to 60
  --jumps N=200          that are timed, 4 to 10000
  --json FILE            write the figures to this file, too
  --quick                only whether all of it runs: 4 jumps
  --help                 this text

Exit code 0: 95 % of the jumps are seen within 500 ms. To compare, run it on a machine that does nothing else.`;

const kMostMs = 500;
const kSide = 48; // of the area at a mark in which a pointer is looked for
/** Places of the pointer, wall pixels. A jump goes to the next one. @type {[number, number][]} */
const kMarks = [[100, 100], [400, 100], [400, 300], [100, 300]];

function readOptions() {
  const { values } = parseArgs({
    options: { fps: { type: 'string', default: '30' }, jumps: { type: 'string' }, json: { type: 'string' }, quick: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  return {
    help: values.help === true,
    fps: number('fps', values.fps, 5, 60),
    jumps: number('jumps', values.jumps ?? (values.quick ? '4' : '200'), 4, 10000),
    json: values.json,
  };
}

/** The link that the recorder prints. @param {Wall} wall @param {number} fps */
function serve(wall, fps) {
  const recorder = wall.start('vitrail-recorder', 'http://127.0.0.1:0/whep', '--fps', String(fps));
  return waitFor(() => {
    if (!recorder.running) throw new Error(recorder.output());
    return /page: (\S+)/.exec(recorder.output())?.[1];
  }, 'it says where it serves');
}

/** Notes for each picture of the page when it came, and the mark with the brightest pixels; -1: all are dark. @param {Page} page */
function watchPictures(page) {
  return page.evaluate(({ marks, side }) => {
    const video = /** @type {HTMLVideoElement} */ (document.querySelector('#wall'));
    const drawing = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d', { willReadFrequently: true }));
    const seen = { pictures: 0, mark: -1, atMs: 0 };
    const kBright = 100;
    const brightest = (/** @type {[number, number]} */ [x, y]) => {
      drawing.drawImage(video, x - side / 2, y - side / 2, side, side, 0, 0, side, side);
      const { data } = drawing.getImageData(0, 0, side, side);
      let most = 0;
      for (let i = 0; i < data.length; i += 4) most = Math.max(most, data[i], data[i + 1], data[i + 2]);
      return most;
    };
    const look = () => {
      const atMs = performance.timeOrigin + performance.now();
      const levels = marks.map((at) => brightest(/** @type {[number, number]} */ (at)));
      const mark = Math.max(...levels) > kBright ? levels.indexOf(Math.max(...levels)) : -1;
      if (mark !== seen.mark) Object.assign(seen, { mark, atMs });
      ++seen.pictures;
      video.requestVideoFrameCallback(look);
    };
    video.requestVideoFrameCallback(look);
    Object.assign(globalThis, { seen });
  }, { marks: kMarks, side: kSide });
}

/** @param {Page} page @returns {Promise<{pictures: number, mark: number, atMs: number}>} */
const seenBy = (page) => page.evaluate(() => /** @type {any} */ (globalThis).seen);

/** From the request until the page's picture, in milliseconds. @param {Wall} wall @param {Page} page @param {number} mark */
async function jump(wall, page, mark) {
  const sentMs = performance.timeOrigin + performance.now();
  await wall.call('pointer', { at: kMarks[mark] });
  const { atMs } = await waitFor(async () => {
    const seen = await seenBy(page);
    return seen.mark === mark ? seen : undefined;
  }, `the page shows the pointer at mark ${mark}`);
  return atMs - sentMs;
}

/** @param {ReturnType<typeof readOptions>} options */
function measure({ fps, jumps }) {
  const grid = { columns: 1, rows: 1, resolution: /** @type {[number, number]} */ ([640, 480]) };
  return onWall(grid, async (wall, browser) => {
    const page = await browser.open(await serve(wall, fps));
    await watchPictures(page);
    await waitFor(async () => (await seenBy(page)).pictures > 0, 'the page shows pictures');
    await jump(wall, page, 0);
    const times = [];
    for (let i = 1; i <= jumps; ++i) times.push(await jump(wall, page, i % kMarks.length));
    return { whep_jumps: times.length, whep_ms_p50: percentile(times, 0.5), whep_ms_p95: percentile(times, 0.95), whep_ms_most: Math.max(...times) };
  }, ['--allow-loopback-in-peer-connection', '--autoplay-policy=no-user-gesture-required']);
}

await run(kHelp, readOptions, measure, (figures) => figures.whep_jumps <= 4 || figures.whep_ms_p95 <= kMostMs);
