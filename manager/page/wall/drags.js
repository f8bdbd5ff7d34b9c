// Drags on the wall view, from the first movement to the end: moving, resizing and pinching windows, the rubber band, and
// moving the view. gestures.js chooses the drag.

import { around, between, centre, contains, legal, moved, overlap, scaledTogether, tileRect, zoomed } from './geometry.js';
import { snapLines, snapMove, snapResize } from './snap.js';
import { comesToFront } from './to_front.js';

/** @import { PlaceHow, Store } from '../store.js' */
/** @import * as T from '../types.js' */
/** @import { Handle } from './geometry.js' */
/** @import { WallView } from './view.js' */

const kReach = 9; // CSS pixels within which edges snap

/** ctrl: the dragged window swaps places with the window on which it is released. @typedef {{shift: boolean, alt: boolean, ctrl: boolean}} Modifiers */

/**
 * A pointer's position in client coordinates and in wall pixels.
 * @typedef {{client: T.Point, wall: T.Point}} Place
 */

/**
 * A gesture in progress. `places` are the positions of its pointers, in the order in which they were pressed.
 * @typedef {object} Drag
 * @property {(places: Place[], modifiers: Modifiers, event: PointerEvent) => void} update
 * @property {() => void} finish
 * @property {() => void} cancel
 */

let gestures = 0;

/** A name for one gesture, unique within this client. @param {string} kind */
export function gestureName(kind) {
  return `${kind} ${(gestures += 1)}`;
}

/** Shows windows at the places of a gesture, on the page and on the wall, until it is finished or cancelled. */
class LivePlaces {
  /** The rectangles before the gesture. @type {Map<number, T.Rect>} */
  from;
  /** @type {Map<number, T.Rect>} */
  to;
  /** @type {PlaceHow} */
  how;
  #store;

  /** @param {Store} store @param {T.WallWindow[]} windows without locked windows @param {string} kind @param {boolean} [front] raises the windows */
  constructor(store, windows, kind, front = false) {
    this.#store = store;
    this.from = new Map(windows.map((window) => [window.window, store.rectOf(window.window)]));
    this.to = this.from;
    this.how = { gesture: gestureName(kind), ...(front ? { front } : {}) };
    store.hold(this.from.keys());
  }

