// A window dragged with the mouse in the page: the rate at which the page updates it, and the delay until the tiles show it.
import { WallPage } from '../support/wall_page.js';
import { waitFor } from '../support/patience.js';

/** @typedef {import('../support/browser.js').Browser} Browser */
/** @typedef {import('../support/programs.js').Program} Program */
/** @typedef {import('../support/wall.js').Wall} Wall */
/** @typedef {{sentNs: bigint, x: number}} Move x: the wanted position, wall pixels */

const kMoveMs = 8; // the report interval of a common mouse
const kStep = 4; // CSS pixels per move
const kFarthest = 300; // CSS pixels to the right
const kRounding = 1; // wall pixels of difference between our and the page's computed position

/**
 * Drags the window right and left again for some seconds. `program` reports when the tiles show it at which position.
 * @param {Browser} browser @param {Wall} wall @param {Program} program @param {number} seconds
 */
export async function drag(browser, wall, program, seconds) {
  const window = await numberOf(program);
  const page = await WallPage.open(browser, wall);
  await page.shown(window);
  await watchUpdates(page, window);
  const moves = await moveFor(page, wall, window, seconds);
  const { times, frames, elapsedMs } = await updates(page);
  await page.page.mouse.up();
  const [last] = moves.slice(-1);
  await waitFor(() => shown(program).some(({ x }) => Math.abs(x - last.x) <= kRounding), 'the tiles show the last place');
  await page.page.context().close();
  return {
    updatesPerSecond: (1000 * times.length) / elapsedMs,
    updateGapsMs: times.slice(1).map((time, index) => time - times[index]),
    frameGapsMs: frames.slice(1).map((time, index) => time - frames[index]),
    moveToPixelMs: moveToPixelMs(moves, shown(program)),
  };
}

/** @param {Program} program */
async function numberOf(program) {
  await waitFor(() => {
    if (!program.running) throw new Error(program.output());
    return program.output().includes('"window"');
  }, 'all windows stand');
  return lines(program).find((line) => line.window).window;
}

/** The reports of the program so far. @param {Program} program @returns {any[]} */
function lines(program) {
  const text = program.output();
  return text.slice(0, text.lastIndexOf('\n')).split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
}

/** @param {Program} program @returns {{x: number, swapped_ns: number}[]} */
function shown(program) {
  return lines(program).filter((line) => 'x' in line);
}

/** Records the times of all animation frames, and of those in which the window has moved. @param {WallPage} page @param {number} window */
async function watchUpdates(page, window) {
  await page.page.evaluate((number) => {
    const node = /** @type {HTMLElement} */ (document.getElementById(`window-${number}`));
    const watched = { times: /** @type {number[]} */ ([]), frames: /** @type {number[]} */ ([]), began: performance.now() };
    let last = node.style.transform;
    const look = (/** @type {number} */ now) => {
      watched.frames.push(now);
      if (node.style.transform !== last) watched.times.push(now);
      last = node.style.transform;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    Object.assign(globalThis, { watched });
  }, window);
}

/** @param {WallPage} page @returns {Promise<{times: number[], frames: number[], elapsedMs: number}>} */
function updates(page) {
  return page.page.evaluate(() => {
    const { times, frames } = /** @type {any} */ (globalThis).watched;
    return { times, frames, elapsedMs: times[times.length - 1] - times[0] };
  });
}

/**
 * @param {WallPage} page @param {Wall} wall @param {number} window @param {number} seconds
 * @returns {Promise<Move[]>}
 */
async function moveFor(page, wall, window, seconds) {
  const { rect } = await wall.window(window);
  const [startX, startY] = (await page.toPage([rect[0] + rect[2] / 2, rect[1] + rect[3] / 2])).map(Math.round);
  const scale = ((await page.toPage([1000, 0]))[0] - (await page.toPage([0, 0]))[0]) / 1000;
  await page.page.keyboard.down('Alt'); // no snapping, so that each position differs
  await page.page.mouse.move(startX, startY);
  await page.page.mouse.down();
  const session = await page.page.context().newCDPSession(page.page);
  /** @type {Move[]} */
  const moves = [];
  const end = performance.now() + 1000 * seconds;
  for (let at = 0, step = kStep; performance.now() < end; at += step) {
    if (at + step > kFarthest || at + step < 0) step = -step;
    const x = startX + at + step;
    moves.push({ sentNs: process.hrtime.bigint(), x: Math.round(rect[0] + (x - startX) / scale) });
    void session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y: startY, button: 'left', buttons: 1, modifiers: 1 });
    await new Promise((resolve) => setTimeout(resolve, kMoveMs));
  }
  await page.page.keyboard.up('Alt');
  await session.detach();
  return moves;
}

/**
 * Delays from each move until the last tile showed it. The page sends at most one position per frame, so moves in
 * between are skipped.
 * @param {Move[]} moves @param {{x: number, swapped_ns: number}[]} shownPlaces
 */
function moveToPixelMs(moves, shownPlaces) {
  const times = [];
  for (const { x, swapped_ns: swappedNs } of shownPlaces) {
    const move = moves.findLast((one) => Math.abs(one.x - x) <= kRounding && Number(one.sentNs) < swappedNs);
    if (move) times.push((swappedNs - Number(move.sentNs)) / 1e6);
  }
  return times;
}
