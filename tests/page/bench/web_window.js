// A window of vitrail-web: the frame rate of a scrolling page, and the CPU time of one at rest.
import { createServer } from 'node:http';
import { once } from 'node:events';

import { waitFor } from '../support/patience.js';
import { cpuSeconds } from './cpu_time.js';

/** @typedef {import('../support/wall.js').Wall} Wall */

const kBeginMs = 10_000; // start-up time during which the browser is busy with itself

const kPage = `<!DOCTYPE html><title>Scrolling</title><body style="font: 16px sans-serif">
${Array.from({ length: 3000 }, (_, i) => `<p>${i} ${'the quick brown fox jumps over the lazy dog '.repeat(4)}</p>`).join('')}
<script>
let down = 4;
const scroll = () => {
  const before = scrollY;
  scrollBy(0, down);
  if (scrollY === before) down = -down;
  requestAnimationFrame(scroll);
};
if (location.pathname === '/scrolling') requestAnimationFrame(scroll);
</script>`;

/** @param {Wall} wall @param {string} size @param {number} seconds */
export async function showPages(wall, size, seconds) {
  const server = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end(kPage)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  try {
    const scrolling = await show(wall, `http://127.0.0.1:${port}/scrolling`, size, seconds);
    const still = await show(wall, `http://127.0.0.1:${port}/still`, size, seconds);
    return { fps: scrolling.fps, scrollingCpu: scrolling.cpu, ownCpu: scrolling.ownCpu, stillCpu: still.cpu };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** @param {Wall} wall @param {string} url @param {string} size @param {number} seconds */
async function show(wall, url, size, seconds) {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const program = wall.start('vitrail-web', url, '--local', '--size', size, '--place', `0,0,${size}`, '--fps', '60', ...asRoot);
  const pid = Number(program.child.pid);
  const shown = async () => (await wall.state()).windows[0]?.stats?.frames_shown ?? 0;
  await waitFor(async () => {
    if (!program.running) throw new Error(program.output());
    return await shown() > 2;
  }, 'the page is shown');
  await new Promise((resolve) => setTimeout(resolve, Math.min(kBeginMs, 1000 * seconds)));
  const now = async () => ({ s: performance.now() / 1000, shown: await shown(), cpu: cpuSeconds(pid), own: cpuSeconds(pid, false) });
  const begin = await now();
  await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  const end = await now();
  await program.end();
  await waitFor(async () => (await wall.state()).windows.length === 0, 'its window closes');
  const per = (/** @type {number} */ value) => value / (end.s - begin.s);
  return { fps: per(end.shown - begin.shown), cpu: per(end.cpu - begin.cpu), ownCpu: per(end.own - begin.own) };
}
