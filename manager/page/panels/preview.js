// Small pictures of sources, fetched when they come into view, a few at a time. An <img src> could not carry the token.

/** @import { Identity } from '../identity.js' */

const kMostAtOnce = 3;

/** What lets this browser in over HTTP. @param {Identity} identity @returns {Record<string, string>} */
export function credentials(identity) {
  return identity.token ? { Authorization: `Bearer ${identity.token}` } : {};
}

export class Previews {
  #identity;
  #observer;
  /** @type {WeakMap<Element, {path: string, url: string}>} */
  #pictures = new WeakMap();
  /** @type {HTMLImageElement[]} */
  #waiting = [];
  #fetching = 0;

  /** @param {Identity} identity */
  constructor(identity) {
    this.#identity = identity;
    this.#observer = new IntersectionObserver((entries) => this.#seen(entries), { rootMargin: '100px' });
  }

  /** Shows this preview in the image once somebody can see it. @param {HTMLImageElement} image @param {string} path */
  show(image, path) {
    this.#pictures.set(image, { path, url: '' });
    this.#observer.observe(image);
  }

  /** The image is no longer needed. @param {HTMLImageElement} image */
  forget(image) {
    this.#observer.unobserve(image);
    const url = this.#pictures.get(image)?.url;
    if (url) URL.revokeObjectURL(url);
    this.#pictures.delete(image);
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #seen(entries) {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      this.#observer.unobserve(target);
      this.#waiting.push(/** @type {HTMLImageElement} */ (target));
    }
    this.#next();
  }

  #next() {
    while (this.#fetching < kMostAtOnce) {
      const image = this.#waiting.pop();
      if (!image) return;
      ++this.#fetching;
      void this.#fetch(image).finally(() => {
        --this.#fetching;
        this.#next();
      });
    }
  }

  /** @param {HTMLImageElement} image */
  async #fetch(image) {
    const picture = this.#pictures.get(image);
    if (!picture) return;
    try {
      const answer = await fetch(picture.path, { headers: credentials(this.#identity) });
      if (!answer.ok) return;
      const url = URL.createObjectURL(await answer.blob());
      if (!this.#pictures.has(image)) return URL.revokeObjectURL(url);
      picture.url = url;
      image.src = url;
      image.hidden = false;
    } catch {
      // No picture, then: the icon beneath it stays.
    }
  }
}
