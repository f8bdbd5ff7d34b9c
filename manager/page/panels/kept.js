// Lists of sources kept in this browser: favourites and recently played ones, newest first.

const kMostRecent = 30;
const kMostKept = 256; // most sources that the manager lists by id

/** @param {'favourites' | 'recent'} list @returns {string[]} */
export function kept(list) {
  try {
    const ids = JSON.parse(localStorage.getItem(`vitrail.${list}`) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string').slice(0, kMostKept) : [];
  } catch {
    return []; // storage is forbidden, or the entry is invalid
  }
}

/** @param {'favourites' | 'recent'} list @param {string[]} ids */
function keep(list, ids) {
  try {
    localStorage.setItem(`vitrail.${list}`, JSON.stringify(ids));
  } catch {
    // Storage is forbidden: the list is not kept.
  }
}

/** @param {string[]} ids put in front */
export function keepRecent(ids) {
  keep('recent', [...new Set([...ids, ...kept('recent')])].slice(0, kMostRecent));
}

/** Makes all of them favourites; if they all are already, removes them. @param {string[]} ids */
export function turnFavourites(ids) {
  const before = kept('favourites');
  const without = before.filter((id) => !ids.includes(id));
  const all = ids.every((id) => before.includes(id));
  keep('favourites', all ? without : [...without, ...ids].slice(-kMostKept));
}
