// The pen: draws strokes and writes texts on windows and on the wall, and erases this person's strokes.

import { t } from '../texts.js';
import { contains } from './geometry.js';
import { placedOn, simplified } from './strokes.js';
import { TextField, TextPress } from './text_field.js';

/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */
/** @import { Drag, Place } from './drags.js' */
/** @import { WallView } from './view.js' */

const kConfirmMs = 2000; // after this, a stroke that the manager accepted but does not report is dropped
const kMostPoints = 500; // points of a line that is sent
const kMostErased = 200; // points of an eraser's line
const kMostCollected = 2000; // points of a line while it is drawn
const kThin = 1 / 250; // width of a line, in heights of the wall
const kWidest = 2000; // wall pixels; the manager's bound
const kInvisible = 0.7; // CSS pixels: points that are nearer to the line are left out

/** width: in lines of the pen; opacity: percent. @typedef {{width: number, opacity: number, colour?: string}} Tip */
const kTips = { pen: { width: 1, opacity: 100 }, highlighter: { width: 5, opacity: 40 }, arrow: { width: 1, opacity: 100 }, text: { width: 10, opacity: 100 }, eraser: { width: 6, opacity: 60, colour: '#888888' } };
/** @typedef {keyof typeof kTips} Mode */
export const kModes = /** @type {Mode[]} */ (Object.keys(kTips));

/** Events: `change` when the pen is turned on or off or gets another mode. */
export class Pen extends EventTarget {
  #store;
  #view;
  on = false;
  /** @type {Mode} */
  mode = 'pen';
  /** A pen device is drawing: touches by the hand are ignored. */
  resting = false;
  /** Own strokes that the manager has not reported yet, by window; 0: on the wall. @type {Map<T.Stroke, number>} */
  #own = new Map();
  /** Own strokes that the manager has accepted. @type {Set<T.Stroke>} */
  #accepted = new Set();
  #field;

