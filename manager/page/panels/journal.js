// The journal: who changed what and what was denied, with filters, exports, and the wall before and after an entry.

import { element } from '../dom.js';
import { iconButton } from '../icons.js';
import { locale, t } from '../texts.js';
import { field, setPressed, setText, textButton } from './controls.js';
import { miniature } from './miniature.js';

/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */

const kColumns = /** @type {const} */ (['n', 'at', 'who', 'key', 'role', 'from', 'verb', 'did', 'error', 'params', 'changed']);
const kMostExported = 20_000;
const kMostText = 200;
/** Layouts are noted once a second. */
const kLaterS = 1.5;

/**
 * The entries as CSV (RFC 4180) with a heading, with the columns of `vitrail journal --csv`. Texts that spreadsheets would
 * take for formulas get an apostrophe.
 * @param {T.JournalEntry[]} entries
 */
export function journalCsv(entries) {
  const text = (/** @type {unknown} */ value) => typeof value === 'string' ? value.replace(/^[=+\-@\t\r]/, "'$&") : JSON.stringify(value) ?? '';
  const cell = (/** @type {unknown} */ value) => `"${text(value).replaceAll('"', '""')}"`;
  return [kColumns.join(','), ...entries.map((entry) => kColumns.map((name) => cell(entry[name])).join(','))].join('\r\n');
}

/** The entries as JSON lines. @param {T.JournalEntry[]} entries */
export function journalLines(entries) {
  return entries.map((entry) => JSON.stringify(entry)).join('\n');
}

/** A value of `changed`. A size that is that of `before` is left out. @param {unknown} value @param {unknown} [before] @returns {string} */
function valueText(value, before) {
  if (typeof value === 'string') return `“${value}”`;
  if (value === null || value === undefined) return '–';
  if (!Array.isArray(value) || value.length !== 4) return JSON.stringify(value);
  const [x, y, width, height] = value;
  const sameSize = Array.isArray(before) && before[2] === width && before[3] === height;
  return `${x},${y}${sameSize ? '' : ` ${width}×${height}`}`;
}

/** What differed, such as “place 0,0 640×360 → 100,50”. @param {Record<string, unknown>} values @returns {string} */
function valuesText(values) {
  return Object.entries(values).map(([key, change]) => {
    const name = key === 'rect' ? t('journal.place') : key;
    if (Array.isArray(change)) return `${name} ${valueText(change[0])} → ${valueText(change[1], change[0])}`;
    return change instanceof Object ? `${name}: ${valuesText(/** @type {Record<string, unknown>} */ (change))}` : `${name}: ${change}`;
  }).join(', ');
}

/** What differed after the entry, in a line: windows and the wall; '': nothing. @param {T.JournalEntry} entry */
export function journalChanges({ changed = {} }) {
  const line = Object.entries(changed).map(([name, change]) => {
    if (Array.isArray(change)) return t('windows', { count: change.length });
    return `${name === 'wall' ? t('journal.wall') : `${t('panels.inspector')} ${name}`}: ${valuesText(change)}`;
  }).join('; ');
  return line.length > kMostText ? `${line.slice(0, kMostText)}…` : line;
}

