// The films of this wall's film servers: their properties and load, and why one was refused.

import { CallError } from '../connection.js';
import { element } from '../dom.js';
import { t } from '../texts.js';
import { textButton } from './controls.js';
import { FoundList } from './found_list.js';
import { Panel } from './panel.js';
import { clock, fileSize } from './times.js';

/** @import { Card } from './found_list.js' */
/** @import * as T from '../types.js' */

/**
 * @typedef {object} Film as in the manager's answer to `films`
 * @property {string} title
 * @property {T.Size} size
 * @property {number} duration_s 0: unknown
 * @property {number} fps
 * @property {number} bytes
 * @property {number} mb_per_s read rate; 0: unknown
 * @property {boolean} playable without conversion
 * @property {string} [colors] "HDR10"; undefined: an SDR display's, or unknown
 * @property {string} [unreadable] why the server could not read it
 * @property {string[]} tags
 * @property {string} medium its address for `play`
 * @property {string[]} disks that store parts of it; empty: stored by the server itself
 */

/** "0:10 · 3840×2160 · 25 fps · HDR10 · 42.5 MB · 4.25 MB/s · tour" @param {Film} film */
function filmFacts({ playable, unreadable, duration_s, size, fps, colors, bytes, mb_per_s, tags, disks }) {
  const facts = [
    unreadable ? t('films.unreadable', { why: unreadable }) : !playable && t('films.convert'),
    duration_s && clock(duration_s), size[0] && size.join('×'), fps && t('films.fps', { fps }), colors, fileSize(bytes),
    mb_per_s && t('films.takes', { rate: mb_per_s }), disks.length && t('films.on', { disks: disks.join(', ') }), ...tags,
  ];
  return facts.filter(Boolean).join(' · ');
}

class Films extends Panel {
  #refused = element('div', { class: 'stack', hidden: true });
  #server = ''; // "": the first server
  /** @type {FoundList<Film>} */
  #list = /** @type {any} */ (null);

  forgets = true; // a choice of another server clears the list

  build() {
    this.#list = new FoundList(this, t('films.things'), t('films.servers'), t('films.list'));
    this.append(...this.#list.filters, this.#refused, ...this.#list.results);
    void this.#list.load(true);
  }

  /** @param {string} search @param {Film[]} before @returns {[string, object]} */
  question(search, before) {
    const after = before.at(-1)?.title;
    return ['films', { ...(this.#server && { server: this.#server }), ...(search && { search }), ...(after && { after }) }];
  }

  /** @param {{server: string, servers: string[], titles: Omit<Film, 'medium'>[], more: boolean}} answer @param {Film[]} before */
  take({ server, servers, titles, more }, before) {
    this.#server = server;
    this.#list.showChips(servers.map((name) => [name, name]), server);
    const found = [...before, ...titles.map((film) => ({ ...film, medium: `server://${server}/${film.title}` }))];
    const count = !server ? t('films.noServer')
      : found.length ? t(more ? 'films.first' : 'films.count', { count: found.length }) : t('common.nothingFound');
    return { found, more, count };
  }

  /** @param {string} server */
  pick(server) {
    this.#server = server;
    void this.#list.load(true);
  }

  /** @param {Film} film @returns {Card} */
  card(film) {
    return {
      key: film.medium, icon: 'film', alt: t('films.poster', { title: film.title }), preview: `film=${encodeURIComponent(film.medium)}`, opens: true,
      facts: filmFacts(film), hint: t('common.playDrag', { detail: film.title }), playable: film.playable,
    };
  }

  /** @param {Film[]} films */
  content(films) {
    return { media: films.map(({ medium }) => medium) };
  }

  /** @param {Film} film @param {T.Point} [at] wall pixels; omitted: the manager chooses */
  async play(film, at) {
    const [place] = at ? await this.store.drops.take(at, [film.size]).catch(() => []) : [];
    await this.#ask(film, { media: [film.medium], ...place?.play });
  }

  /** @param {Film} film @param {object} params of the request `play` */
  async #ask(film, params) {
    this.#refused.hidden = true;
    try {
      await this.store.call('play', params);
      this.store.say(t('said.playing', { title: film.title }));
    } catch (error) {
      this.#refuse(film, params, error);
    }
  }

  /** Shows the server's error, which contains the numbers, and a button to try best effort if the server is too busy for a reserved rate. @param {Film} film @param {object} params @param {unknown} error */
  #refuse(film, params, error) {
    const why = this.store.problem(error);
    this.store.say(why, 'error');
    const anyway = textButton(t('films.anyway'), () => void this.#ask(film, { ...params, best_effort: true }),
      { title: t('films.anywayTitle') });
    this.#refused.replaceChildren(element('p', {}, why), ...(error instanceof CallError && error.code === 'busy' && !('best_effort' in params) ? [anyway] : []));
    this.#refused.hidden = false;
  }
}

customElements.define('vt-films', Films);
