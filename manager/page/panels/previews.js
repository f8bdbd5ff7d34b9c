// Previews of sources, fetched while visible, a few at a time. fetch() is used because an <img src> cannot authenticate.

/** @import { Identity } from '../identity.js' */

const kMostAtOnce = 3;
const kPauseMs = 2000; // before the next try after status 503, when the manager is busy

/** @typedef {{path: string, url: string, ending: AbortController | null}} Shown ending: set while the preview is being fetched */

export class Previews {
  #identity;
  #observer;
  /** @type {Map<HTMLImageElement, Shown>} */
  #images = new Map();
  /** @type {Set<HTMLImageElement>} visible and not yet fetched */
  #waiting = new Set();
  #fetching = 0;

  /** @param {Identity} identity */
  constructor(identity) {
    this.#identity = identity;
    this.#observer = new IntersectionObserver((entries) => this.#moved(entries), { rootMargin: '100px' });
  }

  /** Shows a preview in the image when it becomes visible. @param {HTMLImageElement} image @param {string} query "source=ID" or "film=server://…", percent-encoded */
  show(image, query) {
    this.#images.set(image, { path: `/preview?${query}`, url: '', ending: null });
    this.#observer.observe(image.parentElement ?? image);
  }

  /** Stops showing a preview in this image. @param {HTMLImageElement} image */
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
      // No preview: the icon below stays visible.
    } finally {
      shown.ending = null;
    }
  }

  /** @param {HTMLImageElement} image @param {AbortSignal} gone aborted when the image is hidden */
  #again(image, gone) {
    setTimeout(() => {
      if (gone.aborted || !this.#images.has(image)) return;
      this.#waiting.add(image);
      this.#next();
    }, kPauseMs);
  }
}
