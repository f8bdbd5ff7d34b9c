// The URLs of unfinished uploads, kept in this browser so that a reloaded page can resume them.

const kKey = 'vitrail.uploads';
const kLongestMs = 3600_000; // the manager removes unfinished uploads after this time

/** @typedef {Record<string, {name: string, url: string, at: number}>} Places by the result of keyOf() */

/** @returns {Places} */
function places() {
  try {
    const all = /** @type {Places} */ (JSON.parse(localStorage.getItem(kKey) ?? '{}'));
    return Object.fromEntries(Object.entries(all).filter(([, { at }]) => Date.now() - at < kLongestMs));
  } catch {
    return {}; // storage is forbidden, or the entry is invalid
  }
}

/** @param {Places} all */
function keep(all) {
  try {
    localStorage.setItem(kKey, JSON.stringify(all));
  } catch {
    // Storage is forbidden: a reloaded page starts the upload from the beginning.
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

/** Names of files whose upload an earlier page did not finish. */
export function interruptedFiles() {
  return Object.values(places()).map(({ name }) => name);
}
