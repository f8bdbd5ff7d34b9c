// Who this browser is to the others: name and colour are kept for good, the token for as long as the tab lives.

const kName = 'vitrail.name';
const kColour = 'vitrail.colour';
const kToken = 'vitrail.token';

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
  name = read(localStorage, kName) || 'Guest';
  colour = read(localStorage, kColour);
  token = read(sessionStorage, kToken);

  constructor() {
    const match = /(?:^#|&)token=([^&]*)/.exec(location.hash);
    if (!match) return;
    this.setToken(decodeURIComponent(match[1]));
    history.replaceState(null, '', location.pathname + location.search);
  }

  /** @param {string} name @param {string} colour "#rrggbb", or "" to be given one */
  setPerson(name, colour) {
    this.name = name || 'Guest';
    this.colour = colour;
    write(localStorage, kName, this.name);
    write(localStorage, kColour, colour);
  }

  /** What lets this browser in over HTTP. @returns {Record<string, string>} */
  credentials() {
    return this.token ? { Authorization: `Bearer ${this.token}` } : {};
  }

  /** @param {string} token */
  setToken(token) {
    this.token = token;
    write(sessionStorage, kToken, token);
  }
}
