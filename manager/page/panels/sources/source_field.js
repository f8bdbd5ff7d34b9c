// An input for the name of a source. It offers the sources whose titles contain what has been typed.

import { element } from '../../dom.js';
import { t } from '../../texts.js';

/** @import { Store } from '../../store.js' */

/** Returns the input, and the list that belongs into the document beside it. @param {Store} store @param {string} id of the list */
export function sourceField(store, id) {
  const found = element('datalist', { id });
  const input = element('input', { type: 'text', maxlength: 4096, list: id, autocomplete: 'off', 'aria-label': t('playlists.source'), placeholder: t('playlists.source'), oninput: find });
  async function find() {
    const { sources = [] } = await store.call('sources', { search: input.value.slice(0, 99), count: 20 }).catch(() => ({}));
    found.replaceChildren(...sources.map((/** @type {{source: string, title: string}} */ { source, title }) => element('option', { value: source }, title)));
  }
  return { input, found };
}
