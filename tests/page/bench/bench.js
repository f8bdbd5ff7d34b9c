// Shared by the page's benchmarks: command line numbers, percentiles, the wall and browser to measure on, and the report
// of results.
import { writeFileSync } from 'node:fs';

import { Browser } from '../support/browser.js';
import { Wall } from '../support/wall.js';

/** @param {string} name @param {string} text @param {number} least @param {number} most */
export function number(name, text, least, most) {
  const value = Number(text);
  if (!(value >= least && value <= most)) throw new Error(`--${name} is a number between ${least} and ${most}`);
  return value;
}

/** @param {number[]} values @param {number} share */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/**
 * Measures on a wall with a browser, and closes both afterwards.
 * @template T
 * @param {NonNullable<Parameters<typeof Wall.start>[0]>['grid']} grid @param {(wall: Wall, browser: Browser) => Promise<T>} measure
 * @param {string[]} [flags] of the browser
 */
export async function onWall(grid, measure, flags = []) {
  const wall = await Wall.start({ grid });
  let browser;
  try {
    browser = await Browser.start(flags, true); // the full browser, as people use it
    return await measure(wall, browser);
  } finally {
    await browser?.close();
    await wall.close();
  }
}

/**
 * Prints the figures and sets the exit code by whether `enough` accepts them.
 * @template {{ help: boolean, json?: string }} Options
 * @template {Record<string, number>} Figures
 * @param {string} help @param {() => Options} readOptions @param {(options: Options) => Promise<Figures>} measure
 * @param {(figures: Figures) => boolean} enough
 */
export async function run(help, readOptions, measure, enough) {
  try {
    const options = readOptions();
    if (options.help) {
      console.log(help);
      return;
    }
    const figures = await measure(options);
    for (const [name, value] of Object.entries(figures)) console.log(`  ${name.padEnd(42)} ${value.toFixed(2).padStart(12)}`);
    if (options.json) writeFileSync(options.json, `${JSON.stringify(figures)}\n`);
    process.exitCode = enough(figures) ? 0 : 1;
  } catch (error) {
    console.error(`bench: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
