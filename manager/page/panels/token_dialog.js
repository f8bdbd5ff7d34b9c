// Asks for the word that this wall wants to hear from everybody (its token), when hello was refused for the lack of it.

import { element } from '../dom.js';
import { field } from './controls.js';

/** @import { Connection } from '../connection.js' */
/** @import { Identity } from '../identity.js' */

/** @param {Connection} connection @param {Identity} identity */
export function askForToken(connection, identity) {
  const token = element('input', { type: 'password', required: true, autocomplete: 'current-password', id: 'token' });
  const why = element('p', { class: 'soft' });
  const form = element('form', { method: 'dialog', class: 'stack' }, element('h2', { id: 'token-title' }, 'This wall asks for a token'), why,
    field('Token', token), element('button', { type: 'submit', class: 'primary' }, 'Connect'));
  const dialog = element('dialog', { class: 'token', 'aria-labelledby': 'token-title' }, form);
  form.addEventListener('submit', () => {
    identity.setToken(token.value);
    token.value = '';
    connection.connect();
  });
  // Nothing can be done here without it.
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  connection.addEventListener('phase', () => {
    const refused = connection.phase === 'refused' && connection.refusal === 'unauthorized';
    if (refused && !dialog.open) {
      why.textContent = identity.token ? 'The one that was given is not right.' : 'Whoever started the manager knows it.';
      document.body.append(dialog);
      dialog.showModal();
    } else if (!refused && connection.phase === 'open') dialog.close();
  });
}
