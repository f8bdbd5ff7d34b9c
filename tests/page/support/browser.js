// Debian's Chromium, driven by playwright-core: the headless shell, with the same engine at half the CPU time, or the full
// browser. Any error that a page reports fails the test that opened it.
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

  /** @param {string[]} [flags] in addition to the common ones @param {boolean} [whole] starts the full browser with sound, for tests that capture tabs */
  static async start(flags = [], whole = false) {
    return new Browser(await chromium.launch({
      executablePath: `/usr/bin/chromium${whole ? '' : '-headless-shell'}`, headless: true, chromiumSandbox: false, args: [...kFlags, ...flags],
      ignoreDefaultArgs: whole ? ['--mute-audio'] : [], timeout: kPatienceMs,
    }));
  }

  /**
   * A page with storage of its own.
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
   * The errors that pages reported since the last call, without the expected ones.
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
