// The wall to scale, with its windows; lays everything out, at most once a frame. gestures.js handles pointer input.

import { element } from '../dom.js';
import { t } from '../texts.js';
import { DropPlaces } from './drop_places.js';
import { EmptyWall } from './empty_wall.js';
import { around, kHandles } from './geometry.js';
import { InputMode } from './input_mode.js';
import { OwnPointer } from './own_pointer.js';
import { Pen } from './pen.js';
import { OthersPointers } from './people_pointers.js';
import { StrokeLayer } from './strokes.js';
import { Thumbnails } from './thumbnails.js';
import { fitted, panned, toScreen, toWall, zoomedAt } from './viewport.js';
import { WallMap, putAt } from './wall_map.js';
import { WindowBox } from './window_box.js';

/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */
/** @import { Guide } from './snap.js' */
/** @import { Viewport } from './viewport.js' */

const decorLayer = () => element('div', { class: 'layer decor', inert: true });
const kRoomForHandles = 44; // CSS pixels; smaller selection frames show two of the eight handles

/** Events: `zoom` when the scale may have changed. */
export class WallView extends HTMLElement {
  #store;
  #empty;
  /** @type {Map<number, WindowBox>} */
  boxes = new Map();
  /** @type {Viewport} */
  viewport = { scale: 1, x: 0, y: 0 };
  /** Whether the view shows the whole wall and follows the page's size. */
  #whole = true;
  /** @type {T.Size} */
  #size = [1, 1];

  #under = element('div', { class: 'layer under' });
  windows = element('div', { class: 'layer windows', role: 'listbox', 'aria-multiselectable': 'true', 'aria-label': t('wall.windows') });
  #over = element('div', { class: 'layer over' });
  #layers = { wallpaper: decorLayer(), logo: decorLayer(), curtain: decorLayer() };
  #frame = element('div', { class: 'selection-frame', hidden: true });
  #band = element('div', { class: 'band', hidden: true });
  #guides = element('div', { class: 'layer guides' });
  #pointers = element('div', { class: 'layer pointers', 'aria-hidden': 'true' });

