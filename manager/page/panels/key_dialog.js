// Asks for a name and password, or for a key of this wall, after hello was refused without valid ones.

import { element } from '../dom.js';
import { t } from '../texts.js';
import { field } from './controls.js';

/** @import { Connection } from '../connection.js' */
/** @import { Identity } from '../identity.js' */

/** @param {Connection} connection @param {Identity} identity */
export function askForKey(connection, identity) {
  const name = element('input', { autocomplete: 'username', autocapitalize: 'off', spellcheck: 'false', id: 'person' });
  const key = element('input', { type: 'password', required: true, autocomplete: 'current-password', id: 'key' });
  const why = element('p', { class: 'soft' });
  const form = element('form', { method: 'dialog', class: 'stack' }, element('h2', { id: 'key-title' }, t('signIn.title')), why,
    field(t('signIn.name'), name), field(t('signIn.secret'), key), element('button', { type: 'submit', class: 'primary' }, t('signIn.button')));
  const dialog = element('dialog', { class: 'key', 'aria-labelledby': 'key-title' }, form);
  form.addEventListener('submit', () => {
    if (name.value.trim()) identity.signIn(name.value.trim(), key.value);
    else identity.setKey(key.value.trim());
    key.value = '';
    connection.connect();
  });
  // The dialog cannot be dismissed: the page needs the key.
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  connection.addEventListener('phase', () => {
    const refused = connection.needsSignIn;
    if (refused && !dialog.open) {
      const damaged = connection.refusal === 'conflict';
      why.textContent = t(damaged ? 'signIn.damaged' : identity.key ? 'signIn.wrong' : 'signIn.about');
      document.body.append(dialog);
      dialog.showModal();
    } else if (!refused && connection.phase === 'open') dialog.close();
  });
}
