import assert from 'node:assert/strict';
import { test } from 'node:test';

import { chunkMessage, encodedSize, encoderConfigs, soundMessage, videoMessage } from '../../../manager/page/video_chunks.js';

/** @param {'key' | 'delta'} type @param {number} timestamp @param {number[]} bytes @returns {any} */
function chunk(type, timestamp, bytes) {
  return { type, timestamp, byteLength: bytes.length, copyTo: (/** @type {Uint8Array} */ to) => to.set(bytes) };
}

test('a chunk stands behind its header', () => {
  assert.deepEqual([...chunkMessage(chunk('key', 1_000_000, [7, 8]))], [1, 1, 0, 0, 0x40, 0x42, 0x0f, 0, 0, 0, 0, 0, 7, 8]);
  assert.deepEqual([...chunkMessage(chunk('delta', -5, [9]))], [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9]);
  assert.deepEqual([...soundMessage(chunk('key', 1_000_000, [7, 8]))], [2, 0, 0, 0, 0x40, 0x42, 0x0f, 0, 0, 0, 0, 0, 7, 8]);
});

test('what is coded says what its colours mean, if the browser knows', () => {
  const reported = (/** @type {VideoColorSpaceInit} */ colorSpace) => JSON.parse(videoMessage({ codec: 'vp8', colorSpace }));
  assert.deepEqual(reported({ matrix: 'bt709', fullRange: true, primaries: 'bt709', transfer: 'iec61966-2-1' }),
    { type: 'video', codec: 'vp8', color_space: { matrix: 'bt709', full_range: true } });
  assert.equal(reported({ matrix: 'smpte170m', fullRange: false }).color_space.full_range, false);
  for (const unknown of [undefined, {}, { matrix: null, fullRange: null }, { matrix: 'bt709' }, { matrix: 'rgb', fullRange: true }]) {
    assert.deepEqual(reported(/** @type {any} */ (unknown)), { type: 'video', codec: 'vp8' });
  }
});

test('sizes are even, in their shape, and no larger than can be encoded', () => {
  assert.deepEqual(encodedSize(1920, 1080), { width: 1920, height: 1080 });
  assert.deepEqual(encodedSize(1367, 769), { width: 1368, height: 770 });
  assert.deepEqual(encodedSize(7680, 4320), { width: 3840, height: 2160 });
  assert.deepEqual(encodedSize(1000, 4320), { width: 500, height: 2160 });
  assert.deepEqual(encodedSize(1, 1), { width: 2, height: 2 });
});

test('H.264 is asked for with the level of its size, VP8 behind it', () => {
  const [h264, vp8] = encoderConfigs({ width: 1920, height: 1080 }, 30);
  assert.equal(h264.codec, 'avc1.42e028');
  assert.equal(h264.avc?.format, 'annexb');
  assert.equal(vp8.codec, 'vp8');
  assert.equal(vp8.latencyMode, 'realtime');
  assert.equal(encoderConfigs({ width: 3840, height: 2160 }, 30)[0].codec, 'avc1.42e033');
  assert.ok((encoderConfigs({ width: 3840, height: 2160 }, 30)[0].bitrate ?? 0) <= 25_000_000);
});
