// Proves a password without sending it (sail/PROTOCOL.md, "People"): scrypt (RFC 7914), then the scheme of SCRAM (RFC
// 5802). Browsers have no scrypt, and crypto.subtle only in secure contexts; pages by plain HTTP are none.

import { hmac, proof } from './proof.js';

const kN = 1 << 15;
const kR = 8;
const kLanes = 3;
const kLaneWords = 32 * kR;

/** PBKDF2 with HMAC-SHA256 and one iteration (RFC 8018). @param {Uint8Array} password @param {Uint8Array} salt @param {number} length in bytes */
function pbkdf2Once(password, salt, length) {
  const bytes = new Uint8Array(Math.ceil(length / 32) * 32);
  const block = new Uint8Array(salt.length + 4);
  block.set(salt);
  for (let i = 0; 32 * i < length; ++i) {
    new DataView(block.buffer).setUint32(salt.length, i + 1);
    bytes.set(hmac(password, block), 32 * i);
  }
  return bytes.slice(0, length);
}

/** The quarter-round of Salsa20. @param {Int32Array} x @param {number} a @param {number} b @param {number} c @param {number} d */
function quarter(x, a, b, c, d) {
  let t = x[a] + x[d];
  x[b] ^= (t << 7) | (t >>> 25);
  t = x[b] + x[a];
  x[c] ^= (t << 9) | (t >>> 23);
  t = x[c] + x[b];
  x[d] ^= (t << 13) | (t >>> 19);
  t = x[d] + x[c];
  x[a] ^= (t << 18) | (t >>> 14);
}

/** Salsa20/8 on x, in place. @param {Int32Array} x 16 words @param {Int32Array} was scratch space of 16 words */
function salsa(x, was) {
  was.set(x);
  for (let i = 0; i < 4; ++i) {
    quarter(x, 0, 4, 8, 12);
    quarter(x, 5, 9, 13, 1);
    quarter(x, 10, 14, 2, 6);
    quarter(x, 15, 3, 7, 11);
    quarter(x, 0, 1, 2, 3);
    quarter(x, 5, 6, 7, 4);
    quarter(x, 10, 11, 8, 9);
    quarter(x, 15, 12, 13, 14);
  }
  for (let i = 0; i < 16; ++i) x[i] += was[i];
}

/** scryptROMix of one lane, in place. @param {Int32Array} lane @param {Int32Array} kept scratch space of kN lanes */
function mix(lane, kept) {
  const x = new Int32Array(16);
  const was = new Int32Array(16);
  const mixed = new Int32Array(kLaneWords);
  const mixBlocks = () => {
    x.set(lane.subarray(kLaneWords - 16));
    for (let block = 0; block < 2 * kR; ++block) {
      for (let i = 0; i < 16; ++i) x[i] ^= lane[16 * block + i];
      salsa(x, was);
      mixed.set(x, 16 * ((block >> 1) + (block & 1) * kR));
    }
    lane.set(mixed);
  };
  for (let i = 0; i < kN; ++i) {
    kept.set(lane, i * kLaneWords);
    mixBlocks();
  }
  for (let i = 0; i < kN; ++i) {
    const at = (lane[kLaneWords - 16] & (kN - 1)) * kLaneWords;
    for (let word = 0; word < kLaneWords; ++word) lane[word] ^= kept[at + word];
    mixBlocks();
  }
}

/** @param {Uint8Array} bytes */
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Derives a key, 64 hexadecimal digits, from a password and the manager's salt. Takes about a second, in pieces, so that
 * the page stays responsive.
 * @param {string} password @param {string} salt
 */
export async function stretched(password, salt) {
  const encoder = new TextEncoder();
  const secret = encoder.encode(password);
  // Little-endian, as every platform that runs browsers.
  const words = new Int32Array(pbkdf2Once(secret, encoder.encode(salt), 4 * kLaneWords * kLanes).buffer);
  const kept = new Int32Array(kN * kLaneWords);
  for (let lane = 0; lane < kLanes; ++lane) {
    mix(words.subarray(lane * kLaneWords, (lane + 1) * kLaneWords), kept);
    await new Promise((resolve) => setTimeout(resolve));
  }
  return hex(pbkdf2Once(secret, new Uint8Array(words.buffer), 32));
}

/** @param {string} a @param {string} b hexadecimal digits, of equal length */
const exclusiveOr = (a, b) => [...a].map((digit, i) => (parseInt(digit, 16) ^ parseInt(b[i], 16)).toString(16)).join('');

/**
 * The page's proof, the proof expected from the manager, and the session secret.
 * @param {string} secret the stretched password @param {string[]} words the key's name and both nonces
 */
export function personProof(secret, words) {
  const clientKey = proof(secret, 'vitrail client');
  const mask = proof(proof(clientKey, 'vitrail stored'), 'vitrail peer', ...words, 'ui');
  return {
    ofPeer: exclusiveOr(clientKey, mask),
    ofListener: proof(proof(secret, 'vitrail listener'), 'vitrail listener', ...words),
    session: proof(clientKey, 'vitrail session', ...words),
  };
}