  /** @param {Store} store @param {WallView} view */
  constructor(store, view) {
    super();
    this.#store = store;
    this.#view = view;
    this.#field = new TextField(store, view, this);
    store.addEventListener('drawings', () => this.#accepted.forEach((stroke) => this.drop(stroke)));
  }

  /** A text that is chosen by a key begins at once, on the selected window or on the wall. @param {boolean} on @param {Mode} [mode] */
  turn(on, mode = 'pen') {
    const byKey = document.activeElement?.matches('button:focus-visible');
    this.on = on;
    this.mode = mode;
    this.dispatchEvent(new Event('change'));
    if (on && mode === 'text' && byKey) this.#field.openBelowOthers(this.#store.selected()[0]?.window ?? 0);
  }

  /** Width of a line in wall pixels. @param {Mode} mode */
  widthOf(mode) {
    return Math.min(Math.max((this.#store.state?.wall.size[1] ?? 1) * kThin, 2) * kTips[mode].width, kWidest);
  }

  /** Whether this person may draw on the window; says why not. @param {number} number 0: on the wall */
  mayDraw(number) {
    const window = this.#store.window(number);
    if (!window || this.#store.mayChange([window])) return true;
    this.#store.say(t('role.othersWindow', { title: window.title }));
    return false;
  }

  get colour() {
    const { client } = this.#store.connection.welcome ?? {};
    return this.#store.state?.clients.find((one) => one.client === client)?.colour ?? '#ff3b30';
  }

  /** All strokes of a window, bottom to top. @param {number} window 0: on the wall @returns {T.Stroke[]} */
  strokes(window) {
    const own = [...this.#own].flatMap(([stroke, of]) => (of === window ? [stroke] : []));
    return [...(this.#store.drawings.get(window) ?? []), ...own];
  }

  /** Begins a stroke on the window under the point, or else on the wall. Null if this person may not draw there. @param {Place} start @param {PointerEvent} event @returns {Drag | null} */
  begin({ wall: at }, event) {
    const { state } = this.#store;
    if (!state) return null;
    const mode = event.button === 5 ? 'eraser' : this.mode; // button 5: the eraser at the end of a pen
    const number = mode === 'eraser' ? 0 : this.windowUnder(at);
    if (!this.mayDraw(number)) return null;
    if (mode === 'text') {
      if (event.pointerType !== 'mouse') event.preventDefault(); // after a tap, the focus would move to what is under the finger
      return new TextPress(this.#field, number, at);
    }
    this.resting = event.pointerType === 'pen';
    return new PenDrag(this.#store, this.#view, this, mode, number, at);
  }

  /** The topmost window at a point; 0: none. @param {T.Point} at */
  windowUnder(at) {
    return this.#store.state?.order.findLast((number) => contains(this.#store.rectOf(number), at)) ?? 0;
  }

  /** Shows a stroke in the place of another one. @param {T.Stroke | undefined} before @param {T.Stroke} stroke @param {number} window */
  show(before, stroke, window) {
    if (before) this.#own.delete(before);
    this.#own.set(stroke, window);
    this.#view.layOutStrokes();
  }

  /** @param {T.Stroke} [stroke] */
  drop(stroke) {
    if (!stroke || !this.#own.delete(stroke)) return;
    this.#accepted.delete(stroke);
    this.#view.layOutStrokes();
  }

  /** Shows the stroke until the manager reports it, or refuses it. @param {T.Stroke | undefined} stroke @param {Promise<any>} answer */
  async keep(stroke, answer) {
    if (!(await answer) || !stroke) return this.drop(stroke);
    this.#accepted.add(stroke);
    setTimeout(() => this.drop(stroke), kConfirmMs);
  }
}

/** A stroke from the first touch of the pen until it is lifted. @implements {Drag} */
class PenDrag {
  #store;
  #view;
  #pen;
  #mode;
  #window;
  /** @type {T.Point[]} wall pixels */
  #line;
  #width;
  #tolerance;
  /** @type {T.Stroke | undefined} */
  #shown;
  #frame = 0;

  /** @param {Store} store @param {WallView} view @param {Pen} pen @param {Mode} mode @param {number} window 0: on the wall @param {T.Point} at */
  constructor(store, view, pen, mode, window, at) {
    this.#store = store;
    this.#view = view;
    this.#pen = pen;
    this.#mode = mode;
    this.#window = window;
    this.#line = [at];
    this.#width = pen.widthOf(mode);
    this.#tolerance = kInvisible / view.viewport.scale;
    this.#show();
  }

  get #wall() {
    return this.#store.state?.wall.size ?? [1, 1];
  }

  /** @param {Place[]} places @param {unknown} modifiers @param {PointerEvent} event */
  update(places, modifiers, event) {
    const events = event.getCoalescedEvents?.() ?? [];
    const added = (events.length ? events : [event]).map(({ clientX, clientY }) => this.#view.at(clientX, clientY));
    if (this.#mode === 'arrow') this.#line = [this.#line[0], added[added.length - 1]];
    else this.#line.push(...added);
    if (this.#line.length > kMostCollected) this.#line = this.#bounded(kMostPoints);
    this.#frame ||= requestAnimationFrame(() => this.#show());
  }

  #show() {
    this.#frame = 0;
    const rect = this.#window ? this.#store.rectOf(this.#window) : /** @type {T.Rect} */ ([0, 0, ...this.#wall]);
    /** @type {Tip} */
    const { opacity, colour } = kTips[this.#mode];
    /** @type {T.Stroke} */
    const stroke = {
      ...placedOn(this.#line.length > 1 ? this.#line : [this.#line[0], this.#line[0]], this.#width, rect),
      colour: colour ?? this.#pen.colour,
      opacity,
      arrow: this.#mode === 'arrow',
    };
    this.#pen.show(this.#shown, stroke, this.#window);
    this.#shown = stroke;
  }

  /** @param {number} most points */
  #bounded(most) {
    let line = simplified(this.#line, this.#tolerance);
    for (let tolerance = this.#tolerance; line.length > most; ) line = simplified(line, (tolerance *= 2));
    return line;
  }

  finish() {
    this.#end();
    if (this.#mode === 'eraser') return this.#erase();
    this.#show();
    const { opacity } = kTips[this.#mode];
    const params = { points: this.#bounded(kMostPoints), width: this.#width, opacity: opacity / 100, arrow: this.#mode === 'arrow', ...(this.#window ? { window: this.#window } : {}) };
    void this.#pen.keep(this.#shown, this.#store.act('annotate', params));
  }

  /** Erases on the windows that are visible under the eraser, and on the wall. */
  #erase() {
    this.#pen.drop(this.#shown);
    const under = new Set(this.#line.map((at) => this.#pen.windowUnder(at)));
    const windows = [...under].filter((number) => {
      const window = this.#store.window(number);
      return window && this.#store.mayChange([window]);
    });
    void this.#store.act('annotate_erase', { points: this.#bounded(kMostErased), width: this.#width, ...(windows.length ? { windows } : {}) });
  }

  cancel() {
    this.#end();
    this.#pen.drop(this.#shown);
  }

  #end() {
    cancelAnimationFrame(this.#frame);
    this.#pen.resting = false;
  }
}
