// The page's texts in the person's language: t('window.number', {number: 3}). The tables are in texts/; only that of the
// person's language is loaded.

/** @typedef {keyof typeof import('./texts/en.js').texts} Key */
/** @typedef {string | {one: string, other: string}} Text */
/** @typedef {Record<Key, Text>} Texts */

/** The languages of the page, by their own names. @type {Record<string, {name: string, load: () => Promise<{texts: Texts}>}>} */
export const kLanguages = {
  en: { name: 'English', load: () => import('./texts/en.js') },
  de: { name: 'Deutsch', load: () => import('./texts/de.js') },
};
const kChoice = 'vitrail.language';

/** The language that the person chose, or "" to follow the browser. */
export function chosenLanguage() {
  try {
    return localStorage.getItem(kChoice) ?? '';
  } catch {
    return ''; // storage is forbidden
  }
}

/** Stores the choice, which takes effect when the page is loaded again. @param {string} language "" to follow the browser */
export function chooseLanguage(language) {
  try {
    if (language) localStorage.setItem(kChoice, language);
    else localStorage.removeItem(kChoice);
  } catch {
    // Storage is forbidden: the page follows the browser.
  }
}

/** The first of these languages that the page has, else English. @param {readonly string[]} wanted BCP 47 tags: "de-AT" */
export function languageOf(wanted) {
  return wanted.map((name) => name.slice(0, 2).toLowerCase()).find((name) => name in kLanguages) ?? 'en';
}

const preferred = globalThis.navigator?.languages ?? [];
export const language = languageOf([chosenLanguage(), ...preferred]);
/** For dates and numbers: the browser's regional variant of the language. */
export const locale = preferred.find((name) => languageOf([name]) === language && name.slice(0, 2).toLowerCase() === language) ?? language;

const { texts } = await kLanguages[language].load();
const plurals = new Intl.PluralRules(language);

/** Formats a number. @param {number} value @param {number} [digits] exact number of decimals; omitted: at most two */
export function decimal(value, digits) {
  return value.toLocaleString(locale, { useGrouping: false, minimumFractionDigits: digits ?? 0, maximumFractionDigits: digits ?? 2 });
}

/** @param {Key} key @param {Record<string, string | number>} [values] */
export function t(key, values = {}) {
  const text = texts[key];
  const chosen = typeof text === 'string' ? text : plurals.select(Number(values.count)) === 'one' ? text.one : text.other;
  return chosen.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return typeof value === 'number' ? decimal(value) : value;
  });
}

/** Fills in the texts of index.html: data-t sets the text, data-t-label the name for screen readers. */
export function translateDocument() {
  document.documentElement.lang = language;
  for (const node of document.querySelectorAll('[data-t]')) node.textContent = t(/** @type {Key} */ (node.getAttribute('data-t')));
  for (const node of document.querySelectorAll('[data-t-label]')) node.setAttribute('aria-label', t(/** @type {Key} */ (node.getAttribute('data-t-label'))));
}
