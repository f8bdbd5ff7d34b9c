// The panels' controls, each with the name that a screen reader says.

import { element } from '../dom.js';
import { icon } from '../icons.js';

/** @import { IconName } from '../icons.js' */

let labels = 0;

/**
 * A part of a panel under a heading, which names it.
 * @param {string} title @param {...(Node | string)} children
 */
export function section(title, ...children) {
  const id = `section-${++labels}`;
  return element('section', { 'aria-labelledby': id }, element('h2', { id }, title), ...children);
}

/**
 * A control with its label above it, or beside it in a row.
 * @param {string} label @param {HTMLElement} control @param {string} [className]
 */
export function field(label, control, className = 'field') {
  return element('label', { class: className }, element('span', {}, label), control);
}

/**
 * A button with words, and an icon before them when one is named.
 * @param {string} label @param {() => void} press @param {{icon?: IconName, class?: string, title?: string}} [options]
 */
export function textButton(label, press, options = {}) {
  const attributes = { type: 'button', class: options.class, title: options.title, onclick: press };
  return element('button', attributes, ...(options.icon ? [icon(options.icon)] : []), element('span', {}, label));
}

const kSureMs = 4000;

/**
 * A button for what cannot be taken back: the first press asks, the second within some seconds acts.
 * @param {string} label @param {string} question what it says after the first press
 * @param {() => void} act @param {{class?: string, needed?: () => boolean, name?: string}} [options] needed: whether to ask at
 *   all; name: what it acts on, for screen readers
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
 * A button that is on or off. Show its state with setPressed().
 * @param {IconName} name @param {string} label @param {() => void} press
 */
export function toggleButton(name, label, press) {
  return element('button', { type: 'button', class: 'toggle', 'aria-pressed': 'false', onclick: press }, icon(name), element('span', {}, label));
}

/** @param {HTMLElement} button @param {boolean} on */
export function setPressed(button, on) {
  button.setAttribute('aria-pressed', String(on));
}

/** Sets text only when it differs, so that selections and screen readers are left alone. @param {Element} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Options of a <select>, made anew only when they differ; the choice stays where it can.
 * @param {HTMLSelectElement} select @param {{value: string, label: string}[]} options
 */
export function setOptions(select, options) {
  const now = [...select.options].map((option) => `${option.value}\n${option.label}`).join('\n\n');
  if (now === options.map(({ value, label }) => `${value}\n${label}`).join('\n\n')) return;
  const chosen = select.value;
  select.replaceChildren(...options.map(({ value, label }) => element('option', { value }, label)));
  if (options.some(({ value }) => value === chosen)) select.value = chosen;
}
