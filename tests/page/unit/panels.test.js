import assert from 'node:assert/strict';
import { test } from 'node:test';

import { displaysOf, hasPower } from '../../../manager/page/panels/display_power.js';
import { positionNow } from '../../../manager/page/panels/playback.js';
import { plotPoints } from '../../../manager/page/panels/plot.js';
import { ReceiverRates } from '../../../manager/page/panels/receiver_rates.js';
import { decibels } from '../../../manager/page/panels/sound_controls.js';
import { clock, fileSize, moment } from '../../../manager/page/panels/times.js';

const kPlaying = { position_s: 10, at_ns: 5e9, duration_s: 60, paused: false, rate: 2, loop: false };

test('a position goes on with wall time and the rate', () => {
  assert.equal(positionNow(kPlaying, 8), 16);
  assert.equal(positionNow({ ...kPlaying, paused: true }, 8), 10);
  assert.equal(positionNow(kPlaying, null), 10, 'without a clock it stays');
  assert.equal(positionNow(kPlaying, 4), 10, 'wall time a little behind does not turn it back');
});

test('a position ends with the film, or begins again', () => {
  assert.equal(positionNow(kPlaying, 1000), 60);
  assert.equal(positionNow({ ...kPlaying, loop: true }, 35), 10);
  assert.equal(positionNow({ ...kPlaying, duration_s: 0 }, 105), 210);
});

test('the newest sample is at the right, the highest at the top', () => {
  assert.equal(plotPoints([0, 5, 10]), '57,19.0 58,10.0 59,1.0');
  assert.equal(plotPoints([0]), '59,19.0');
});

test('counters become rates', () => {
  const rates = new ReceiverRates();
  const stats = (/** @type {number} */ frames_shown, /** @type {number} */ bytes_received) => ({ frames_shown, bytes_received });
  assert.equal(rates.take('left', 1e9, stats(100, 0)), undefined);
  assert.deepEqual(rates.take('left', 3e9, stats(160, 1e6)), { fps: 30, mbit_per_s: 4 });
  assert.equal(rates.take('left', 4e9, stats(0, 0)), undefined, 'it began anew');
});

test('displays have power if the wall file or a receiver says so', () => {
  const state = (/** @type {any} */ wall, /** @type {any[]} */ receivers = []) => /** @type {any} */ ({ wall: { tiles: [{ name: 'a' }], ...wall }, receivers });
  assert.equal(hasPower(state({})), false);
  assert.equal(hasPower(state({ power: {} })), true);
  assert.equal(hasPower(state({ receivers: [{ power: {} }] })), true);
  assert.equal(hasPower(state({ tiles: [{ name: 'a', power: {} }] })), true);
  const on = { tile: 'a', power: 'on' };
  assert.equal(hasPower(state({}, [{ name: 'left' }, { name: 'right', power: [on] }])), true);
  assert.deepEqual(displaysOf(state({}, [{ name: 'left' }, { name: 'right', power: [on] }])), [on]);
});

test('times and sizes read as people write them', () => {
  assert.equal(clock(5), '0:05');
  assert.equal(clock(3725.9), '1:02:05');
  assert.equal(fileSize(999), '999 B');
  assert.equal(fileSize(1.5e6), '1.5 MB');
  const now = new Date(2026, 4, 4, 12, 0);
  assert.match(moment(new Date(2026, 4, 4, 9, 30).getTime() / 1000, now), /^today, /);
  assert.match(moment(new Date(2025, 4, 4, 9, 30).getTime() / 1000, now), /2025/);
});

test('a level is shown in decibels, down to the quietest of the meter', () => {
  assert.equal(decibels(1), 0);
  assert.equal(Math.round(decibels(0.5)), -6);
  for (const silent of [0, 1e-9]) assert.equal(decibels(silent), -60);
});
