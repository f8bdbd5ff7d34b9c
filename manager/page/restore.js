// A saved session comes back, with a word about what does not.

import { counted } from './panels/times.js';

/** @import { Store } from './store.js' */

const kPatienceMs = 60000; // all its programs have to open their windows first

/** @param {Store} store @param {string} name */
export async function restoreSession(store, name) {
  store.say(`Restoring “${name}” …`);
  try {
    const { started, failed } = await store.connection.call('session_restore', { name }, kPatienceMs);
    for (const { title, why } of failed ?? []) store.say(`${title}: ${why}`, 'error');
    store.say(`“${name}” is back with ${counted(started?.length ?? 0, 'window')}.`);
  } catch (error) {
    store.say(error instanceof Error ? error.message : String(error), 'error');
  }
}
