// A context menu: arrow keys move, letters jump, Escape closes it and restores the focus.

import { byId, element } from './dom.js';
import { icon } from './icons.js';

/** @import { IconName } from './icons.js' */
/** @import * as T from './types.js' */

/** @typedef {{label: string, keys?: string, icon?: IconName, danger?: boolean, run: () => void} | 'line'} MenuItem */

/** @param {T.Point} at client coordinates @param {string} label @param {MenuItem[]} items */
export function showMenu(at, label, items) {
  const before = document.activeElement;
  const menu = element('div', { class: 'menu', role: 'menu', 'aria-label': label, tabindex: -1, popover: 'manual' });
  const stop = new AbortController();
  const close = () => {
    stop.abort();
    if (menu.contains(document.activeElement) && before instanceof HTMLElement) before.focus({ preventScroll: true });
    menu.remove();
  };
  for (const item of items) menu.append(item === 'line' ? element('hr') : itemNode(item, close));
  menu.addEventListener('keydown', (event) => onKey(event, menu, close));
  // The browser's light dismissal would treat the end of the long press that opened the menu as a press beside it.
  const beside = (/** @type {Event} */ event) => menu.contains(/** @type {Node} */ (event.target)) || close();
  for (const type of ['pointerdown', 'wheel']) addEventListener(type, beside, { capture: true, signal: stop.signal });
  addEventListener('blur', close, { signal: stop.signal });
  menu.addEventListener('contextmenu', (event) => event.preventDefault());
  byId('stage').append(menu);
  menu.showPopover();
  const box = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(8, Math.min(at[0], innerWidth - box.width - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(at[1], innerHeight - box.height - 8))}px`;
  itemsOf(menu)[0]?.focus();
}

/** @param {Exclude<MenuItem, 'line'>} item @param {() => void} close */
function itemNode(item, close) {
  const press = () => {
    close();
    item.run();
  };
  const button = element('button', { role: 'menuitem', tabindex: -1, class: item.danger ? 'danger' : null, onclick: press });
  button.append(item.icon ? icon(item.icon) : element('span', { class: 'no-icon' }), element('span', { class: 'label' }, item.label));
  if (item.keys) button.append(element('kbd', {}, item.keys));
  return button;
}

/** @param {HTMLElement} menu */
function itemsOf(menu) {
  return /** @type {HTMLElement[]} */ ([...menu.querySelectorAll('[role=menuitem]')]);
}

/** @param {KeyboardEvent} event @param {HTMLElement} menu @param {() => void} close */
function onKey(event, menu, close) {
  event.stopPropagation();
  const items = itemsOf(menu);
  const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const letter = event.key.toLowerCase();
  const found = items.findIndex((item, index) => index > at && item.querySelector('.label')?.textContent?.toLowerCase().startsWith(letter));
  const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 };
  const to = /** @type {Record<string, number>} */ (steps)[event.key] ?? (event.key.length === 1 && found >= 0 ? found : undefined);
  if (event.key === 'Escape' || event.key === 'Tab') close();
  else if (to === undefined) return;
  else items[(to + items.length) % items.length].focus();
  event.preventDefault();
}
