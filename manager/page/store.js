// The page's state: the manager's state kept up to date, the selection, and window rectangles that are shown before the
// manager has confirmed them. All parts of the page read from the store and send requests through it.

import { problemText, withoutCommands } from './problems.js';
import { mayChange } from './rights.js';
import { contains } from './wall/geometry.js';

/** @import { Connection } from './connection.js' */
/** @import * as T from './types.js' */
/** @import { Right } from './rights.js' */
/** @import { DropPlaces } from './wall/drop_places.js' */

const kConfirmMs = 600; // after this, a rectangle that the manager accepted but does not report (others changed it) is dropped
const kMostUnsent = 65536; // bytes; with more in the send buffer, intermediate rectangles of a gesture are skipped
const kKeys = /** @type {const} */ (['identify', 'calibrate', 'overlay', 'blank', 'blank_text', 'sound', 'health', 'receivers', 'clients', 'partitions', 'history', 'layouts', 'sessions', 'playlists', 'openings', 'events']);

/** How windows are placed: gesture: steps of the same name form one undo step; front: raise them. @typedef {{gesture?: string, front?: boolean}} PlaceHow */

/**
 * Events, all but `message` at most once per animation frame:
 * - `state`      detail {keys: Set of names of WallState that changed, windows: Set of numbers opened, changed or closed}
 * - `places`     rectangles changed before the manager confirmed them (dragging); read rectOf()
 * - `selection`  the set of selected windows changed
 * - `figures`, `pointers`, `drawings`  new values
 * - `connection` phase of the connection changed
 * - `thumbnail`  detail Thumbnail, one event each
 * - `message`    detail {text, kind}: something to tell the person; one event each
 */
export class Store extends EventTarget {
  /** @type {T.WallState | null} null until the first connection; kept, and shown greyed out, while disconnected */
  state = null;
  /** @type {Set<number>} window numbers in the order of selection; change it with select() */
  selection = new Set();
  /** @type {T.Figures | null} */
  figures = null;
  /** @type {Map<number, T.WindowFigures>} the figures of windows, by number */
  windowFigures = new Map();
  /** @type {T.WallPointer[]} */
  pointers = [];
  /** Strokes by window, bottom to top; 0: on the wall. @type {Map<number, T.Stroke[]>} */
  drawings = new Map();
  /** Converts client coordinates to wall pixels; null outside the wall. Set by the wall view. @type {(x: number, y: number) => T.Point | null} */
  wallPoint = () => null;
  /** Finds places for dropped content. Set by the wall view. @type {DropPlaces} */
  drops = /** @type {any} */ (null);

  /** @type {Connection} */
  connection;
  /** Rectangles shown until the manager confirms them. @type {Map<number, T.Rect>} */
  #places = new Map();
  /** The rectangles to send to the manager at the next animation frame. @type {{rects: Map<number, T.Rect>, how: PlaceHow} | null} */
  #live = null;
  /** Windows in a gesture: the manager's reports of older rectangles must not move them back. @type {Set<number>} */
  #held = new Set();
  /** @type {Set<string>} */
  #dirty = new Set();
  /** @type {Set<string>} */
  #keys = new Set();
  /** @type {Set<number>} */
  #windows = new Set();
  #frame = 0;
  #asking = false;
  /** @type {number | null} */
  #clockOffsetMs = null;

