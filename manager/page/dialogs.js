// The list of keys, and the palette.

import { element } from './dom.js';
import { keysText } from './keys.js';

/** @import { Actions } from './actions.js' */
/** @import { Store } from './store.js' */

const kMostFound = 12;
const kGestures = [
  ['Drag a window', 'moves it; Shift: straight, Alt: without snapping'],
  ['Drag a handle', 'resizes; Shift: freely, Alt: without snapping'],
  ['Drag on the wall', 'selects what the band touches'],
  ['Shift or Ctrl click', 'selects one more'],
  ['Double click', 'maximises and puts back'],
  ['Right click, long press', 'opens the menu'],
  ['Two fingers on a window', 'resize it; elsewhere they zoom the view'],
  ['Ctrl wheel, middle drag', 'zoom and move the view'],
  ['Tab, Ctrl Space', 'walks the windows; selects one more'],
  ['Esc while dragging', 'takes it back'],
];

/** @param {string} title @param {...Node} children @returns {HTMLDialogElement} */
function showDialog(title, ...children) {
  const close = element('button', { class: 'icon', 'aria-label': 'Close', type: 'button', onclick: () => dialog.close() }, '×');
  const dialog = element('dialog', { 'aria-label': title }, element('header', {}, element('h2', {}, title), close), ...children);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** @param {Actions} actions */
export function showHelp(actions) {
  const groups = /** @type {Map<string, Node[]>} */ (new Map());
  const arrows = /** @type {const} */ (['Move by 10, with Shift 100, with Alt 1 pixels', '← ↑ → ↓']);
  for (const { group, label, keys, id } of actions.all) {
    if (keys.length === 0 || id.startsWith('nudge')) continue;
    const rows = groups.get(group) ?? groups.set(group, []).get(group);
    rows?.push(row(label, ...keys.filter((key, index) => index === 0 || key.length > 1).map(keysText)));
  }
  groups.get('Windows')?.push(row(...arrows));
  const sections = [...groups].map(([name, rows]) => element('section', {}, element('h3', {}, name), element('dl', {}, ...rows)));
  const gestures = element('dl', { class: 'hands' }, ...kGestures.map(([what, does]) => element('div', {}, element('dt', {}, what), element('dd', {}, does))));
  const hands = element('section', {}, element('h3', {}, 'Mouse, fingers, pen'), gestures);
  showDialog('Keys and gestures', element('div', { class: 'help' }, ...sections, hands));
}

/** @param {string} text @param {...string} keys */
function row(text, ...keys) {
  return element('div', {}, element('dt', {}, ...keys.map((key) => element('kbd', {}, key))), element('dd', {}, text));
}

/** @typedef {{label: string, keys: string, run: () => void}} Found */

/** @param {Store} store @param {Actions} actions */
export function showPalette(store, actions) {
  const input = element('input', { type: 'search', autofocus: true, placeholder: 'An action or a window', 'aria-label': 'Find', role: 'combobox', 'aria-controls': 'found', 'aria-expanded': 'true' });
  const list = element('ul', { id: 'found', role: 'listbox', 'aria-label': 'Found' });
  const dialog = showDialog('Find anything', input, list);
  /** @type {Found[]} */
  let found = [];
  let chosen = 0;
  const run = (/** @type {number} */ index) => {
    dialog.close();
    found[index]?.run();
  };
  const mark = () => {
    [...list.children].forEach((node, index) => node.setAttribute('aria-selected', String(index === chosen)));
    if (found.length) input.setAttribute('aria-activedescendant', `found-${chosen}`);
    else input.removeAttribute('aria-activedescendant');
  };
  const search = () => {
    found = findAll(input.value, store, actions);
    chosen = 0;
    list.replaceChildren(
      ...found.map(({ label, keys }, index) =>
        element('li', { role: 'option', id: `found-${index}`, onclick: () => run(index) }, element('span', {}, label), keys ? element('kbd', {}, keys) : ''),
      ),
    );
    mark();
  };
  input.addEventListener('input', search);
  input.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Enter') run(chosen);
    else if (!step || found.length === 0) return;
    chosen = (chosen + step + found.length) % found.length;
    mark();
    event.preventDefault();
  });
  search();
}

/** @param {string} text @param {Store} store @param {Actions} actions @returns {Found[]} */
function findAll(text, store, actions) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (/** @type {string} */ label) => words.every((word) => label.toLowerCase().includes(word));
  const ofActions = actions.all.filter((action) => !action.id.startsWith('nudge') && action.id !== 'palette' && (action.can?.() ?? true));
  const items = ofActions.map(({ label, keys, run }) => ({ label, keys: keysText(keys[0] ?? ''), run }));
  const windows = [...(store.state?.windows.values() ?? [])].map((window) => {
    const label = `Window ${window.window}: ${window.title}`;
    return { label, keys: '', run: () => selectAndFocus(store, window.window) };
  });
  return [...items, ...windows].filter((item) => matches(item.label)).slice(0, kMostFound);
}

/** @param {Store} store @param {number} window */
function selectAndFocus(store, window) {
  store.select([window]);
  document.getElementById(`window-${window}`)?.focus();
}
