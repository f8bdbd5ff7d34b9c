// The example of sail/PROTOCOL.md ("People").
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { personProof, stretched } from '../../../manager/page/password.js';

test('a password is proved by the document’s words', async () => {
  const secret = await stretched('correct horse battery', '00112233445566778899aabbccddeeff');
  assert.equal(secret, '57312542235f0bd20de68ba91435932724a28fb139d398248a941a31002a374c');
  const proofs = personProof(secret, ['user/ann', '000102030405060708090a0b0c0d0e0f', 'f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff']);
  assert.deepEqual(proofs, {
    ofPeer: 'fe641369fbc73ee8c0bbe5e48f4443438445b59d17fc2493a9bc1a55096970b7',
    ofListener: '56707e9127a7f605af955e40305221860e73b226412e5c74993e72767f1d12ce',
    session: '307e30806222ba8af0da35ebfad5d76368c8b7b830d0dd10533b9bc383a95e05',
  });
});