  #blank = element('p', { class: 'blank-mark', role: 'status', hidden: true });
  map = new WallMap(this.#under, this.#over);
  #others = new OthersPointers(this.#pointers);
  #strokes = new StrokeLayer(); // on the wall

  /** @param {Store} store */
  constructor(store) {
    super();
    this.#store = store;
    this.ownPointer = new OwnPointer(store);
    this.input = new InputMode(store, this);
    this.pen = new Pen(store, this);
    this.thumbnails = new Thumbnails(store, this.boxes);
    this.#empty = new EmptyWall(store);
    this.drops = new DropPlaces(store, () => this.viewport);
    this.tabIndex = -1;
    this.setAttribute('aria-label', t('wall.label'));
    this.dir = 'ltr'; // left and right of the wall do not depend on the language
    this.#build();
    store.wallPoint = (x, y) => this.#wallPoint(x, y);
    store.drops = this.drops;
    store.addEventListener('state', (event) => this.#renderState(/** @type {CustomEvent} */ (event).detail));
    for (const type of ['places', 'drawings']) store.addEventListener(type, () => this.#layOut());
    store.addEventListener('selection', () => this.#renderSelection());
    store.addEventListener('figures', () => this.#renderFigures());
    store.addEventListener('pointers', () => this.#renderPointers());
    new ResizeObserver(() => this.#resized()).observe(this);
  }

  #build() {
    for (const handle of kHandles) this.#frame.append(element('div', { class: `handle ${handle}`, 'data-handle': handle }));
    this.append(this.#under, this.#layers.wallpaper, this.windows, this.#layers.logo, this.#layers.curtain, this.#over, element('div', { class: 'layer drawn' }, this.#strokes.node), this.#guides, this.#frame, this.#band, this.drops.node, this.#pointers, this.#empty.node, this.#blank, this.input.node);
  }

  // --- the view

  /** @param {number} clientX @param {number} clientY @returns {T.Point} wall pixels */
  at(clientX, clientY) {
    const box = this.getBoundingClientRect();
    return toWall(this.viewport, clientX - box.left, clientY - box.top);
  }

  /** @param {number} x @param {number} y @returns {T.Point | null} */
  #wallPoint(x, y) {
    const box = this.getBoundingClientRect();
    const inside = x >= box.left && y >= box.top && x < box.right && y < box.bottom;
    return inside && this.#store.state ? this.at(x, y) : null;
  }

  showWhole() {
    this.#whole = true;
    this.#resized();
  }

  /** @param {number} factor @param {T.Point} [client] the fixed point; omitted: the middle */
  zoomBy(factor, client) {
    const wall = this.#store.state?.wall.size;
    if (!wall) return;
    const box = this.getBoundingClientRect();
    /** @type {T.Point} */
    const at = client ? [client[0] - box.left, client[1] - box.top] : [box.width / 2, box.height / 2];
    this.#whole = false;
    this.viewport = zoomedAt(this.viewport, factor, at, fitted(wall, this.#size));
    this.panBy(0, 0);
  }

  /** @param {number} dx @param {number} dy screen pixels */
  panBy(dx, dy) {
    const wall = this.#store.state?.wall.size;
    if (!wall) return;
    this.viewport = panned(this.viewport, dx, dy, wall, this.#size);
    if (dx || dy) this.#whole = false;
    this.#renderAll();
  }

  /** Whether the view no longer shows the whole wall. */
  get zoomedIn() {
    return !this.#whole;
  }

  #resized() {
    this.#size = [this.clientWidth || 1, this.clientHeight || 1];
    const wall = this.#store.state?.wall.size;
    if (!wall) return;
    if (this.#whole) this.viewport = fitted(wall, this.#size);
    this.#renderAll();
  }

  // --- drawing

  #renderAll() {
    const state = this.#store.state;
    if (!state) return;
    this.map.render(state, this.viewport);
    this.dispatchEvent(new Event('zoom'));
    this.#layOut();
    this.#renderPointers();
  }

  /** @param {{keys: Set<string>, windows: Set<number>}} changed */
  #renderState({ keys, windows }) {
    const state = this.#store.state;
    if (!state) return;
    const all = keys.has('wall');
    for (const [number, box] of this.boxes) if (!state.windows.has(number) && !state.decorations.has(number)) this.#removeBox(number, box);
    for (const number of all ? [...state.windows.keys(), ...state.decorations.keys()] : windows) this.#describe(state, number);
    this.#empty.render(state);
    if (keys.has('overlay')) this.#renderFigures();
    this.classList.toggle('blank', state.blank);
    this.#blank.hidden = !state.blank;
    if (keys.has('blank') || keys.has('blank_text')) this.#blank.textContent = state.blank_text ? t('wall.blankText', { text: state.blank_text }) : t('wall.blank');
    if (all) this.#resized();
    else if (keys.has('receivers') || keys.has('partitions')) this.#renderAll();
    else this.#layOut();
    this.#roving();
  }

  /** @param {T.WallState} state @param {number} number */
  #describe(state, number) {
    const window = state.windows.get(number) ?? state.decorations.get(number);
    if (!window) return;
    let box = this.boxes.get(number);
    if (!box) {
      box = new WindowBox(number);
      box.select(this.#store.selection.has(number));
      this.boxes.set(number, box);
      (window.decoration ? this.#layers[window.decoration.kind] : this.windows).append(box.node);
    }
    box.describe(window, this.#store.rectOf(number), state.clients, this.#store.connection.welcome?.client);
    this.#showFigures(box, window);
  }

  /** Codecs and rates are shown only while the wall's overlay is on, which is shared by all people. @param {WindowBox} box @param {T.WallWindow} window */
  #showFigures(box, window) {
    const showsRates = this.#store.state?.overlay === true;
    box.showFigures(window, this.#store.windowFigures.get(window.window), showsRates, this.#store.wallSeconds());
  }

  /** @param {number} number @param {WindowBox} box */
  #removeBox(number, box) {
    const focused = box.node === document.activeElement;
    box.remove();
    this.boxes.delete(number);
    if (focused) this.focus();
  }

  /** Lays out the windows, and the frame around the selected ones. */
  #layOut() {
    const state = this.#store.state;
    if (!state) return;
    [...state.decorations.keys(), ...state.order].forEach((number, z) => {
      this.boxes.get(number)?.layOut(toScreen(this.viewport, this.#store.rectOf(number)), z + 1, this.#size);
    });
    this.layOutStrokes();
    this.#layOutFrame();
    this.input.layOut();
    this.thumbnails.changed();
  }

  layOutStrokes() {
    const size = this.#store.state?.wall.size;
    if (!size) return;
    for (const [number, box] of this.boxes) box.draw(this.pen.strokes(number), this.#store.rectOf(number));
    this.#strokes.render(this.pen.strokes(0), size);
    putAt(this.#strokes.node, toScreen(this.viewport, [0, 0, ...size]));
  }

  #layOutFrame() {
    const selected = this.#store.selected();
    this.#frame.hidden = selected.length === 0;
    if (selected.length === 0) return;
    const rect = around(selected.map((window) => this.#store.rectOf(window.window)));
    const screen = toScreen(this.viewport, rect);
    putAt(this.#frame, screen);
    this.#frame.classList.toggle('small', Math.min(screen[2], screen[3]) < kRoomForHandles);
    this.#frame.classList.toggle('locked', selected.every((window) => window.locked || !this.#store.mayChange([window])));
    this.#frame.classList.toggle('group', selected.length > 1);
  }

  #renderSelection() {
    for (const [number, box] of this.boxes) box.select(this.#store.selection.has(number));
    this.#layOutFrame();
    this.#roving();
  }

  /** Window numbers from top to bottom and left to right, the order of Tab. */
  inReadingOrder() {
    return [...this.boxes.keys()].filter((number) => this.#store.window(number)).sort((a, b) => {
      const [[ax, ay], [bx, by]] = [this.#store.rectOf(a), this.#store.rectOf(b)];
      return ay - by || ax - bx || a - b;
    });
  }

  /** Makes one window reachable by Tab: the focused one, else the selected, else the first. */
  #roving() {
    const focused = Number(document.activeElement?.getAttribute('data-window') ?? 0);
    const [selected] = this.#store.selection;
    const stop = this.boxes.get(focused) ?? this.boxes.get(selected) ?? this.boxes.get(this.inReadingOrder()[0]);
    for (const box of this.boxes.values()) {
      const tabIndex = box === stop ? 0 : -1;
      if (box.node.tabIndex !== tabIndex) box.node.tabIndex = tabIndex;
    }
  }

  #renderFigures() {
    for (const [number, box] of this.boxes) {
      const window = this.#store.window(number);
      if (window) this.#showFigures(box, window);
    }
  }

  #renderPointers() {
    const own = this.#store.connection.welcome?.client;
    this.#others.render(this.#store.pointers.filter((pointer) => pointer.client !== own), this.viewport);
  }

  // --- feedback of gestures

  /** @param {number} other the window with which the dragged one would swap; 0: none */
  markOther(other) {
    for (const [number, box] of this.boxes) box.node.classList.toggle('other', number === other);
  }

  /** @param {Guide[]} guides */
  showGuides(guides) {
    this.#guides.replaceChildren(
      ...guides.map((guide) => {
        const node = element('div', { class: `guide ${guide.axis}` });
        const length = guide.to - guide.from;
        /** @type {T.Rect} */
        const rect = guide.axis === 'x' ? [guide.at, guide.from, 0, length] : [guide.from, guide.at, length, 0];
        const [x, y, width, height] = toScreen(this.viewport, rect);
        putAt(node, guide.axis === 'x' ? [x - 0.5, y, 1, height] : [x, y - 0.5, width, 1]);
        return node;
      }),
    );
  }

  /** @param {T.Rect | null} rect wall pixels */
  showBand(rect) {
    this.#band.hidden = rect === null;
    if (rect) putAt(this.#band, toScreen(this.viewport, rect));
  }
}
customElements.define('vt-wall', WallView);
