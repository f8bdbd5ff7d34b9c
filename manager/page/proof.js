// Proves the wall's key without sending it: HMAC-SHA256 over words that both sides know (sail/PROTOCOL.md, "Proofs").
// Browsers offer HMAC (crypto.subtle) only for pages by HTTPS or from localhost, and most walls' pages come by plain HTTP
// from another host.

const kBlock = 64; // bytes

/** The first 32 bits of the fractional parts of root(p) for the first primes p (FIPS 180-4). @param {number} count @param {(prime: number) => number} root */
function fractions(count, root) {
  const found = [];
  for (let n = 2; found.length < count; ++n) {
    if ([...Array(n).keys()].some((divisor) => divisor > 1 && n % divisor === 0)) continue;
    found.push(((root(n) % 1) * 2 ** 32) >>> 0);
  }
  return found;
}
const kRounds = fractions(64, Math.cbrt);
const kStart = fractions(8, Math.sqrt);

/** @param {number} word @param {number} by */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** @param {number[]} state @param {DataView} block */
function compress(state, block) {
  const words = new Int32Array(64);
  for (let i = 0; i < 16; ++i) words[i] = block.getInt32(4 * i);
  for (let i = 16; i < 64; ++i) {
    const [a, b] = [words[i - 15], words[i - 2]];
    words[i] = words[i - 16] + words[i - 7] + (turned(a, 7) ^ turned(a, 18) ^ (a >>> 3)) + (turned(b, 17) ^ turned(b, 19) ^ (b >>> 10));
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; ++i) {
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + kRounds[i] + words[i]) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i] + word) | 0));
}

/** @param {Uint8Array} bytes @returns {Uint8Array} 32 bytes */
export function sha256(bytes) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / kBlock) * kBlock);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const state = [...kStart];
  for (let at = 0; at < padded.length; at += kBlock) compress(state, new DataView(padded.buffer, at, kBlock));
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setInt32(4 * i, word));
  return new Uint8Array(digest.buffer);
}

/** @param {Uint8Array} key @param {Uint8Array} bytes */
export function hmac(key, bytes) {
  const block = new Uint8Array(kBlock);
  block.set(key.length > kBlock ? sha256(key) : key);
  const inner = sha256(new Uint8Array([...block.map((byte) => byte ^ 0x36), ...bytes]));
  return sha256(new Uint8Array([...block.map((byte) => byte ^ 0x5c), ...inner]));
}

/** @param {Uint8Array} bytes */
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** @param {string} secret @param {string[]} words */
export function proof(secret, ...words) {
  const encoder = new TextEncoder();
  return hex(hmac(encoder.encode(secret), encoder.encode(words.join('\n'))));
}

export function newNonce() {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

/** Parses a key: "SECRET" or "NAME:SECRET". @param {string} text */
export function readKey(text) {
  const colon = text.indexOf(':');
  return { name: text.slice(0, Math.max(colon, 0)), secret: text.slice(colon + 1) };
}
