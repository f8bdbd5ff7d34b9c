// Modal dialogs, and the help dialog with keys and gestures.

import { element } from './dom.js';
import { iconButton } from './icons.js';
import { keysText } from './keys.js';
import { sourceField } from './panels/sources/source_field.js';
import { t } from './texts.js';

/** @import { Action, Actions } from './actions.js' */
/** @import { SingleKeys } from './single_keys.js' */
/** @import { Store } from './store.js' */

const kGestures = /** @type {const} */ (['drag', 'swap', 'handle', 'band', 'several', 'double', 'menu', 'pinch', 'wheel', 'zoom', 'tab', 'escape']);

/** @param {string} title @param {...Node} children @returns {HTMLDialogElement} */
export function showDialog(title, ...children) {
  const close = iconButton('close', t('common.close'), () => dialog.close());
  const dialog = element('dialog', { 'aria-label': title }, element('header', {}, element('h2', {}, title), close), ...children);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Asks for the line and the picture on what is blank. @param {Store} store @param {(curtain: {text: string, source?: string}) => void} done */
export function askForCurtain(store, done) {
  const { input, found } = sourceField(store, 'curtain-sources');
  const line = element('input', { type: 'text', maxlength: 50, 'aria-label': t('blank.line'), placeholder: t('blank.example') });
  const form = element('form', { method: 'dialog', onsubmit: () => done({ text: line.value.trim(), ...(input.value && { source: input.value }) }) }, line, input, found, element('button', { type: 'submit', class: 'primary' }, t('blank.do')));
  showDialog(t('action.blank-text'), form);
  line.focus();
}

/** @param {Actions} actions @param {SingleKeys} singleKeys */
export function showHelp(actions, singleKeys) {
  const groups = /** @type {Map<Action['group'], Node[]>} */ (new Map());
  const arrows = /** @type {const} */ ([t('action.nudges'), '← ↑ → ↓']);
  for (const { group, label, keys, id } of actions.all) {
    if (keys.length === 0 || id.startsWith('nudge')) continue;
    const rows = groups.get(group) ?? groups.set(group, []).get(group);
    rows?.push(row(label, ...keys.filter((key, index) => index === 0 || key.length > 1).map(keysText)));
  }
  groups.get('windows')?.push(row(...arrows));
  const sections = [...groups].map(([name, rows]) => element('section', {}, element('h3', {}, t(`group.${name}`)), element('dl', {}, ...rows)));
  const gestures = element('dl', { class: 'hands' }, ...kGestures.map((hand) => element('div', {}, element('dt', {}, t(`help.${hand}`)), element('dd', {}, t(`help.${hand}Does`)))));
  const hands = element('section', {}, element('h3', {}, t('help.mouse')), gestures);
  const single = element('input', { type: 'checkbox', checked: singleKeys.on, onchange: () => singleKeys.turn(single.checked) });
  const choice = element('label', { class: 'check' }, element('span', {}, t('keys.single')), single);
  showDialog(t('action.help'), choice, element('div', { class: 'help' }, ...sections, hands));
}

/** @param {string} text @param {...string} keys */
function row(text, ...keys) {
  return element('div', {}, element('dt', {}, ...keys.map((key) => element('kbd', {}, key))), element('dd', {}, text));
}
