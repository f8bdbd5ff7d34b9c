// One source in the list: its picture or kind, title and details in a button that plays it, to be dragged onto the wall as well.
// What runs is on the wall already: its button brings its window.

import { element } from '../dom.js';
import { icon, iconButton } from '../icons.js';
import { clock } from './times.js';

/** @import { IconName } from '../icons.js' */

/** @typedef {'file' | 'test' | 'url' | 'command' | 'application'} SourceKind */

/**
 * @typedef {object} Source
 * @property {string} source its id
 * @property {SourceKind} kind
 * @property {string} title
 * @property {string} detail
 * @property {[number, number]} [size]
 * @property {number} [duration_s]
 * @property {boolean} [saved] can be removed
 */

/** @type {Record<SourceKind, {label: string, icon: IconName}>} */
export const kKinds = {
  file: { label: 'Files', icon: 'sources' },
  test: { label: 'Test cards', icon: 'arrange' },
  url: { label: 'Addresses', icon: 'eye' },
  command: { label: 'Programs', icon: 'play' },
  application: { label: 'Running', icon: 'front' },
};

/**
 * @param {Source} source
 * @param {{play: () => void, remove: (() => void) | null}} actions
 * @returns {{card: HTMLElement, handle: HTMLButtonElement, image: HTMLImageElement}} image: empty and hidden
 */
export function sourceCard(source, { play, remove }) {
  const image = element('img', { alt: `Preview of ${source.title}`, hidden: true, draggable: 'false' });
  const running = source.kind === 'application';
  const facts = [source.size?.join(' × '), source.duration_s ? clock(source.duration_s) : '', source.detail].filter(Boolean).join(' · ');
  const handle = element('button', { type: 'button', class: 'source', title: running ? 'Bring to front; or drag it to its new place' : 'Play; or drag it onto the wall', onclick: play },
    element('span', { class: 'picture' }, icon(kKinds[source.kind]?.icon ?? 'sources'), image),
    element('span', { class: 'words' }, element('span', { class: 'title' }, source.title), ' ', element('span', { class: 'soft' }, running ? `Bring to front · ${facts}` : facts)));
  // Running ones say what they do in what can be read.
  if (!running) handle.setAttribute('aria-label', `Play ${source.title}${facts ? `, ${facts}` : ''}`);
  const card = element('li', {}, handle, ...(remove ? [iconButton('trash', `Remove ${source.title}`, remove)] : []));
  return { card, handle, image };
}
