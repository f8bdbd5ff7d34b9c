// Kinds of window content, as far as controls and texts differ by them.

import { t } from './texts.js';

/** @import { Store } from './store.js' */
/** @import * as T from './types.js' */

/** @typedef {'application' | 'film' | 'live' | 'document' | 'picture'} Kind film: any playback that can be paused */

/** @param {T.WallWindow} window @returns {Kind} */
export function kindOf({ playback }) {
  if (!playback) return 'application';
  if (playback.pages) return playback.pages > 1 ? 'document' : 'picture';
  return playback.live ? 'live' : 'film';
}

/** Whether the window may have sound: its playback has a volume, or the wall has loudspeakers. @param {Store} store @param {T.WallWindow} window */
export function sounds(store, { playback }) {
  return playback?.volume !== undefined || (store.state?.wall.audio?.length ?? 0) > 0;
}

/** The window's state as text; "" if there is nothing to say. @param {T.WallWindow} window */
export function doing(window) {
  const { playback } = window;
  switch (kindOf(window)) {
    case 'film': return t(playback?.ended ? 'doing.ended' : playback?.paused ? 'doing.paused' : 'doing.playing');
    case 'live': return t('doing.live');
    case 'document': return t('doing.page', { page: playback?.page ?? 1, pages: playback?.pages ?? 1 });
    default: return '';
  }
}

/** Whether its live source sends nothing, and no replacement is shown. @param {T.WallWindow} window */
export function hasNoSignal({ playback }) {
  return Boolean(playback?.silent_since_s) && !playback?.fallback;
}

/** A text about the missing program or rank: which, since when, what happens next; "" if none is missing. @param {T.WallWindow} window */
export function missing(window) {
  const { lost, away, playback } = window;
  const silent = hasNoSignal(window) ? t('doing.noSignal', { time: new Date((playback?.silent_since_s ?? 0) * 1000).toTimeString().slice(0, 8) }) : '';
  return lost?.why ?? away ?? silent;
}

/** The documents whose pages a clicker turns: the selected ones, or the wall's only document. @param {Store} store */
export function documentsToTurn(store) {
  const all = [...(store.state?.windows.values() ?? [])].filter((window) => kindOf(window) === 'document' && store.mayChange([window]));
  return all.length < 2 ? all : all.filter(({ window }) => store.selection.has(window));
}

/** Turns each document to the next or previous page; documents at their end stay. @param {Store} store @param {T.WallWindow[]} windows @param {1 | -1} step */
export function turnPages(store, windows, step) {
  for (const { window, playback } of windows) {
    const page = (playback?.page ?? 1) + step;
    if (page >= 1 && page <= (playback?.pages ?? 1)) void store.act('control', { window, action: 'page', value: page });
  }
}
