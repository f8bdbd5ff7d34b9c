// scripts/bench guest: latency and smoothness of what a page shares with the wall, and the cost of web pages as windows.
import { parseArgs } from 'node:util';

import { number, onWall, percentile, run } from './bench.js';
import { shareFor } from './shared_page.js';
import { showPages } from './web_window.js';

const kHelp = `Measures on a wall of one tile: a screen that a page in a real browser shares, until the tile shows it, and a page that
vitrail-web shows. The shared screen is a canvas of the page in which each picture has its number. How late it is, is the age of
what the tile shows at instants that have nothing to do with the pictures': on average half a picture's time more than its way.
Usage: scripts/bench guest [OPTIONS]

  --size WxH=1920x1080   of the pictures; at least 1536 wide
  --fps N=30             that are shared, 1 to 120
  --seconds S=20         of each, 0.5 to 600
  --json FILE            write the figures to this file, too
  --quick                only whether all of it runs: half a second
  --help                 this text

To compare, run it on a machine that does nothing else.`;

function readOptions() {
  const { values } = parseArgs({
    options: {
      size: { type: 'string', default: '1920x1080' }, fps: { type: 'string', default: '30' }, seconds: { type: 'string' }, json: { type: 'string' },
      quick: { type: 'boolean' }, help: { type: 'boolean' },
    },
  });
  const sides = values.size.split('x');
  if (sides.length !== 2) throw new Error('--size is WxH');
  return {
    help: values.help === true,
    width: Math.round(number('size', sides[0], 1536, 7680)),
    height: Math.round(number('size', sides[1], 128, 4320)),
    fps: number('fps', values.fps, 1, 120),
    seconds: number('seconds', values.seconds ?? (values.quick ? '0.5' : '20'), 0.5, 600),
    json: values.json,
  };
}

/** @param {ReturnType<typeof readOptions>} options */
function measure({ width, height, fps, seconds }) {
  return onWall({ columns: 1, rows: 1, resolution: [width, height] }, async (wall, browser) => {
    const shared = await shareFor(browser, wall, { width, height, fps }, seconds);
    await browser.close(); // vitrail-web starts its own browser
    const web = await showPages(wall, `${width}x${height}`, seconds);
    return {
      shared_looks: shared.ages.length,
      shared_age_ms_p50: percentile(shared.ages, 0.5),
      shared_age_ms_p95: percentile(shared.ages, 0.95),
      shared_fps_drawn: shared.fpsDrawn,
      shared_fps_shown: shared.fpsShown,
      shared_missed_percent: Math.max(0, 100 * (1 - shared.fpsShown / shared.fpsDrawn)),
      guest_cpu_percent: 100 * shared.guestCpu,
      web_scrolling_fps: web.fps,
      web_scrolling_cpu_percent: 100 * web.scrollingCpu,
      web_scrolling_cpu_percent_without_browser: 100 * web.ownCpu,
      web_idle_cpu_percent: 100 * web.stillCpu,
    };
  });
}

await run(kHelp, readOptions, measure, ({ shared_looks }) => shared_looks > 0);