  /** @param {Connection} connection */
  constructor(connection) {
    super();
    this.connection = connection;
    connection.addEventListener('phase', () => this.#mark('connection'));
    connection.addEventListener('open', () => void this.#ask());
    connection.addEventListener('notification', (event) => {
      const { method, params } = /** @type {CustomEvent} */ (event).detail;
      this.#hear(method, params);
    });
  }

  // --- requests

  /** Sends a request; rejects with a CallError. @param {string} method @param {object} [params] @returns {Promise<any>} */
  call(method, params) {
    return this.connection.call(method, params);
  }

  /** @param {string} method @param {object} params */
  notify(method, params) {
    this.connection.notify(method, params);
  }

  /**
   * Sends a request and shows its error to the person. Resolves to undefined on failure.
   * @param {string} method @param {object} [params] @param {string} [done] shown on success
   * @returns {Promise<any>}
   */
  async act(method, params, done) {
    try {
      const result = await this.call(method, params);
      if (done) this.say(done);
      return result ?? {};
    } catch (error) {
      this.say(this.problem(error), 'error');
      return undefined;
    }
  }

  /** The error's text for this person. @param {unknown} error */
  problem(error) {
    return problemText(error, this.right);
  }

  /** Shows a message and announces it to screen readers; quiet: announces it only. @param {string} text @param {'info' | 'error' | 'quiet'} [kind] */
  say(text, kind = 'info') {
    this.dispatchEvent(new CustomEvent('message', { detail: { text, kind } }));
  }

  // --- windows

  /** This person's role; admin if the wall has no key. @returns {Right} */
  get right() {
    return this.connection.welcome?.right ?? 'admin';
  }

  /** Whether this person may change all of these windows. @param {T.WallWindow[]} windows */
  mayChange(windows) {
    const { right } = this;
    return windows.every((window) => mayChange(right, this.connection.keyName, window));
  }

  /** @param {number} number @returns {T.WallWindow | undefined} */
  window(number) {
    return this.state?.windows.get(number);
  }

  /** Where the window is shown: its unconfirmed rectangle, or the manager's. @param {number} number @returns {T.Rect} */
  rectOf(number) {
    return this.#places.get(number) ?? (this.window(number) ?? this.state?.decorations.get(number))?.rect ?? [0, 0, 1, 1];
  }

  /** The selected windows that still exist, in the order of selection. @returns {T.WallWindow[]} */
  selected() {
    return [...this.selection].flatMap((number) => this.window(number) ?? []);
  }

  /** The topmost window at a point, or 0 if there is none, it is locked, or this person may not change it. @param {T.Point} at wall pixels @param {number} [except] a window to ignore */
  windowUnder(at, except = 0) {
    const under = (this.state?.order ?? []).findLast((number) => number !== except && contains(this.rectOf(number), at));
    const window = under === undefined ? undefined : this.window(under);
    return window && !window.locked && this.mayChange([window]) ? window.window : 0;
  }

  /** @param {Iterable<number>} numbers @param {'set' | 'add' | 'toggle'} [how] */
  select(numbers, how = 'set') {
    const next = new Set(how === 'set' ? [] : this.selection);
    for (const number of numbers) {
      if (how === 'toggle' && next.has(number)) next.delete(number);
      else if (this.window(number)) next.add(number);
    }
    if (next.size === this.selection.size && [...next].every((number) => this.selection.has(number))) return;
    this.selection = next;
    this.#mark('selection');
  }

  /**
   * Shows these rectangles and sends them to the manager at the next animation frame. For use during a gesture.
   * @param {Map<number, T.Rect>} rects @param {PlaceHow} how
   */
  placeLive(rects, how) {
    this.#live = { rects, how };
    this.#show(rects);
  }

  /**
   * Sets the final rectangles. Resolves to whether the manager accepted them.
   * @param {Map<number, T.Rect>} rects @param {PlaceHow} [how]
   */
  async place(rects, how = {}) {
    this.#live = null;
    if (rects.size === 0) return true;
    this.#show(rects);
    const result = await this.act('place', { windows: placesOf(rects), ...how });
    if (result) setTimeout(() => this.#forget(rects), kConfirmMs);
    else this.#forget(rects);
    return result !== undefined;
  }

  /**
   * Ends a gesture with a request by which the manager chooses the rectangles.
   * @param {Map<number, T.Rect>} rects shown until the manager has answered @param {string} method @param {object} params
   */
  async leave(rects, method, params) {
    this.#live = null;
    await this.act(method, params);
    this.#forget(rects);
  }

  /** The current wall time in seconds; null until the first figures. */
  wallSeconds() {
    return this.#clockOffsetMs === null ? null : (performance.now() + this.#clockOffsetMs) / 1000;
  }

  // --- the manager's state

  async #ask() {
    if (this.#asking) return;
    this.#asking = true;
    try {
      // Messages are ordered: no notification after the answer is older than the answer.
      this.#replace(await this.call('subscribe', { figures: true, pointers: true, drawings: true }));
    } catch (error) {
      if (this.connection.phase === 'open') this.say(this.problem(error), 'error');
    } finally {
      this.#asking = false;
    }
  }

  /** @param {any} answer */
  #replace(answer) {
    /** @type {T.WallWindow[]} */
    const shown = (answer.windows ?? []).filter((/** @type {T.WallWindow} */ window) => !window.hidden);
    const windows = shown.filter((window) => !window.decoration);
    this.state = {
      overlay: false,
      blank: false,
      blank_text: '',
      sound: { volume: 1, muted: false },
      health: { state: 'well', sentence: '', problems: [] },
      clients: [],
      partitions: [],
      history: { undo: null, redo: null, done: 0, entries: [] },
      layouts: [],
      sessions: [],
      playlists: [],
      openings: [],
      events: [],
      ...answer,
      windows: new Map(windows.map((window) => [window.window, window])),
      decorations: new Map(shown.filter((window) => window.decoration).map((window) => [window.window, window])),
      order: windows.map((window) => window.window),
    };
    this.#places.clear();
    this.drawings.clear();
    for (const number of this.selection) if (!this.window(number)) this.selection.delete(number);
    for (const key of ['wall', 'windows', 'order', ...kKeys]) this.#keys.add(key);
    this.#mark('state', 'selection', 'drawings');
  }

  /** @param {string} method @param {any} params */
  #hear(method, params) {
    if (method === 'changed') this.#change(params);
    else if (method === 'figures') this.#takeFigures(params);
    else if (method === 'pointers') {
      this.pointers = params.pointers ?? [];
      this.#mark('pointers');
    } else if (method === 'drawings') this.#takeDrawings(params.drawings);
    else if (method === 'notice') this.say(withoutCommands(String(params.message)), 'error');
    else if (method === 'thumbnail' || method === 'levels') this.dispatchEvent(new CustomEvent(method, { detail: params }));
  }

  /** @param {any} changed */
  #change(changed) {
    const state = this.state;
    if (!state || this.#asking || changed.revision < state.revision) return;
    if (changed.revision > state.revision + 1) return void this.#ask();
    state.revision = changed.revision;
    state.epoch = changed.epoch ?? state.epoch;
    for (const key of kKeys) {
      if (changed[key] === undefined || changed[key] === state[key]) continue;
      if (key === 'receivers') state.receivers = mergeReceivers(state.receivers, changed.receivers);
      else if (key === 'history') this.#takeHistory(state, changed.history);
      else /** @type {any} */ (state)[key] = changed[key];
      this.#keys.add(key);
    }
    for (const window of changed.windows ?? []) {
      if (window.hidden) this.#removeWindow(state, window.window);
      else this.#takeWindow(state, window);
    }
    for (const number of changed.removed ?? []) {
      this.#removeWindow(state, number);
      this.drawings.delete(number);
    }
    if (changed.order) {
      state.order = changed.order.filter((/** @type {number} */ number) => state.windows.has(number));
      this.#keys.add('order');
    }
    this.#mark('state');
  }

  /** Updates the history, and shows new entries that no person caused. @param {T.WallState} state @param {T.History & {keep?: [number, number]}} change */
  #takeHistory(state, change) {
    const known = Math.max(0, ...state.history.entries.map(({ number }) => number));
    state.history = followHistory(state.history, change);
    for (const { number, note, who, what } of state.history.entries) if (note && !who && number > known) this.say(what);
  }

