import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';

import { Picture, readPng } from '../support/png.js';

/** @param {string} kind @param {Buffer} data */
function chunk(kind, data) {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(kind, 'latin1'), data, Buffer.alloc(4)]);
}

/** @param {number} width @param {number} height @param {number} colour @param {number[]} filtered */
function pngFile(width, height, colour, filtered) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, colour, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(filtered))), chunk('IEND', Buffer.alloc(0))]);
}

test('every filter gives the pixels back', () => {
  const picture = readPng(pngFile(2, 5, 2, [
    0, 10, 20, 30, 40, 50, 60,
    1, 10, 20, 30, 30, 30, 30,
    2, 0, 0, 0, 0, 0, 0,
    3, 5, 10, 15, 15, 15, 15,
    4, 0, 0, 0, 0, 0, 0,
  ]));
  const rows = [0, 1, 2, 3, 4].map((y) => [picture.at(0, y), picture.at(1, y)]);
  const plain = [[10, 20, 30], [40, 50, 60]];
  assert.deepEqual(rows[0], plain);
  assert.deepEqual(rows[1], plain);
  assert.deepEqual(rows[2], plain);
  assert.deepEqual(rows[3], [[10, 20, 30], [40, 50, 60]]);
  assert.deepEqual(rows[4], rows[3]);
});

test('an alpha channel is passed over', () => {
  const picture = readPng(pngFile(1, 1, 6, [0, 1, 2, 3, 255]));
  assert.deepEqual(picture.at(0, 0), [1, 2, 3]);
});

test('other files are refused', () => {
  assert.throws(() => readPng(Buffer.from('GIF89a…')), /no PNG/);
  assert.throws(() => readPng(pngFile(1, 1, 3, [0, 0])), /not read here/);
});

test('pictures are compared and counted', () => {
  const a = new Picture(2, 1, 3, new Uint8Array([1, 1, 1, 9, 9, 9]));
  const b = new Picture(2, 1, 3, new Uint8Array([1, 1, 1, 9, 9, 8]));
  assert.equal(a.differences(b), 1);
  assert.equal(a.count([0, 0, 2, 1], ([red]) => red === 9), 1);
});
