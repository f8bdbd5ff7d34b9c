// Small pictures of sources, fetched while somebody can see them, a few at a time. An <img src> could prove nothing.

/** @import { Identity } from '../identity.js' */

const kMostAtOnce = 3;
const kPauseMs = 2000; // when the manager has enough to do

/** @typedef {{path: string, url: string, ending: AbortController | null}} Shown ending: while it is being fetched */

export class Previews {
  #identity;
  #observer;
  /** @type {Map<HTMLImageElement, Shown>} */
  #images = new Map();
  /** @type {Set<HTMLImageElement>} seen and not fetched yet */
  #waiting = new Set();
  #fetching = 0;

  /** @param {Identity} identity */
  constructor(identity) {
    this.#identity = identity;
    this.#observer = new IntersectionObserver((entries) => this.#moved(entries), { rootMargin: '100px' });
  }

  /** Shows a preview in the image whenever that comes into sight. @param {HTMLImageElement} image @param {string} query of what: "source=ID" or "film=server://…", percent-encoded */
  show(image, query) {
    this.#images.set(image, { path: `/preview?${query}`, url: '', ending: null });
    this.#observer.observe(image.parentElement ?? image);
  }

  /** The image is no longer needed. @param {HTMLImageElement} image */
  forget(image) {
    this.#observer.unobserve(image.parentElement ?? image);
    this.#leave(image);
    const url = this.#images.get(image)?.url;
    if (url) URL.revokeObjectURL(url);
    this.#images.delete(image);
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #moved(entries) {
    for (const { target, isIntersecting } of entries) {
      const image = /** @type {HTMLImageElement | null} */ (target.querySelector('img'));
      const shown = image && this.#images.get(image);
      if (!image || !shown) continue;
      if (!isIntersecting) this.#leave(image);
      else if (!shown.url) this.#waiting.add(image);
    }
    this.#next();
  }

  /** @param {HTMLImageElement} image */
  #leave(image) {
    this.#waiting.delete(image);
    this.#images.get(image)?.ending?.abort();
  }

  #next() {
    for (const image of this.#waiting) {
      if (this.#fetching >= kMostAtOnce) return;
      const shown = this.#images.get(image);
      this.#waiting.delete(image);
      if (!shown || shown.ending) continue;
      ++this.#fetching;
      void this.#fetch(image, shown).finally(() => {
        --this.#fetching;
        this.#next();
      });
    }
  }

  /** @param {HTMLImageElement} image @param {Shown} shown */
  async #fetch(image, shown) {
    shown.ending = new AbortController();
    const { signal } = shown.ending;
    try {
      const answer = await fetch(shown.path, { headers: this.#identity.credentials('GET', shown.path), signal });
      if (answer.status === 503) this.#again(image, signal);
      if (answer.status !== 200) return;
      const url = URL.createObjectURL(await answer.blob());
      if (this.#images.get(image) !== shown) return URL.revokeObjectURL(url);
      shown.url = url;
      image.src = url;
      image.hidden = false;
    } catch {
      // No picture, then: the icon beneath it stays.
    } finally {
      shown.ending = null;
    }
  }

  /** @param {HTMLImageElement} image @param {AbortSignal} gone out of sight meanwhile */
  #again(image, gone) {
    setTimeout(() => {
      if (gone.aborted || !this.#images.has(image)) return;
      this.#waiting.add(image);
      this.#next();
    }, kPauseMs);
  }
}
