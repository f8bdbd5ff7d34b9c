// The identity of this browser: name and colour persist in localStorage, the key until the tab is closed.

import { proof, readKey } from './proof.js';
import { t } from './texts.js';

const kName = 'vitrail.name';
const kColour = 'vitrail.colour';
const kKey = 'vitrail.key';

/** Storage may be forbidden (private windows, policies); then nothing persists. @param {Storage} storage @param {string} key */
function read(storage, key) {
  try {
    return storage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** @param {Storage} storage @param {string} key @param {string} value */
function write(storage, key, value) {
  try {
    storage.setItem(key, value);
  } catch {
    // Not stored; Identity's fields still hold it until the page is left.
  }
}

/** People without a name have different ones, so that each erases only their own strokes; the tab keeps it. */
function guest() {
  const name = read(sessionStorage, kName) || `${t('people.guest')} ${100 + Math.floor(Math.random() * 900)}`;
  write(sessionStorage, kName, name);
  return name;
}

export class Identity {
  name = read(localStorage, kName) || guest();
  colour = read(localStorage, kColour);
  /** The wall's key as text, or ""; it never leaves this browser. For a person: "user/NAME:" and the password, which stretchedFor() replaces. */
  key = read(sessionStorage, kKey);
  /** The secret with which HTTP requests prove that they belong to this connection. */
  #session = { client: 0, secret: '' };
  #requests = 0;

  constructor() {
    const match = /(?:^#|&)key=([^&]*)/.exec(location.hash);
    if (match) this.setKey(decodeURIComponent(match[1]));
    if (location.hash) history.replaceState(null, '', location.pathname + location.search);
  }

  /** @param {string} name @param {string} colour "#rrggbb", or "": the manager chooses */
  setPerson(name, colour) {
    this.name = name || guest();
    this.colour = colour;
    write(localStorage, kName, name);
    write(localStorage, kColour, colour);
  }

  /** Stores the connection's secret; called after each hello. @param {number} client @param {string} secret "" if the wall has no key */
  beginSession(client, secret) {
    this.#session = { client, secret };
    this.#requests = 0;
  }

  /** The headers that authenticate one HTTP request. @param {string} method @param {string} url a path, optionally with a query @returns {Record<string, string>} */
  credentials(method, url) {
    const { client, secret } = this.#session;
    if (!secret) return {};
    const number = ++this.#requests;
    const path = decodeURIComponent(new URL(url, location.href).pathname);
    return { Authorization: `Vitrail ${client} ${number} ${proof(secret, 'vitrail request', method, path, String(number))}` };
  }

  /** @param {string} name @param {string} password */
  signIn(name, password) {
    this.key = `user/${name}:${password}`;
    if (!read(localStorage, kName)) this.setPerson(name, this.colour);
  }

  /** The key that password.js derives from the person's password and this salt. Derived once, then stored in place of the password. @param {string} salt */
  async stretchedFor(salt) {
    const { name, secret } = this.proved;
    if (secret.length === salt.length + 64 && secret.startsWith(salt)) return secret.slice(salt.length);
    const { stretched } = await import('./password.js');
    const made = await stretched(secret, salt);
    this.setKey(`${name}:${salt}${made}`);
    return made;
  }

  /** The key's name and secret (proof.js). */
  get proved() {
    return readKey(this.key);
  }

  /** @param {string} key */
  setKey(key) {
    this.key = key;
    write(sessionStorage, kKey, key);
  }
}
