// Who this browser is to the others: name and colour are kept for good, the key for as long as the tab lives.

import { proof, readKey } from './proof.js';
import { t } from './texts.js';

const kName = 'vitrail.name';
const kColour = 'vitrail.colour';
const kKey = 'vitrail.key';

/** Storage may be forbidden (private windows, policies): then nothing is kept. @param {Storage} storage @param {string} key */
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
    // Not kept; it still holds for this page through Identity's fields.
  }
}

export class Identity {
  name = read(localStorage, kName) || t('people.guest');
  colour = read(localStorage, kColour);
  /** A key of the wall as text, or "". It never leaves this browser. A person's is "user/NAME:" and the password, which is not kept. */
  key = read(sessionStorage, kKey);
  /** What requests by HTTP prove: that they belong to the connection. */
  #session = { client: 0, secret: '' };
  #requests = 0;

  constructor() {
    const match = /(?:^#|&)key=([^&]*)/.exec(location.hash);
    if (match) this.setKey(decodeURIComponent(match[1]));
    if (location.hash) history.replaceState(null, '', location.pathname + location.search);
  }

  /** @param {string} name @param {string} colour "#rrggbb", or "" to be given one */
  setPerson(name, colour) {
    this.name = name || t('people.guest');
    this.colour = colour;
    write(localStorage, kName, this.name);
    write(localStorage, kColour, colour);
  }

  /** The connection's, after each hello. @param {number} client @param {string} secret "" where the wall has no key */
  beginSession(client, secret) {
    this.#session = { client, secret };
    this.#requests = 0;
  }

  /** What lets this one request in over HTTP. @param {string} method @param {string} url a path, maybe with a query @returns {Record<string, string>} */
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
    if (this.name === t('people.guest')) this.setPerson(name, this.colour);
  }

  /** A person's password as password.js stretches it with this salt: done once, and kept instead of it. @param {string} salt */
  async stretchedFor(salt) {
    const { name, secret } = this.proved;
    if (secret.length === salt.length + 64 && secret.startsWith(salt)) return secret.slice(salt.length);
    const { stretched } = await import('./password.js');
    const made = await stretched(secret, salt);
    this.setKey(`${name}:${salt}${made}`);
    return made;
  }

  /** The key as its parts, see proof.js. */
  get proved() {
    return readKey(this.key);
  }

  /** @param {string} key */
  setKey(key) {
    this.key = key;
    write(sessionStorage, kKey, key);
  }
}
