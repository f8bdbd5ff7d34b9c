// The static part of the wall view: tiles with the state of their receivers, mullions, partitions.

import { element } from '../dom.js';
import { svg } from '../panels/svg.js';
import { t } from '../texts.js';
import { tileRect } from './geometry.js';
import { toScreen } from './viewport.js';

/** @import * as T from '../types.js' */
/** @import { Viewport } from './viewport.js' */

/** @param {HTMLElement | SVGElement} node @param {T.Rect} screen */
export function putAt(node, [x, y, width, height]) {
  node.style.transform = `translate(${x}px, ${y}px)`;
  node.style.width = `${width}px`;
  node.style.height = `${height}px`;
}

export class WallMap {
  #under;
  #over;
  #wall = element('div', { class: 'wall' });

  /** @param {HTMLElement} under layer below the windows @param {HTMLElement} over layer above them, for parts that windows must not hide */
  constructor(under, over) {
    this.#under = under;
    this.#over = over;
  }

  /** Redraws everything. @param {T.WallState} state @param {Viewport} view */
  render(state, view) {
    const receivers = new Map(state.receivers.map((receiver) => [receiver.name, receiver]));
    putAt(this.#wall, toScreen(view, [0, 0, ...state.wall.size]));
    const tiles = state.wall.tiles.map((tile) => tileNode(tile, receivers.get(tile.receiver), view));
    const dead = state.wall.tiles.filter((tile) => !receivers.get(tile.receiver)?.connected);
    this.#under.replaceChildren(this.#wall, ...tiles);
    this.#over.replaceChildren(
      bezels(state.wall, view),
      ...state.partitions.map((partition) => partitionNode(partition, view)),
      ...dead.map((tile) => deadNode(tile, view)),
    );
  }

  /** @param {string} name of the partition into which a drop would go, or "" */
  aim(name) {
    for (const node of this.#over.children) {
      if (node instanceof HTMLElement) node.classList.toggle('aimed', name !== '' && node.dataset.partition === name);
    }
  }
}

/** The area that no tile shows: the wall minus its tiles. @param {T.Wall} wall @param {Viewport} view */
function bezels({ size: [width, height], tiles }, view) {
  const outline = (/** @type {T.Rect} */ [x, y, w, h]) => `M${x} ${y}h${w}v${h}h${-w}z`;
  const path = [outline([0, 0, width, height]), ...tiles.map((tile) => outline(tileRect(tile)))].join('');
  const drawing = svg('svg', { class: 'bezels', viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none' }, svg('path', { d: path, 'fill-rule': 'evenodd' }));
  putAt(drawing, toScreen(view, [0, 0, width, height]));
  return drawing;
}

/** @param {T.Tile} tile @param {T.Receiver | undefined} receiver @param {Viewport} view */
function tileNode(tile, receiver, view) {
  const connected = receiver?.connected === true;
  const state = element('span', { class: 'state' }, connected ? tile.receiver : t('wall.receiverAway', { name: tile.receiver }));
  const name = element('span', { class: 'name' }, tile.name);
  const size = element('span', { class: 'size' }, `${tile.resolution[0]} × ${tile.resolution[1]}`);
  const node = element('div', { class: connected ? 'tile' : 'tile dead', 'data-tile': tile.name }, name, size, state);
  putAt(node, toScreen(view, tileRect(tile)));
  return node;
}

/** @param {T.Tile} tile @param {Viewport} view */
function deadNode(tile, view) {
  const node = element('div', { class: 'dead-mark' }, element('span', {}, t('wall.noReceiver')));
  putAt(node, toScreen(view, tileRect(tile)));
  return node;
}

/** @param {T.Partition} partition @param {Viewport} view */
function partitionNode(partition, view) {
  const node = element('div', { class: 'partition', 'data-partition': partition.name }, element('span', {}, partition.name));
  putAt(node, toScreen(view, partition.rect));
  return node;
}
