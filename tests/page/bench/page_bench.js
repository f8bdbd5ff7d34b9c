// scripts/bench page: the page's size, its first paint, and the delay of a dragged window while the wall is full and other
// clients follow.
import { parseArgs } from 'node:util';

import { number, onWall, percentile, run } from './bench.js';
import { drag } from './drag.js';
import { firstPaints, weightKb } from './first_paint.js';

/** @typedef {import('../support/control.js').Control} Control */
/** @typedef {import('../support/wall.js').Wall} Wall */

const kPhoneSlowdown = 4;
const kHelp = `Measures the page in a real browser on a wall of 2×2 tiles of 960×540: its weight, its first paint and that of the remote
(also with a CPU that is four times slower, about that of a phone), and a window that is dragged (a film of 60 pictures a
second above still windows) while other clients follow all that happens.
Usage: scripts/bench page [OPTIONS]

  --windows N=50     on the wall, the dragged one among them, 1 to 2000
  --clients N=5      that look on, the dragging page among them, 1 to 900
  --seconds S=10     of dragging, 0.5 to 600
  --paints N=40      pages opened for the first paint, 1 to 1000
  --json FILE        write the figures to this file, too
  --quick            only whether all of it runs: few windows, half a second
  --help             this text

To compare, run it on a machine that does nothing else.`;

function readOptions() {
  const { values } = parseArgs({
    options: {
      windows: { type: 'string' }, clients: { type: 'string' }, seconds: { type: 'string' }, paints: { type: 'string' },
      json: { type: 'string' }, quick: { type: 'boolean' }, help: { type: 'boolean' },
    },
  });
  const usual = values.quick ? { windows: '4', clients: '2', seconds: '0.5', paints: '1' } : { windows: '50', clients: '5', seconds: '10', paints: '40' };
  return {
    help: values.help === true,
    windows: Math.round(number('windows', values.windows ?? usual.windows, 1, 2000)),
    clients: Math.round(number('clients', values.clients ?? usual.clients, 1, 900)),
    seconds: number('seconds', values.seconds ?? usual.seconds, 0.5, 600),
    paints: Math.round(number('paints', values.paints ?? usual.paints, 1, 1000)),
    json: values.json,
  };
}

/** Opens clients that subscribe to everything, as pages do. @param {Wall} wall @param {number} count */
async function lookOn(wall, count) {
  /** @type {Control[]} */
  const clients = [];
  for (let i = 0; i < count; ++i) {
    const client = await wall.client(`client ${i + 1}`);
    await client.call('subscribe', { figures: true, pointers: true });
    await client.call('watch_thumbnails', { windows: 'all', width: 160, per_second: 1 });
    clients.push(client);
  }
  return clients;
}

/** @param {ReturnType<typeof readOptions>} options */
function measure({ windows, clients, seconds, paints }) {
  return onWall({ columns: 2, rows: 2, resolution: [960, 540] }, async (wall, browser) => {
    const [width, height] = wall.size;
    const first = await firstPaints(browser, wall.url, paints, '#connection[data-phase=open]');
    const remote = await firstPaints(browser, `${wall.url}remote/`, paints, '#controls > .soft');
    const slow = await firstPaints(browser, `${wall.url}remote/`, paints, '#controls > .soft', kPhoneSlowdown);
    const weight = await weightKb(browser, wall);
    const program = wall.start('page_windows', '--manager', wall.env.VITRAIL_MANAGER, '--windows', String(windows),
      '--width', String(width), '--height', String(height));
    const others = await lookOn(wall, clients - 1);
    const dragged = await drag(browser, wall, program, seconds);
    for (const other of others) other.close();
    return {
      windows, clients,
      first_paint_ms_p50: percentile(first, 0.5),
      first_paint_ms_p95: percentile(first, 0.95),
      remote_paint_ms_p50: percentile(remote, 0.5),
      remote_paint_ms_p95: percentile(remote, 0.95),
      remote_paint_slow_ms_p50: percentile(slow, 0.5),
      remote_paint_slow_ms_p95: percentile(slow, 0.95),
      page_kb_compressed: weight,
      updates_per_second: dragged.updatesPerSecond,
      update_gap_ms_p95: percentile(dragged.updateGapsMs, 0.95),
      drag_frame_ms_max: Math.max(...dragged.frameGapsMs),
      drag_frames_over_50_ms: dragged.frameGapsMs.filter((gap) => gap > 50).length,
      move_to_pixel_ms_p50: percentile(dragged.moveToPixelMs, 0.5),
      move_to_pixel_ms_p95: percentile(dragged.moveToPixelMs, 0.95),
      places_shown: dragged.moveToPixelMs.length,
    };
  });
}

await run(kHelp, readOptions, measure, ({ places_shown }) => places_shown > 0);