  /** @param {Map<number, T.Rect>} rects */
  show(rects) {
    // The manager refuses the whole request if it names a closed window.
    this.to = new Map([...rects].filter(([number]) => this.#store.window(number)));
    this.#store.placeLive(this.to, this.how);
  }

  finish() {
    this.#store.release();
    void this.#store.place(this.to, this.how);
  }

  /** Ends the gesture; the manager places the window in the free space of the partition. @param {number} window @param {string} partition */
  finishIn(window, partition) {
    this.#store.release();
    void this.#store.leave(this.to, 'fit', { window, partition, share: true, gesture: this.how.gesture });
  }

  /** Moves the window back and swaps it with the other one. @param {number} other */
  swapWith(other) {
    const [window] = this.from.keys();
    this.cancel();
    void this.#store.act('swap', { window, other });
  }

  cancel() {
    this.show(this.from);
    this.finish();
  }
}

/** @param {Store} store @param {Set<number>} movedWindows */
function linesFor(store, movedWindows) {
  const state = store.state;
  if (!state) return { x: [], y: [] };
  const others = state.order.filter((number) => !movedWindows.has(number)).map((number) => store.rectOf(number));
  const partitions = state.partitions.map((partition) => partition.rect);
  return snapLines(state.wall.size, state.wall.tiles.map(tileRect), partitions, others);
}

/** Moves windows. A single window released over a partition is fitted into it, beside the windows there, unless Alt is held. @implements {Drag} */
export class MoveDrag {
  #store;
  #view;
  #live;
  #lines;
  #start;
  #around;
  /** The partition into which the window would be fitted. @type {T.Partition | undefined} */
  #aim;
  /** The window with which it would swap places; 0: none. */
  #other = 0;

  /** @param {Store} store @param {WallView} view @param {T.WallWindow[]} windows @param {Place} start */
  constructor(store, view, windows, start) {
    this.#store = store;
    this.#view = view;
    this.#live = new LivePlaces(store, windows, 'move', comesToFront());
    this.#lines = linesFor(store, new Set(this.#live.from.keys()));
    this.#start = start.wall;
    this.#around = around([...this.#live.from.values()]);
  }

  /** @param {Place[]} places @param {Modifiers} modifiers */
  update([place], { shift, alt, ctrl }) {
    let [dx, dy] = [place.wall[0] - this.#start[0], place.wall[1] - this.#start[1]];
    if (shift) Math.abs(dx) > Math.abs(dy) ? (dy = 0) : (dx = 0);
    const wanted = moved(this.#around, dx, dy);
    const snapped = alt ? { rect: wanted, guides: [] } : snapMove(wanted, this.#lines, kReach / this.#view.viewport.scale);
    const [x, y] = [snapped.rect[0] - this.#around[0], snapped.rect[1] - this.#around[1]];
    this.#live.show(new Map([...this.#live.from].map(([number, rect]) => [number, legal(moved(rect, x, y))])));
    this.#view.showGuides(snapped.guides);
    this.#setAim(alt || ctrl ? undefined : this.#partitionAt(place.wall));
    this.#setOther(ctrl && this.#live.from.size === 1 ? this.#store.windowUnder(place.wall, [...this.#live.from.keys()][0]) : 0);
  }

  /** @param {T.Point} point */
  #partitionAt(point) {
    if (this.#live.from.size !== 1) return undefined;
    return this.#store.state?.partitions.find((partition) => contains(partition.rect, point));
  }

  /** @param {T.Partition | undefined} partition */
  #setAim(partition) {
    if (partition?.name !== this.#aim?.name) this.#view.map.aim(partition?.name ?? '');
    this.#aim = partition;
  }

  finish() {
    const [number] = this.#live.from.keys();
    const aim = this.#store.window(number) && this.#aim;
    const other = this.#other;
    this.#end();
    if (other) this.#live.swapWith(other);
    else if (aim) this.#live.finishIn(number, aim.name);
    else this.#live.finish();
  }

  cancel() {
    this.#end();
    this.#live.cancel();
  }

  /** @param {number} other */
  #setOther(other) {
    if (other !== this.#other) this.#view.markOther(other);
    this.#other = other;
  }

  #end() {
    this.#setAim(undefined);
    this.#setOther(0);
    this.#view.showGuides([]);
  }
}

/** Resizes the selection by a handle of its frame. @implements {Drag} */
export class ResizeDrag {
  #view;
  #live;
  #lines;
  #start;
  #around;
  #handle;

  /** @param {Store} store @param {WallView} view @param {T.WallWindow[]} windows @param {Handle} handle @param {Place} start */
  constructor(store, view, windows, handle, start) {
    this.#view = view;
    this.#live = new LivePlaces(store, windows, 'resize');
    this.#lines = linesFor(store, new Set(this.#live.from.keys()));
    this.#start = start.wall;
    this.#around = around([...this.#live.from.values()]);
    this.#handle = handle;
  }

  /** @param {Place[]} places @param {Modifiers} modifiers */
  update([place], { shift, alt }) {
    const [dx, dy] = [place.wall[0] - this.#start[0], place.wall[1] - this.#start[1]];
    const reach = alt ? -1 : kReach / this.#view.viewport.scale;
    const { rect, guides } = snapResize(this.#around, this.#handle, dx, dy, !shift, this.#lines, reach);
    this.#live.show(scaledTogether(this.#live.from, this.#around, rect));
    this.#view.showGuides(guides);
  }

  finish() {
    this.#view.showGuides([]);
    this.#live.finish();
  }

  cancel() {
    this.#view.showGuides([]);
    this.#live.cancel();
  }
}

/** Resizes and moves windows with two fingers. @implements {Drag} */
export class PinchDrag {
  #live;
  #start;
  #around;

  /** @param {Store} store @param {T.WallWindow[]} windows @param {Place[]} start */
  constructor(store, windows, start) {
    this.#live = new LivePlaces(store, windows, 'pinch');
    this.#start = span(start.map((place) => place.wall));
    this.#around = around([...this.#live.from.values()]);
  }

  /** @param {Place[]} places */
  update(places) {
    if (places.length < 2) return;
    const now = span(places.map((place) => place.wall));
    const grown = zoomed(this.#around, now.length / this.#start.length, this.#start.middle);
    const [dx, dy] = [now.middle[0] - this.#start.middle[0], now.middle[1] - this.#start.middle[1]];
    this.#live.show(scaledTogether(this.#live.from, this.#around, moved(grown, dx, dy)));
  }

  finish() {
    this.#live.finish();
  }

  cancel() {
    this.#live.cancel();
  }
}

/** The middle and length of the line between the first two points. @param {T.Point[]} points @returns {{middle: T.Point, length: number}} */
function span([a, b]) {
  return { middle: centre([a[0], a[1], b[0] - a[0], b[1] - a[1]]), length: Math.max(Math.hypot(b[0] - a[0], b[1] - a[1]), 1) };
}

/** A rubber band: selects the windows that it touches; with `add`, in addition to the previous selection. @implements {Drag} */
export class BandDrag {
  #store;
  #view;
  #start;
  #before;

  /** @param {Store} store @param {WallView} view @param {Place} start @param {boolean} add */
  constructor(store, view, start, add) {
    this.#store = store;
    this.#view = view;
    this.#start = start.wall;
    this.#before = add ? [...store.selection] : [];
  }

  /** @param {Place[]} places */
  update([place]) {
    const band = between(this.#start, place.wall);
    const touched = this.#store.state?.order.filter((number) => overlap(this.#store.rectOf(number), band) > 0) ?? [];
    this.#store.select([...this.#before, ...touched]);
    this.#view.showBand(band);
  }

  finish() {
    this.#view.showBand(null);
  }

  cancel() {
    this.#view.showBand(null);
    this.#store.select(this.#before);
  }
}

/** Moves the view, and zooms it with two fingers. @implements {Drag} */
export class ViewDrag {
  #view;
  /** @type {T.Point[]} */
  #last;

  /** @param {WallView} view @param {Place[]} start */
  constructor(view, start) {
    this.#view = view;
    this.#last = start.map((place) => place.client);
  }

  /** @param {Place[]} places */
  update(places) {
    const now = places.map((place) => place.client);
    const last = this.#last;
    this.#last = now;
    if (now.length !== last.length || now.length === 0) return;
    if (now.length === 1) return this.#view.panBy(now[0][0] - last[0][0], now[0][1] - last[0][1]);
    const [from, to] = [span(last), span(now)];
    this.#view.panBy(to.middle[0] - from.middle[0], to.middle[1] - from.middle[1]);
    this.#view.zoomBy(to.length / from.length, to.middle);
  }

  finish() {}

  cancel() {}
}
