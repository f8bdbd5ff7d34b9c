// Keys as text: "Ctrl+Shift+Z", "ArrowLeft", "?". Ctrl stands for ⌘ as well.

import { t } from './texts.js';

/** @param {KeyboardEvent} event */
export function chordOf(event) {
  const letter = /^[a-z]$/i.test(event.key);
  // With Alt some systems make other letters; the key itself counts then.
  const physical = event.altKey && /^Key[A-Z]$/.test(event.code) ? event.code.slice(3) : '';
  const key = physical || (letter ? event.key.toUpperCase() : event.key === ' ' ? 'Space' : event.key);
  // Shift is part of how signs are typed; it counts with letters and named keys only.
  const shift = event.shiftKey && (letter || physical || event.key.length > 1 || event.key === ' ');
  return `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${shift ? 'Shift+' : ''}${key}`;
}

/** Whether it is a letter, a digit or a sign, typed without Ctrl or Alt. @param {string} chord */
export function isSingleKey(chord) {
  return /^(Shift\+)?.$/u.test(chord);
}

const kSigns = /** @type {Record<string, string>} */ ({ ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', '-': '−' });
const kNamed = /** @type {const} */ (['Ctrl', 'Shift', 'Space', 'Enter', 'Escape', 'PageUp', 'PageDown', 'Delete', 'Backspace', 'Home', 'End']);
const kNames = { ...kSigns, ...Object.fromEntries(kNamed.map((name) => [name, t(`key.${name}`)])) };

/** The chord as people read it. @param {string} chord */
export function keysText(chord) {
  const parts = chord === '+' ? ['+'] : chord.split('+');
  return parts.map((part) => kNames[part] ?? part).join(' ');
}

/** Whether the key belongs to what has the focus: a field, a list of choices, an open dialog. @param {KeyboardEvent} event */
export function belongsToField(event) {
  const target = /** @type {Element | null} */ (event.target);
  return target?.closest('input, select, textarea, dialog, [role=menu], [contenteditable]') != null;
}
