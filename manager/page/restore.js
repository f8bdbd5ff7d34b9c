// Restores a saved session, or switches to it, and reports the windows that failed.

import { withoutCommands } from './problems.js';
import { t } from './texts.js';

/** @import { Store } from './store.js' */

export const kAutosave = 'autosave';
const kPatienceMs = 60000; // the manager answers when all programs have opened their windows

/** Closes all windows and starts those of the session. @param {Store} store @param {string} name */
export function restoreSession(store, name) {
  return bring(store, { name }, 'session_restore', 'sessions.restoring', ({ started }) =>
    t('sessions.back', { name, windows: t('windows', { count: started.length }) }));
}

/** Windows with the same content stay open. @param {Store} store @param {string} name @param {number} [fade] seconds */
export function switchToSession(store, name, fade = 0) {
  return bring(store, { name, fade }, 'scene_show', 'sessions.switching', ({ started, kept }) =>
    t('sessions.switched', { name, windows: t('windows', { count: started.length + kept.length }) }));
}

/**
 * @param {Store} store @param {{name: string, fade?: number}} session @param {string} verb @param {'sessions.restoring' | 'sessions.switching'} begun
 * @param {(answer: any) => string} done the sentence for the answer
 */
async function bring(store, session, verb, begun, done) {
  store.say(t(begun, { name: session.name }));
  try {
    const answer = await store.connection.call(verb, session, kPatienceMs);
    for (const { title, why } of answer.failed) store.say(`${title}: ${withoutCommands(why)}`, 'error');
    store.say(done(answer));
  } catch (error) {
    store.say(store.problem(error), 'error');
  }
}
