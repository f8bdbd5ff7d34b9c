// The page under test: its contents, and mouse and touch drags in wall pixels.
import { waitFor } from './patience.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./wall.js').Wall} Wall */
/** @typedef {[number, number]} Point */
/** @typedef {[number, number, number, number]} Rect */

export class WallPage {
  /** @param {Page} page @param {Wall} wall */
  constructor(page, wall) {
    this.page = page;
    this.wall = wall;
  }

  /**
   * @param {import('./browser.js').Browser} browser
   * @param {Wall} wall
   * @param {import('playwright-core').BrowserContextOptions} [options]
   */
  static async open(browser, wall, options) {
    const page = new WallPage(await browser.open(wall.url, options), wall);
    await page.ready();
    return page;
  }

  /** Waits until the page shows the wall's state. */
  async ready() {
    await this.page.locator('#connection[data-phase=open]').waitFor();
    await this.page.locator('.tile').first().waitFor();
  }

  /** @param {number} number */
  window(number) {
    return this.page.locator(`#window-${number}`);
  }

  /** Waits until the page shows the window at the manager's rectangle. @param {number} number */
  async shown(number) {
    await this.window(number).waitFor();
    await waitFor(async () => {
      const [state, box] = [await this.wall.window(number), await this.rectOf(number)];
      return state.rect.every((/** @type {number} */ value, /** @type {number} */ index) => Math.abs(value - box[index]) <= 2);
    }, `the page shows window ${number} in its place`);
  }

  /** CSS pixels per wall pixel, and the position of the wall. */
  async #view() {
    const box = await this.page.locator('.layer > .wall').boundingBox();
    if (!box) throw new Error('the page shows no wall');
    return { ...box, scale: box.width / this.wall.size[0] };
  }

  /** The rectangle at which the page shows a window, in wall pixels. @param {number} number @returns {Promise<Rect>} */
  async rectOf(number) {
    const [view, box] = [await this.#view(), await this.window(number).boundingBox()];
    if (!box) throw new Error(`the page shows no window ${number}`);
    return [(box.x - view.x) / view.scale, (box.y - view.y) / view.scale, box.width / view.scale, box.height / view.scale];
  }

  /** Converts a point of the wall to the page. @param {Point} at @returns {Promise<Point>} */
  async toPage([x, y]) {
    const view = await this.#view();
    return [view.x + x * view.scale, view.y + y * view.scale];
  }

  /**
   * Presses the mouse at one point of the wall and moves it to another, without releasing it.
   * @param {Point} from wall pixels
   * @param {Point} to
   */
  async press(from, to) {
    const [start, end] = [await this.toPage(from), await this.toPage(to)];
    await this.page.mouse.move(...start);
    await this.page.mouse.down();
    await this.page.mouse.move(...end, { steps: 5 });
  }

  /** Drags from one point to another and releases the mouse. @param {Point} from @param {Point} to */
  async drag(from, to) {
    await this.press(from, to);
    await this.page.mouse.up();
  }

  /** Presses a handle of the selection and moves it by this many wall pixels. @param {string} handle @param {Point} by */
  async dragHandle(handle, [dx, dy]) {
    const [view, box] = [await this.#view(), await this.page.locator(`.handle.${handle}`).boundingBox()];
    if (!box) throw new Error(`the page shows no handle ${handle}`);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await this.page.mouse.move(x, y);
    await this.page.mouse.down();
    await this.page.mouse.move(x + dx * view.scale, y + dy * view.scale, { steps: 5 });
    await this.page.mouse.up();
  }

  /** Presses Escape twice, a tenth of a second apart by the events' timestamps, which do not depend on the machine's speed. */
  async pressEscapeTwice() {
    const session = await this.page.context().newCDPSession(this.page);
    const key = { key: 'Escape', code: 'Escape', windowsVirtualKeyCode: 27 };
    const first = Date.now() / 1000;
    for (const timestamp of [first, first + 0.1]) {
      await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', timestamp, ...key });
      await session.send('Input.dispatchKeyEvent', { type: 'keyUp', timestamp: timestamp + 0.02, ...key });
    }
    await session.detach();
  }

  /** Runs a function while a key is held. @param {string} key @param {() => Promise<void>} run */
  async holding(key, run) {
    await this.page.keyboard.down(key);
    await run();
    await this.page.keyboard.up(key);
  }

  /**
   * Touch: each list has the fingers' positions at one moment, in wall pixels; after the last one they are lifted.
   * @param {Point[][]} moments
   */
  async touch(moments) {
    const session = await this.page.context().newCDPSession(this.page);
    const places = await Promise.all(moments.map((fingers) => Promise.all(fingers.map((at) => this.toPage(at)))));
    let down = 0;
    // Send without waiting: on a slow machine a resting finger would become a long press.
    const sent = places.map((fingers) => {
      const type = fingers.length > down ? 'touchStart' : 'touchMove';
      down = fingers.length;
      return session.send('Input.dispatchTouchEvent', { type, touchPoints: fingers.map(([x, y], id) => ({ x, y, id })) });
    });
    await Promise.all(sent);
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await session.detach();
  }

  /** Waits until exactly these windows are selected. @param {...number} numbers */
  async selected(...numbers) {
    const nodes = this.page.locator('.window[aria-selected=true]');
    await waitFor(async () => {
      const found = await nodes.evaluateAll((all) => all.map((node) => Number(node.getAttribute('data-window'))));
      return JSON.stringify(found.sort((a, b) => a - b)) === JSON.stringify(numbers);
    }, `windows ${numbers} are selected`);
  }
}

/** Waits until the manager's rectangle of the window is this one, within `slack` pixels. @param {Wall} wall @param {number} number @param {Rect} rect @param {number} [slack] */
export async function waitForRect(wall, number, rect, slack = 2) {
  /** @type {any} */
  let last;
  const near = (/** @type {number[]} */ at) => at.every((value, index) => Math.abs(value - rect[index]) <= slack);
  try {
    await waitFor(async () => near((last = (await wall.window(number)).rect)), `window ${number} at ${rect}`);
  } catch (error) {
    throw new Error(`window ${number} is at ${last}, not at ${rect}`, { cause: error });
  }
}