  /** @param {{window?: number, keep: number, strokes: T.Stroke[]}[]} changed */
  #takeDrawings(changed) {
    for (const { window = 0, keep, strokes } of changed) this.drawings.set(window, [...(this.drawings.get(window) ?? []).slice(0, keep), ...strokes]);
    this.#mark('drawings');
  }

  /** @param {T.WallState} state @param {T.WallWindow} window */
  #takeWindow(state, window) {
    this.#windows.add(window.window);
    if (window.decoration) return void state.decorations.set(window.window, window);
    const before = state.windows.get(window.window);
    if (!before) {
      state.order.push(window.window);
      this.#keys.add('order');
    }
    // Notifications omit the values that come with the figures.
    state.windows.set(window.window, { ...window, fps: window.fps ?? before?.fps ?? 0, stats: window.stats ?? before?.stats });
    const shown = this.#places.get(window.window);
    if (shown && !this.#held.has(window.window) && same(shown, window.rect)) this.#places.delete(window.window);
    this.#keys.add('windows');
  }

  /** @param {T.WallState} state @param {number} number */
  #removeWindow(state, number) {
    if (state.decorations.delete(number)) return void this.#windows.add(number);
    if (!state.windows.delete(number)) return;
    state.order = state.order.filter((other) => other !== number);
    this.#places.delete(number);
    this.windowFigures.delete(number);
    if (this.selection.delete(number)) this.#mark('selection');
    this.#keys.add('windows').add('order');
    this.#windows.add(number);
  }

  /** @param {T.Figures} figures */
  #takeFigures(figures) {
    const before = this.figures;
    // Large sets of figures arrive in several messages with the same wall_ns.
    const more = before?.wall_ns === figures.wall_ns;
    this.figures = more ? { ...figures, windows: [...before.windows, ...figures.windows], receivers: [...before.receivers, ...figures.receivers] } : figures;
    this.#clockOffsetMs = figures.wall_ns / 1e6 - performance.now();
    for (const entry of figures.windows) this.windowFigures.set(entry.window, entry);
    this.#mark('figures');
  }

  // --- rectangles before the manager confirmed them

  /** Begins a gesture: until release(), these windows are shown where placeLive() puts them. @param {Iterable<number>} numbers */
  hold(numbers) {
    for (const number of numbers) this.#held.add(number);
  }

  /** Ends the gesture. */
  release() {
    this.#held.clear();
  }

  /** @param {Map<number, T.Rect>} rects */
  #show(rects) {
    for (const [number, rect] of rects) this.#places.set(number, rect);
    this.#mark('places');
  }

  /** @param {Map<number, T.Rect>} rects */
  #forget(rects) {
    for (const [number, rect] of rects) {
      const shown = this.#places.get(number);
      if (shown && !this.#held.has(number) && same(shown, rect)) this.#places.delete(number);
    }
    this.#mark('places');
  }

  #sendLive() {
    const live = this.#live;
    this.#live = null;
    // On a slow link, skip this update: the next frame brings newer rectangles.
    if (live && this.connection.unsent < kMostUnsent) this.notify('place', { windows: placesOf(live.rects), ...live.how });
  }

  // --- one event per frame

  /** @param {...string} types */
  #mark(...types) {
    for (const type of types) this.#dirty.add(type);
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => this.#flush());
  }

  #flush() {
    this.#frame = 0;
    this.#sendLive();
    const dirty = this.#dirty;
    const detail = { keys: this.#keys, windows: this.#windows };
    this.#dirty = new Set();
    this.#keys = new Set();
    this.#windows = new Set();
    for (const type of dirty) this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** @param {Map<number, T.Rect>} rects */
function placesOf(rects) {
  return [...rects].map(([window, rect]) => ({ window, rect }));
}

/** @param {T.Rect} a @param {T.Rect} b */
function same(a, b) {
  return a.every((value, index) => value === b[index]);
}

/** @param {T.Receiver[]} all @param {T.Receiver[]} changed */
function mergeReceivers(all, changed) {
  const byName = new Map(changed.map((receiver) => [receiver.name, receiver]));
  // Notifications omit the values that come with the figures.
  return all.map((before) => {
    const receiver = byName.get(before.name);
    return receiver ? { ...receiver, stats: receiver.stats ?? before.stats } : before;
  });
}

/** Applies a history change: keeps the entries numbered keep[0] to keep[1] and appends the new ones. @param {T.History} before @param {T.History & {keep?: [number, number]}} change @returns {T.History} */
function followHistory(before, { keep, ...history }) {
  if (!keep) return history;
  const stay = before.entries.filter(({ number }) => number >= keep[0] && number <= keep[1]);
  return { ...history, entries: [...stay, ...history.entries] };
}
