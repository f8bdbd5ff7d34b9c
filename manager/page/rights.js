// What somebody may do here. The page leaves out the rest; it is the manager that refuses it.

/** @import { WallWindow } from './types.js' */

/** Each may do what those before it may. */
const kRights = /** @type {const} */ (['viewer', 'presenter', 'operator', 'admin']);
/** @typedef {typeof kRights[number]} Right */

/** @param {Right} right @param {Right} needed */
export function reaches(right, needed) {
  return kRights.indexOf(right) >= kRights.indexOf(needed);
}

/** Presenters change what they opened themselves. @param {Right} right @param {string} key name of the person's key @param {WallWindow} window */
export function mayChange(right, key, { opener }) {
  return reaches(right, 'operator') || (right === 'presenter' && opener === key);
}

/** The element is there only for those who reach the right: page.css leaves it out for others. @template {HTMLElement} Node @param {Right} right @param {Node} node @returns {Node} */
export function needs(right, node) {
  node.dataset.needs = right;
  return node;
}