/** What the entry did, in short: the step of the history, else verb and parameters. @param {T.JournalEntry} entry */
export function journalText({ did, verb, params = {} }) {
  if (did) return did;
  const asked = typeof params === 'string' ? params : Object.entries(params).map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`).join(', ');
  const text = `${verb} ${asked}`.trim();
  return text.length > kMostText ? `${text.slice(0, kMostText)}…` : text;
}

export class Journal {
  #store;
  #since = element('input', { type: 'datetime-local' });
  #person = element('input', { type: 'search', maxlength: 64 });
  #window = element('input', { type: 'number', min: 1, max: 2_000_000_000 });
  #verb = element('input', { type: 'search', maxlength: 64 });
  #problem = element('p', { class: 'why', role: 'alert' });
  #list = element('ol', { class: 'journal', 'aria-label': t('journal.list') });
  #nothing = element('p', { class: 'soft', role: 'status' });
  #more = textButton(t('common.more'), () => void this.#showMore(), { class: 'wide' });
  /** The filter of the entries that are shown. */
  #query = {};
  /** The number before which the next entries are; 0: there are no more. */
  #next = 0;

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
    const search = (/** @type {Event} */ event) => {
      event.preventDefault();
      void this.#search();
    };
    const form = element('form', { class: 'filters', onsubmit: search }, field(t('journal.since'), this.#since), field(t('journal.person'), this.#person),
      field(t('panels.inspector'), this.#window), field(t('journal.verb'), this.#verb), element('button', { type: 'submit', class: 'primary' }, t('common.searchField')));
    const exports = element('p', { class: 'pair' }, textButton(t('journal.export', { format: 'CSV' }), () => void this.#export('csv', 'text/csv', journalCsv)),
      textButton(t('journal.export', { format: 'JSON' }), () => void this.#export('jsonl', 'application/jsonl', journalLines)));
    this.root = element('div', {}, form, this.#problem, this.#nothing, this.#list, this.#more, exports);
    void this.#search();
  }

  /** Starts with the newest entries that match the filter. */
  async #search() {
    const since = new Date(this.#since.value).getTime() / 1000;
    this.#query = {
      ...(since > 0 ? { since } : {}),
      ...(this.#person.value.trim() ? { person: this.#person.value.trim() } : {}),
      ...(this.#window.value ? { window: this.#window.valueAsNumber } : {}),
      ...(this.#verb.value.trim() ? { verb: this.#verb.value.trim() } : {}),
    };
    this.#next = 0;
    this.#list.replaceChildren();
    await this.#showMore();
  }

  async #showMore() {
    const query = this.#query;
    const page = await this.#page(query, this.#next);
    if (!page || query !== this.#query) return; // a newer search has begun
    this.#list.append(...page.entries.map((entry) => this.#row(entry)));
    this.#next = page.next ?? 0;
    this.#more.hidden = !this.#next;
    setText(this.#nothing, this.#list.childElementCount || this.#next ? '' : t('common.nothingFound'));
  }

  /** The entries before this number (0: the newest), or null after an error, which is shown. @param {object} query @param {number} before @returns {Promise<{entries: T.JournalEntry[], next?: number} | null>} */
  async #page(query, before) {
    try {
      const page = await this.#store.call('journal', before ? { ...query, before } : query);
      setText(this.#problem, page.broken ? t('journal.broken', { numbers: page.broken.join(', ') }) : '');
      return page;
    } catch (error) {
      setText(this.#problem, this.#store.problem(error));
      return null;
    }
  }

  /** @param {T.JournalEntry} entry */
  #row(entry) {
    const { at, who = '', key = '', role = '', from = '', error, lost } = entry;
    const time = new Date(at * 1000).toLocaleString(locale, { dateStyle: 'short', timeStyle: 'medium' });
    const people = [who, key !== who ? key : '', role, from].filter(Boolean).join(' · ');
    const failure = error === 'unauthorized' ? t('journal.denied') : error && t('journal.failed', { error });
    const facts = [failure, lost && t('journal.lost', { count: lost })].filter(Boolean).join(', ');
    const changes = journalChanges(entry);
    const walls = element('div', { class: 'walls', hidden: true });
    const show = iconButton('eye', t('journal.walls', { time }), () => void this.#showWalls(show, walls, at));
    setPressed(show, false);
    return element('li', { class: error ? 'denied' : null }, element('div', { class: 'words' }, element('span', { class: 'soft' }, time, people && ` · ${people}`),
      element('span', { class: 'what' }, journalText(entry)), ...(changes ? [element('span', { class: 'soft' }, changes)] : []), ...(facts ? [element('strong', {}, facts)] : [])), show, walls);
  }

  /** Shows or hides the wall before and after the entry. @param {HTMLElement} button @param {HTMLElement} walls @param {number} at seconds since 1970 */
  async #showWalls(button, walls, at) {
    const on = walls.hidden;
    walls.hidden = !on;
    setPressed(button, on);
    if (!on) return walls.replaceChildren();
    const shown = [[t('journal.before'), at], [t('journal.after'), at + kLaterS]].map(([label, time]) => this.#wall(String(label), Number(time)));
    walls.replaceChildren(...(await Promise.all(shown)));
  }

  /** The wall at that time, drawn, with the windows' titles. @param {string} label @param {number} at */
  async #wall(label, at) {
    try {
      const { size, windows } = await this.#store.call('journal', { at });
      const wall = this.#store.state?.wall;
      const tiles = wall && String(wall.size) === String(size) ? wall.tiles : [];
      const titles = windows.map((/** @type {{title: string}} */ { title }) => title).join(', ') || t('windows', { count: 0 });
      return element('figure', {}, miniature({ size, tiles }, windows), element('figcaption', {}, `${label}: ${titles}`));
    } catch (error) {
      return element('figure', {}, element('figcaption', {}, `${label}: ${this.#store.problem(error)}`));
    }
  }

  /** Saves all entries that match the filter as a file. @param {string} ending @param {string} type @param {(entries: T.JournalEntry[]) => string} format */
  async #export(ending, type, format) {
    const query = this.#query;
    /** @type {T.JournalEntry[]} */
    const all = [];
    let next = 0;
    do {
      const page = await this.#page(query, next);
      if (!page) return;
      all.push(...page.entries);
      next = page.next ?? 0;
    } while (next && all.length < kMostExported);
    const link = element('a', { download: `vitrail-journal.${ending}`, href: URL.createObjectURL(new Blob([format(all)], { type })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    if (next) setText(this.#problem, t('journal.cut', { count: all.length }));
  }
}
