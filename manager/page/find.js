// The palette's search: actions, windows, panels, sessions, layouts, and sources that the manager searches.

import { keysText } from './keys.js';
import { t } from './texts.js';

/** @import { Actions } from './actions.js' */
/** @import { Panels } from './panels.js' */
/** @import { Store } from './store.js' */

const kMostOfAKind = 6;
const kUnlisted = /^(nudge-.*|palette)$/; // arrow keys need no entry, and the palette is already open

/** @typedef {{label: string, kind: string, keys?: string, run: () => void}} Found kind: its type as text; "" for actions */

/** Entries that contain all words of the text, in list order, at most kMostOfAKind of each kind. @param {string} text @param {Found[]} all */
export function matching(text, all) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  /** @type {Map<string, number>} */
  const count = new Map();
  return all.filter(({ label, kind }) => {
    const said = `${label} ${kind}`.toLowerCase();
    if (!words.every((word) => said.includes(word))) return false;
    count.set(kind, (count.get(kind) ?? 0) + 1);
    return /** @type {number} */ (count.get(kind)) <= kMostOfAKind;
  });
}

/** Everything that can be found without a request to the manager. @param {Store} store @param {Actions} actions @param {Panels} panels @returns {Found[]} */
export function everything(store, actions, panels) {
  const { windows, sessions, layouts } = store.state ?? { windows: new Map(), sessions: [], layouts: [] };
  return [
    ...actions.all.filter(({ id, can }) => !kUnlisted.test(id) && (can?.() ?? true)).map(({ label, keys, run }) => ({ label, kind: '', keys: keysText(keys[0] ?? ''), run })),
    ...[...windows.values()].map(({ window, title }) => ({ label: title || t('window.number', { number: window }), kind: t('kind.window', { number: window }), run: () => selectAndFocus(store, window) })),
    ...panels.all.filter(({ there }) => there).map(({ name, label }) => ({ label, kind: t('kind.panel'), run: () => void panels.show(name, true) })),
    ...sessions.map(({ name }) => ({ label: name, kind: t('kind.session'), run: () => void panels.press('sessions', t('sessions.title'), name) })),
    ...layouts.map(({ name }) => ({ label: name, kind: t('kind.layout'), run: () => void store.act('layout_apply', { name }, t('layouts.applied', { name })) })),
  ];
}

/** Sources that match the text, without running applications: those are among the windows. @param {Store} store @param {string} text @returns {Promise<Found[]>} */
export async function sourcesLike(store, text) {
  if (!text.trim()) return [];
  const { sources } = await store.call('sources', { search: text.trim(), offset: 0, count: 2 * kMostOfAKind });
  return sources.filter((/** @type {{kind: string}} */ { kind }) => kind !== 'application').slice(0, kMostOfAKind).map((/** @type {{source: string, title: string}} */ { source, title }) => ({
    label: title,
    kind: t('kind.source'),
    run: () => void store.act('play', { source }, t('said.playing', { title })),
  }));
}

/** @param {Store} store @param {number} window */
function selectAndFocus(store, window) {
  store.select([window]);
  document.getElementById(`window-${window}`)?.focus();
}
