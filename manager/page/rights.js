// Roles and permissions. The page hides controls that the role may not use; the manager enforces the permissions.

/** @import { WallWindow } from './types.js' */

/** In ascending order: each role includes those before it. */
const kRights = /** @type {const} */ (['viewer', 'presenter', 'operator', 'admin']);
/** @typedef {typeof kRights[number]} Right */

/** @param {Right} right @param {Right} needed */
export function reaches(right, needed) {
  return kRights.indexOf(right) >= kRights.indexOf(needed);
}

/** Presenters may change only windows that they opened. @param {Right} right @param {string} key name of the person's key @param {WallWindow} window */
export function mayChange(right, key, { opener }) {
  return reaches(right, 'operator') || (right === 'presenter' && opener === key);
}

/** Marks an element that requires a role; page.css hides it from lower roles. @template {HTMLElement} Node @param {Right} right @param {Node} node @returns {Node} */
export function needs(right, node) {
  node.dataset.needs = right;
  return node;
}
