// The films of this wall's film servers: search, what each is and takes, and why one was refused; pressed it plays, dragged it
// plays where it is dropped.

import { element } from '../dom.js';
import { icon } from '../icons.js';
import { setPressed, textButton } from './controls.js';
import { showList } from './keyed_list.js';
import { Panel } from './panel.js';
import { Previews } from './previews.js';
import { makeDraggable } from './source_drag.js';
import { clock, counted, fileSize } from './times.js';

/** @import * as T from '../types.js' */

const kTypingMs = 150;

/**
 * @typedef {object} Film as the film server tells it
 * @property {string} title
 * @property {T.Size} size
 * @property {number} duration_s 0: unknown
 * @property {number} fps
 * @property {number} bytes
 * @property {number} mb_per_s what its reading takes; 0: unknown
 * @property {boolean} playable by walls, as it is stored
 * @property {string[]} tags
 * @property {string[]} disks that have parts of it; none: it is the server's own
 */

/** "0:10 · 3840×2160 · 25 a second · 42.5 MB · takes 4.25 MB/s · tour" @param {Film} film */
function filmFacts({ playable, duration_s, size, fps, bytes, mb_per_s, tags, disks }) {
  const facts = [
    !playable && 'Not as it is stored: `vitrail convert` makes it playable',
    duration_s && clock(duration_s), size[0] && size.join('×'), fps && `${Number(fps.toFixed(2))} a second`, fileSize(bytes),
    mb_per_s && `takes ${mb_per_s.toFixed(2)} MB/s`, disks.length && `on ${disks.join(', ')}`, ...tags,
  ];
  return facts.filter(Boolean).join(' · ');
}

class Films extends Panel {
  #search = element('input', { type: 'search', placeholder: 'Search', 'aria-label': 'Search films', oninput: () => this.#typed() });
  #servers = element('div', { class: 'chips', role: 'group', 'aria-label': 'Film servers', hidden: true });
  #count = element('p', { class: 'soft', role: 'status' });
  #refused = element('div', { class: 'stack', hidden: true });
  #list = element('ul', { class: 'sources', 'aria-label': 'Films' });
  #more = textButton('Show more', () => void this.#load(), { class: 'wide' });
  #server = ''; // the first, until one is chosen
  /** @type {Film[]} */
  #films = [];
  #typing = 0;
  #asked = 0;
  #loading = false;
  /** @type {WeakMap<Element, HTMLImageElement>} by card */
  #images = new WeakMap();
  /** @type {Previews} */
  #previews = /** @type {any} */ (null);

  build() {
    this.#previews = new Previews(this.identity);
    new IntersectionObserver(([entry]) => entry.isIntersecting && void this.#load()).observe(this.#more);
    this.append(this.#search, this.#servers, this.#refused, this.#count, this.#list, this.#more);
    this.#more.hidden = true;
    void this.#load(true);
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    this.store.connection.addEventListener('open', () => void this.#load(true), { signal });
  }

  #typed() {
    clearTimeout(this.#typing);
    this.#typing = window.setTimeout(() => void this.#load(true), kTypingMs);
  }

  /** @param {string} server */
  #pick(server) {
    this.#server = server;
    void this.#load(true);
  }

  /** Asks for those behind the last one, or anew. Only the newest question's answer counts. @param {boolean} [anew] */
  async #load(anew = false) {
    if (this.store.connection.phase !== 'open' || (this.#loading && !anew)) return;
    this.#loading = true;
    const asked = ++this.#asked;
    const search = this.#search.value.trim();
    const after = anew ? '' : this.#films.at(-1)?.title;
    let answer;
    try {
      answer = await this.store.call('films', { ...(this.#server && { server: this.#server }), ...(search && { search }), ...(after && { after }) });
    } catch (error) {
      if (asked === this.#asked) this.#fail(error instanceof Error ? error.message : String(error));
      return;
    } finally {
      if (asked === this.#asked) this.#loading = false;
    }
    if (asked !== this.#asked) return;
    this.#server = answer.server;
    this.#films = anew ? answer.titles : [...this.#films, ...answer.titles];
    this.#more.hidden = !answer.more;
    this.#showServers(answer.servers);
    this.#count.textContent = !this.#server ? 'This wall knows no film server: its operator names some with --film-server.'
      : this.#films.length ? `${answer.more ? 'The first ' : ''}${counted(this.#films.length, 'film')}` : 'Nothing found.';
    this.#show();
  }

  /** @param {string} why */
  #fail(why) {
    this.#count.textContent = why;
    this.#more.hidden = true;
    this.#films = [];
    this.#show();
  }

  /** A choice, where there is one. @param {string[]} servers */
  #showServers(servers) {
    this.#servers.hidden = servers.length < 2;
    showList(this.#servers, servers, (server) => server,
      (server) => element('button', { type: 'button', class: 'chip-button', onclick: () => this.#pick(server) }, server),
      (chip, server) => setPressed(chip, server === this.#server));
  }

  #show() {
    const before = [...this.#list.children];
    showList(this.#list, this.#films, ({ title }) => `${this.#server}/${title}`, (film) => this.#make(film), describe);
    for (const card of before) {
      const image = this.#images.get(card);
      if (image && !card.isConnected) this.#previews.forget(image);
    }
  }

  /** @param {Film} film */
  #make(film) {
    const medium = `server://${this.#server}/${film.title}`;
    const image = element('img', { alt: `Poster of ${film.title}`, hidden: true, draggable: 'false' });
    const handle = element('button', { type: 'button', class: 'source', onclick: () => void this.#play(film, medium) },
      element('span', { class: 'picture' }, icon('film'), image),
      element('span', { class: 'words' }, element('span', { class: 'title' }, film.title), ' ', element('span', { class: 'soft' })));
    const card = element('li', {}, handle);
    makeDraggable(handle, this.store, { title: film.title, size: film.size, opens: true }, (at) => void this.#play(film, medium, at));
    this.#previews.show(image, `film=${encodeURIComponent(medium)}`);
    this.#images.set(card, image);
    return card;
  }

  /** @param {Film} film @param {string} medium @param {T.Point} [at] wall pixels; else the manager chooses */
  async #play(film, medium, at) {
    const [place] = at ? await this.store.drops.take(at, [film.size]).catch(() => []) : [];
    await this.#ask(film, { media: [medium], ...place?.play });
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

/** Also when it has changed. @param {HTMLElement} card @param {Film} film */
function describe(card, film) {
  const [handle, words] = ['.source', '.soft'].map((name) => /** @type {HTMLElement} */ (card.querySelector(name)));
  words.textContent = filmFacts(film);
  handle.title = `${film.title}\nPlay; or drag it onto the wall`;
  // The words that can be seen stand in it as they are seen.
  handle.setAttribute('aria-label', `Play ${film.title} ${words.textContent}`);
  /** @type {HTMLButtonElement} */ (handle).disabled = !film.playable;
}

customElements.define('vt-films', Films);
