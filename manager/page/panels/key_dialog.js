// Asks for a key of this wall when hello was refused for the lack of it.

import { element } from '../dom.js';
import { field } from './controls.js';

/** @import { Connection } from '../connection.js' */
/** @import { Identity } from '../identity.js' */

/** @param {Connection} connection @param {Identity} identity */
export function askForKey(connection, identity) {
  const key = element('input', { type: 'password', required: true, autocomplete: 'current-password', id: 'key' });
  const why = element('p', { class: 'soft' });
  const form = element('form', { method: 'dialog', class: 'stack' }, element('h2', { id: 'key-title' }, 'This wall asks for a key'), why,
    field('Key', key), element('button', { type: 'submit', class: 'primary' }, 'Connect'));
  const dialog = element('dialog', { class: 'key', 'aria-labelledby': 'key-title' }, form);
  form.addEventListener('submit', () => {
    identity.setKey(key.value.trim());
    key.value = '';
    connection.connect();
  });
  // Nothing can be done here without it.
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  connection.addEventListener('phase', () => {
    const refused = connection.phase === 'refused' && connection.refusal === 'unauthorized';
    if (refused && !dialog.open) {
      why.textContent = identity.key ? 'The one that was given is not right.' : 'Whoever started the manager knows it.';
      document.body.append(dialog);
      dialog.showModal();
    } else if (!refused && connection.phase === 'open') dialog.close();
  });
}
