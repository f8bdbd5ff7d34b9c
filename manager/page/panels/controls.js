// The panels' controls, each with a name for screen readers.

import { element } from '../dom.js';
import { icon } from '../icons.js';

/** @import { IconName } from '../icons.js' */

let labels = 0;

/**
 * A section of a panel, named by its heading.
 * @param {string} title @param {...(Node | string)} children
 */
export function section(title, ...children) {
  const id = `section-${++labels}`;
  return element('section', { 'aria-labelledby': id }, element('h2', { id }, title), ...children);
}

/**
 * A control with its label above it, or beside it if className says so.
 * @param {string} label @param {HTMLElement} control @param {string} [className]
 */
export function field(label, control, className = 'field') {
  return element('label', { class: className }, element('span', {}, label), control);
}

/**
 * A button with text and an optional icon before it.
 * @param {string} label @param {() => void} press @param {{icon?: IconName, class?: string, title?: string}} [options]
 */
export function textButton(label, press, options = {}) {
  const attributes = { type: 'button', class: options.class, title: options.title, onclick: press };
  return element('button', attributes, ...(options.icon ? [icon(options.icon)] : []), element('span', {}, label));
}

const kSureMs = 4000;

/**
 * A button for actions that cannot be undone: the first press asks, a second press within kSureMs acts.
 * @param {string} label @param {string} question its text after the first press
 * @param {() => void} act @param {{class?: string, needed?: () => boolean, name?: string}} [options] needed: whether to ask first;
 *   name: what it acts on, for screen readers
 */
export function sureButton(label, question, act, { class: className, needed = () => true, name } = {}) {
  let timer = 0;
  const words = element('span', {}, label);
  const say = (/** @type {string} */ text) => {
    words.textContent = text;
    if (name) button.setAttribute('aria-label', `${text}: ${name}`);
  };
  const calm = () => {
    clearTimeout(timer);
    timer = 0;
    button.classList.remove('asking');
    say(label);
  };
  const press = () => {
    if (timer || !needed()) {
      calm();
      act();
      return;
    }
    button.classList.add('asking');
    say(question);
    timer = window.setTimeout(calm, kSureMs);
  };
  const button = element('button', { type: 'button', class: className, onclick: press, onblur: calm }, words);
  say(label);
  return button;
}

/**
 * A toggle button. Show its state with setPressed().
 * @param {IconName} name @param {string} label @param {() => void} press
 */
export function toggleButton(name, label, press) {
  return element('button', { type: 'button', class: 'toggle', 'aria-pressed': 'false', onclick: press }, icon(name), element('span', {}, label));
}

/** @param {HTMLElement} button @param {boolean} on */
export function setPressed(button, on) {
  button.setAttribute('aria-pressed', String(on));
}

/** Sets the text only if it differs, so that text selections survive and screen readers do not repeat it. @param {Element} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Sets the options of a <select>; rebuilds them only if they differ, and keeps the choice if it still exists.
 * @param {HTMLSelectElement} select @param {{value: string, label: string}[]} options
 */
export function setOptions(select, options) {
  const now = [...select.options].map((option) => `${option.value}\n${option.label}`).join('\n\n');
  if (now === options.map(({ value, label }) => `${value}\n${label}`).join('\n\n')) return;
  const chosen = select.value;
  select.replaceChildren(...options.map(({ value, label }) => element('option', { value }, label)));
  if (options.some(({ value }) => value === chosen)) select.value = chosen;
}
