// Restores a saved session and reports the windows that failed.

import { withoutCommands } from './problems.js';
import { t } from './texts.js';

/** @import { Store } from './store.js' */

const kPatienceMs = 60000; // the manager answers when all programs have opened their windows

/** @param {Store} store @param {string} name */
export async function restoreSession(store, name) {
  store.say(t('sessions.restoring', { name }));
  try {
    const { started, failed } = await store.connection.call('session_restore', { name }, kPatienceMs);
    for (const { title, why } of failed ?? []) store.say(`${title}: ${withoutCommands(why)}`, 'error');
    store.say(t('sessions.back', { name, windows: t('windows', { count: started?.length ?? 0 }) }));
  } catch (error) {
    store.say(store.problem(error), 'error');
  }
}
