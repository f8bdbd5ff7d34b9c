// Debian's Chromium, driven through playwright-core: its headless shell, which shows pages with the same engine for half the
// processor time, or all of it. Everything that a page reports as wrong fails the test that looked at it.
import { chromium } from 'playwright-core';

import { kPatienceMs } from './patience.js';

const kFlags = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'];

/** @typedef {import('playwright-core').Page} Page */

export class Browser {
  /** @type {string[]} */
  #wrongs = [];

  /** @param {import('playwright-core').Browser} browser */
  constructor(browser) {
    this.browser = browser;
  }

  /** @param {string[]} [flags] beside those that all have @param {boolean} [whole] with what tabs play, for who captures them */
  static async start(flags = [], whole = false) {
    return new Browser(await chromium.launch({
      executablePath: `/usr/bin/chromium${whole ? '' : '-headless-shell'}`, headless: true, chromiumSandbox: false, args: [...kFlags, ...flags],
      ignoreDefaultArgs: whole ? ['--mute-audio'] : [], timeout: kPatienceMs,
    }));
  }

  /**
   * A page of its own: no storage shared with the others.
   * @param {string} url
   * @param {import('playwright-core').BrowserContextOptions} [options]
   * @returns {Promise<Page>}
   */
  async open(url, options = {}) {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(kPatienceMs);
    const page = await context.newPage();
    page.on('pageerror', (error) => this.#wrongs.push(`${error.message}\n${error.stack ?? ''}`));
    page.on('console', (message) => {
      if (message.type() === 'error') this.#wrongs.push(`console: ${message.text()} (${message.location().url})`);
    });
    await page.goto(url);
    return page;
  }

  /**
   * What pages reported as wrong since the last call, but for what the test expects.
   * @param {RegExp} [expected]
   */
  wrongs(expected) {
    const wrongs = this.#wrongs.filter((wrong) => !expected?.test(wrong));
    this.#wrongs = [];
    return wrongs;
  }

  async close() {
    await this.browser.close();
  }
}
