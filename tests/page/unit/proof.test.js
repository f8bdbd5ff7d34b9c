// The page's HMAC against Node's, and the words of a proof.
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { test } from 'node:test';

import { hmac, newNonce, proof, readKey, sha256 } from '../../../manager/page/proof.js';

/** @param {number} size */
const bytes = (size) => Uint8Array.from({ length: size }, (_, i) => (i * 37 + size) & 255);

test('digests of all lengths around the blocks are those of others', () => {
  for (const size of [0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000]) {
    assert.deepEqual(Buffer.from(sha256(bytes(size))), createHash('sha256').update(bytes(size)).digest(), String(size));
    for (const key of [0, 20, 63, 64, 65, 131]) {
      assert.deepEqual(Buffer.from(hmac(bytes(key), bytes(size))), createHmac('sha256', bytes(key)).update(bytes(size)).digest());
    }
  }
});

test('a published example (RFC 4231, 2) is proved right', () => {
  assert.equal(proof('Jefe', 'what do ya want for nothing?'), '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
});

test('words stay apart, and keys may have a name', () => {
  assert.notEqual(proof('secret', 'a', 'b'), proof('secret', 'ab'));
  assert.deepEqual(readKey('viewer:0123'), { name: 'viewer', secret: '0123' });
  assert.deepEqual(readKey('0123'), { name: '', secret: '0123' });
  assert.match(newNonce(), /^[0-9a-f]{32}$/);
  assert.notEqual(newNonce(), newNonce());
});
