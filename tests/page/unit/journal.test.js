import assert from 'node:assert/strict';
import { test } from 'node:test';

import { journalChanges, journalCsv, journalLines, journalText } from '../../../manager/page/panels/journal.js';

const kMoved = { n: 7, at: 1.5, who: 'Ada', role: 'operator', from: '::1', verb: 'move', params: { window: 3, x: 10 }, did: 'move “a, b”', changed: { 3: { rect: [[0, 0, 640, 360], [10, 0, 640, 360]] } } };
const kDenied = { n: 8, at: 2, who: 'the "door"', role: 'viewer', from: '::1', verb: 'close', params: { window: 3 }, error: 'unauthorized' };

test('an entry is told by its step of the history, else by verb and parameters', () => {
  assert.equal(journalText(kMoved), 'move “a, b”');
  assert.equal(journalText(kDenied), 'close window 3');
  assert.equal(journalText({ n: 1, at: 0, verb: 'start' }), 'start');
  assert.equal(journalText({ n: 1, at: 0, verb: 'label', params: { text: 'hello', windows: [1, 2] } }), 'label text hello, windows [1,2]');
  assert.equal(journalText({ n: 1, at: 0, verb: 'play', params: 'x'.repeat(2000) }).length, 201);
});

test('the values before and after are told in a line', () => {
  const entry = { n: 1, at: 0, verb: 'move' };
  assert.equal(journalChanges(entry), '');
  assert.match(journalChanges(kMoved), / 3: place 0,0 640×360 → 10,0$/);
  assert.match(journalChanges({ ...entry, changed: { 7: { rect: [[0, 0, 8, 8], [0, 0, 9, 8]], locked: [false, true] } } }), / 7: place 0,0 8×8 → 0,0 9×8, locked false → true$/);
  assert.match(journalChanges({ ...entry, changed: { 7: { title: ['film', null] }, wall: { volume: [1, 0.5], partitions: { left: [null, [0, 0, 5, 5]] } } } }),
    / 7: title “film” → –; .*: volume 1 → 0.5, partitions: left – → 0,0 5×5$/);
  assert.match(journalChanges({ ...entry, changed: { windows: [1, 2, 3, 4, 5, 6, 7, 8, 9] } }), /^9 /);
});

test('an export keeps quotes, commas and lines, and what an entry lacks is empty', () => {
  const [heading, first, second] = journalCsv([kMoved, kDenied]).split('\r\n');
  assert.equal(heading, 'n,at,who,key,role,from,verb,did,error,params,changed');
  assert.equal(first, '"7","1.5","Ada","","operator","::1","move","move “a, b”","","{""window"":3,""x"":10}","{""3"":{""rect"":[[0,0,640,360],[10,0,640,360]]}}"');
  assert.equal(second, '"8","2","the ""door""","","viewer","::1","close","","unauthorized","{""window"":3}",""');
  for (const name of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1']) {
    assert.match(journalCsv([{ ...kMoved, who: name }]), /"7","1.5","'/, 'is no formula of a spreadsheet');
  }
  assert.deepEqual(journalLines([kMoved, kDenied]).split('\n').map((line) => JSON.parse(line)), [kMoved, kDenied]);
});
