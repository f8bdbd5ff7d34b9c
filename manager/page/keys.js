// Key chords as text: "Ctrl+Shift+Z", "ArrowLeft", "?". Ctrl also stands for ⌘.

import { t } from './texts.js';

/** @param {KeyboardEvent} event */
export function chordOf(event) {
  const letter = /^[a-z]$/i.test(event.key);
  // With Alt, some systems produce other characters; then the physical key counts.
  const physical = event.altKey && /^Key[A-Z]$/.test(event.code) ? event.code.slice(3) : '';
  const key = physical || (letter ? event.key.toUpperCase() : event.key === ' ' ? 'Space' : event.key);
  // Typing a sign may need Shift, so Shift counts only with letters and named keys.
  const shift = event.shiftKey && (letter || physical || event.key.length > 1 || event.key === ' ');
  return `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${shift ? 'Shift+' : ''}${key}`;
}

/** Whether the chord is a letter, digit or sign without Ctrl or Alt. @param {string} chord */
export function isSingleKey(chord) {
  return /^(Shift\+)?.$/u.test(chord);
}

const kSigns = /** @type {Record<string, string>} */ ({ ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', '-': '−' });
const kNamed = /** @type {const} */ (['Ctrl', 'Shift', 'Space', 'Enter', 'Escape', 'PageUp', 'PageDown', 'Delete', 'Backspace', 'Home', 'End']);
const kNames = { ...kSigns, ...Object.fromEntries(kNamed.map((name) => [name, t(`key.${name}`)])) };

/** The chord as shown to people. @param {string} chord */
export function keysText(chord) {
  const parts = chord === '+' ? ['+'] : chord.split('+');
  return parts.map((part) => kNames[part] ?? part).join(' ');
}

/** Whether the focused element uses the key: an input field, a select, an open dialog. @param {KeyboardEvent} event */
export function belongsToField(event) {
  const target = /** @type {Element | null} */ (event.target);
  return target?.closest('input, select, textarea, dialog, [role=menu], [contenteditable]') != null;
}
