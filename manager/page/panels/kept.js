// Lists of sources that this browser keeps: favourites, and what was played lately, newest first.

const kMostRecent = 30;
const kMostKept = 256; // that the manager lists by name

/** @param {'favourites' | 'recent'} list @returns {string[]} */
export function kept(list) {
  try {
    const ids = JSON.parse(localStorage.getItem(`vitrail.${list}`) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string').slice(0, kMostKept) : [];
  } catch {
    return []; // storage is forbidden, or holds something else
  }
}

/** @param {'favourites' | 'recent'} list @param {string[]} ids */
function keep(list, ids) {
  try {
    localStorage.setItem(`vitrail.${list}`, JSON.stringify(ids));
  } catch {
    // Nothing is kept.
  }
}

/** @param {string[]} ids these come first */
export function keepRecent(ids) {
  keep('recent', [...new Set([...ids, ...kept('recent')])].slice(0, kMostRecent));
}

/** All of them become favourites; when they are, none of them is. @param {string[]} ids */
export function turnFavourites(ids) {
  const before = kept('favourites');
  const without = before.filter((id) => !ids.includes(id));
  const all = ids.every((id) => before.includes(id));
  keep('favourites', all ? without : [...without, ...ids].slice(-kMostKept));
}
