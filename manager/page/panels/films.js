// The films of this wall's film servers: what each is and takes, and why one was refused.

import { element } from '../dom.js';
import { textButton } from './controls.js';
import { FoundList } from './found_list.js';
import { Panel } from './panel.js';
import { clock, counted, fileSize } from './times.js';

/** @import { Card } from './found_list.js' */
/** @import * as T from '../types.js' */

/**
 * @typedef {object} Film as the film server tells it, but for its medium
 * @property {string} title
 * @property {T.Size} size
 * @property {number} duration_s 0: unknown
 * @property {number} fps
 * @property {number} bytes
 * @property {number} mb_per_s what its reading takes; 0: unknown
 * @property {boolean} playable by walls, as it is stored
 * @property {string} [unreadable] why nobody could look into it
 * @property {string[]} tags
 * @property {string} medium what bplay calls it
 * @property {string[]} disks that have parts of it; none: it is the server's own
 */

/** "0:10 · 3840×2160 · 25 a second · 42.5 MB · takes 4.25 MB/s · tour" @param {Film} film */
function filmFacts({ playable, unreadable, duration_s, size, fps, bytes, mb_per_s, tags, disks }) {
  const facts = [
    unreadable ? `Cannot be looked into: ${unreadable}` : !playable && 'Not as it is stored: `vitrail convert` makes it playable',
    duration_s && clock(duration_s), size[0] && size.join('×'), fps && `${Number(fps.toFixed(2))} a second`, fileSize(bytes),
    mb_per_s && `takes ${mb_per_s.toFixed(2)} MB/s`, disks.length && `on ${disks.join(', ')}`, ...tags,
  ];
  return facts.filter(Boolean).join(' · ');
}

class Films extends Panel {
  #refused = element('div', { class: 'stack', hidden: true });
  #server = ''; // the first, until one is chosen
  /** @type {FoundList<Film>} */
  #list = /** @type {any} */ (null);

  forgets = true; // another server's films

  build() {
    this.#list = new FoundList(this, 'films', 'Film servers');
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
    const count = !server ? 'This wall knows no film server: its operator names some with --film-server.'
      : found.length ? `${more ? 'The first ' : ''}${counted(found.length, 'film')}` : 'Nothing found.';
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
      key: film.medium, icon: 'film', alt: `Poster of ${film.title}`, preview: `film=${encodeURIComponent(film.medium)}`, opens: true,
      facts: filmFacts(film), hint: `${film.title}\nPlay; or drag it onto the wall`, playable: film.playable,
    };
  }

  /** @param {Film} film @param {T.Point} [at] wall pixels; else the manager chooses */
  async play(film, at) {
    const [place] = at ? await this.store.drops.take(at, [film.size]).catch(() => []) : [];
    await this.#ask(film, { media: [film.medium], ...place?.play });
  }

  /** @param {Film} film @param {object} params of the verb `play` */
  async #ask(film, params) {
    this.#refused.hidden = true;
    try {
      await this.store.call('play', params);
      this.store.say(`${film.title} is on the wall.`);
    } catch (error) {
      this.#refuse(film, params, error instanceof Error ? error.message : String(error));
    }
  }

  /** The server's own words, which have the numbers; and what they advise. @param {Film} film @param {object} params @param {string} why */
  #refuse(film, params, why) {
    this.store.say(why, 'error');
    const anyway = textButton('Play it with what is left', () => void this.#ask(film, { ...params, best_effort: true }),
      { title: 'As best effort: when there is too little, it leaves out pictures, and others lose none' });
    this.#refused.replaceChildren(element('p', {}, why), ...(why.includes('best effort') ? [anyway] : []));
    this.#refused.hidden = false;
  }
}

customElements.define('vt-films', Films);
