// Dialogs over the page, and the one with the keys and gestures.

import { element } from './dom.js';
import { iconButton } from './icons.js';
import { keysText } from './keys.js';

/** @import { Actions } from './actions.js' */
/** @import { SingleKeys } from './single_keys.js' */

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
export function showDialog(title, ...children) {
  const close = iconButton('close', 'Close', () => dialog.close());
  const dialog = element('dialog', { 'aria-label': title }, element('header', {}, element('h2', {}, title), close), ...children);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** @param {Actions} actions @param {SingleKeys} singleKeys */
export function showHelp(actions, singleKeys) {
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
  const single = element('input', { type: 'checkbox', checked: singleKeys.on, onchange: () => singleKeys.turn(single.checked) });
  const choice = element('label', { class: 'check' }, element('span', {}, 'Letters and signs act without Ctrl, while the wall has the focus'), single);
  showDialog('Keys and gestures', choice, element('div', { class: 'help' }, ...sections, hands));
}

/** @param {string} text @param {...string} keys */
function row(text, ...keys) {
  return element('div', {}, element('dt', {}, ...keys.map((key) => element('kbd', {}, key))), element('dd', {}, text));
}
