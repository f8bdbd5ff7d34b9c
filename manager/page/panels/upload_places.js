// Where files on their way lie at the manager, kept in this browser: a page that is loaded again goes on with them.

const kKey = 'vitrail.uploads';
const kLongestMs = 3600_000; // the manager forgets them then

/** @typedef {Record<string, {name: string, url: string, at: number}>} Places by what tells files apart */

/** @returns {Places} */
function places() {
  try {
    const all = /** @type {Places} */ (JSON.parse(localStorage.getItem(kKey) ?? '{}'));
    return Object.fromEntries(Object.entries(all).filter(([, { at }]) => Date.now() - at < kLongestMs));
  } catch {
    return {}; // storage is forbidden, or holds something else
  }
}

/** @param {Places} all */
function keep(all) {
  try {
    localStorage.setItem(kKey, JSON.stringify(all));
  } catch {
    // Nothing is kept: a page that is loaded again begins from the start.
  }
}

/** @param {File} file */
const keyOf = ({ name, size, lastModified }) => `${name}/${size}/${lastModified}`;

/** @param {File} file */
export function rememberedPlace(file) {
  return places()[keyOf(file)]?.url ?? '';
}

/** @param {File} file @param {string} url */
export function rememberPlace(file, url) {
  keep({ ...places(), [keyOf(file)]: { name: file.name, url, at: Date.now() } });
}

/** @param {File} file */
export function forgetPlace(file) {
  const { [keyOf(file)]: gone, ...others } = places();
  if (gone) keep(others);
}

/** Names of files that an earlier page did not bring to their end. */
export function interruptedFiles() {
  return Object.values(places()).map(({ name }) => name);
}
