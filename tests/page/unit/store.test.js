import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { Store } from '../../../manager/page/store.js';

/** @typedef {import('../../../manager/page/types.js').Rect} Rect */

/** Animation frames run when the test calls them. @type {(() => void)[]} */
let frames = [];
Object.assign(globalThis, {
  requestAnimationFrame: (/** @type {() => void} */ run) => frames.push(run),
  // The oldest supported Node does not have this global.
  CustomEvent: globalThis.CustomEvent ?? class extends Event {
    /** @param {string} type @param {{detail?: any}} [init] */
    constructor(type, init) {
      super(type);
      this.detail = init?.detail;
    }
  },
});

function nextFrame() {
  const due = frames;
  frames = [];
  for (const run of due) run();
}

/** A connection whose other end is the test. */
class Wire extends EventTarget {
  phase = 'open';
  unsent = 0;
  /** @type {{method: string, params: any}[]} */
  calls = [];
  /** @type {{method: string, params: any}[]} */
  notified = [];
  /** @type {any} */
  snapshot = state(1, [win(1), win(2)]);
  /** @type {Error | null} */
  refuses = null;

  /** @param {string} method @param {any} params */
  call(method, params) {
    this.calls.push({ method, params });
    if (this.refuses) return Promise.reject(this.refuses);
    return Promise.resolve(method === 'subscribe' ? this.snapshot : {});
  }

  /** @param {string} method @param {any} params */
  notify(method, params) {
    this.notified.push({ method, params });
  }

  /** @param {string} method @param {any} params */
  hear(method, params) {
    this.dispatchEvent(new CustomEvent('notification', { detail: { method, params } }));
  }
}

/** @param {number} number @param {Rect} rect */
function win(number, rect = [0, 0, 100, 50]) {
  return { window: number, title: `w${number}`, owner: '', codec: '', transport: 'tcp', frame_size: [100, 50], rect };
}

/** @param {number} revision @param {object[]} windows */
function state(revision, windows) {
  return { revision, epoch: 1, identify: false, calibrate: 'off', wall: { name: 'w', size: [1000, 500], tiles: [] }, receivers: [{ name: 'a', connected: true }], windows };
}

/** @type {Wire} */
let wire;
/** @type {Store} */
let store;

beforeEach(async () => {
  frames = [];
  wire = new Wire();
  store = new Store(/** @type {any} */ (wire));
  wire.dispatchEvent(new Event('open'));
  await settled();
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('changes are applied in their order', () => {
  wire.hear('changed', { revision: 2, windows: [win(3)] });
  wire.hear('changed', { revision: 3, removed: [1], order: [3, 2] });
  assert.deepEqual(store.state?.order, [3, 2]);
  assert.deepEqual([...(store.state?.windows.keys() ?? [])].sort(), [2, 3]);
});

test('a change that was missed is found out, and the state is asked for again', async () => {
  wire.snapshot = state(9, [win(5)]);
  wire.hear('changed', { revision: 3, removed: [1] });
  await settled();
  assert.equal(wire.calls.filter((call) => call.method === 'subscribe').length, 2);
  assert.deepEqual(store.state?.order, [5]);
  wire.hear('changed', { revision: 8, removed: [5] }); // older than the answer
  assert.deepEqual(store.state?.order, [5]);
});

test('the rest of many windows comes with the same revision', () => {
  wire.hear('changed', { revision: 1, windows: [win(3)] });
  wire.hear('changed', { revision: 1, windows: [win(4)], order: [4, 3, 2, 1] });
  assert.deepEqual(store.state?.order, [4, 3, 2, 1]);
});

test('receivers that changed take the place of what they were', () => {
  wire.hear('changed', { revision: 2, receivers: [{ name: 'a', connected: false }] });
  assert.equal(store.state?.receivers[0].connected, false);
});

test('what is new of the history follows what is known of it', () => {
  const step = (/** @type {number} */ number) => ({ number, who: 'Ada', what: 'moved' });
  const known = () => store.state?.history.entries.map(({ number }) => number);
  const none = { undo: null, redo: null };
  wire.hear('changed', { revision: 2, history: { ...none, done: 4, entries: [1, 2, 3, 4].map(step) } });
  assert.deepEqual(known(), [1, 2, 3, 4]);
  wire.hear('changed', { revision: 3, history: { ...none, done: 5, keep: [2, 3], entries: [step(5)] } });
  assert.deepEqual(store.state?.history, { ...none, done: 5, entries: [2, 3, 5].map(step) });
  wire.hear('changed', { revision: 4, history: { ...none, done: 2, keep: [2, 5], entries: [] } });
  assert.deepEqual(known(), [2, 3, 5]);
  assert.equal(store.state?.history.done, 2);
});

test('any number of changes is told once a frame', () => {
  let reported = 0;
  nextFrame();
  store.addEventListener('state', () => (reported += 1));
  for (let revision = 2; revision < 50; ++revision) wire.hear('changed', { revision, windows: [win(1)] });
  assert.equal(reported, 0);
  nextFrame();
  nextFrame();
  assert.equal(reported, 1);
});

test('while dragging at most one place is sent a frame, the newest', () => {
  store.hold([1]);
  for (let x = 1; x <= 5; ++x) store.placeLive(new Map([[1, [x, 0, 100, 50]]]), { gesture: 'g' });
  assert.equal(wire.notified.length, 0);
  nextFrame();
  assert.deepEqual(wire.notified, [{ method: 'place', params: { windows: [{ window: 1, rect: [5, 0, 100, 50] }], gesture: 'g' } }]);
});

test('behind a slow link places of a gesture are left out', () => {
  wire.unsent = 1e6;
  store.placeLive(new Map([[1, [5, 0, 100, 50]]]), { gesture: 'g' });
  nextFrame();
  assert.equal(wire.notified.length, 0);
});

test('the manager’s older places do not pull back what is being dragged', async () => {
  store.hold([1]);
  store.placeLive(new Map([[1, [50, 0, 100, 50]]]), { gesture: 'g' });
  wire.hear('changed', { revision: 2, windows: [win(1, [50, 0, 100, 50])] });
  wire.hear('changed', { revision: 3, windows: [win(1, [20, 0, 100, 50])] });
  assert.deepEqual(store.rectOf(1), [50, 0, 100, 50]);
  store.release();
  await store.place(new Map([[1, [60, 0, 100, 50]]]), { gesture: 'g' });
  wire.hear('changed', { revision: 4, windows: [win(1, [60, 0, 100, 50])] });
  wire.hear('changed', { revision: 5, windows: [win(1, [70, 0, 100, 50])] }); // changed by another client
  assert.deepEqual(store.rectOf(1), [70, 0, 100, 50]);
});

test('a place that the manager refuses is taken back, and said', async () => {
  const said = /** @type {string[]} */ ([]);
  store.addEventListener('message', (event) => said.push(/** @type {CustomEvent} */ (event).detail.text));
  wire.refuses = new Error('window 1 is locked');
  assert.equal(await store.place(new Map([[1, [60, 0, 100, 50]]])), false);
  assert.deepEqual(store.rectOf(1), [0, 0, 100, 50]);
  assert.deepEqual(said, ['window 1 is locked']);
});

test('the topmost window is under a point, unless it is locked', () => {
  wire.hear('changed', { revision: 2, windows: [{ ...win(3), locked: true }] });
  assert.equal(store.windowUnder([10, 10]), 0);
  assert.equal(store.windowUnder([10, 10], 3), 2);
  assert.equal(store.windowUnder([100, 10], 3), 0, 'outside');
});

test('a closed window leaves the selection', () => {
  store.select([1, 2]);
  wire.hear('changed', { revision: 2, removed: [1] });
  assert.deepEqual([...store.selection], [2]);
});

test('strokes are kept, added and removed as the manager says', async () => {
  const stroke = (/** @type {number} */ x) => ({ points: [x, 0, x, 9], width: 1, colour: '#ff0000', opacity: 100 });
  const drawn = (/** @type {number} */ window) => store.drawings.get(window)?.map(({ points }) => points[0]);
  let reported = 0;
  nextFrame();
  store.addEventListener('drawings', () => (reported += 1));
  wire.hear('drawings', { drawings: [{ keep: 0, strokes: [stroke(1)] }, { window: 2, keep: 0, strokes: [stroke(2), stroke(3), stroke(4)] }] });
  wire.hear('drawings', { drawings: [{ window: 2, keep: 1, strokes: [stroke(5)] }] });
  nextFrame();
  assert.deepEqual([drawn(0), drawn(2), reported], [[1], [2, 5], 1]);
  wire.hear('changed', { revision: 2, windows: [{ ...win(2), hidden: true }] });
  assert.deepEqual(drawn(2), [2, 5], 'a hidden window may return');
  wire.hear('changed', { revision: 3, removed: [2] });
  assert.equal(drawn(2), undefined);
  wire.hear('changed', { revision: 9 }); // the state is asked for again, and the strokes come after it
  await settled();
  assert.equal(store.drawings.size, 0);
});

test('hidden windows are left out until they are shown', () => {
  wire.hear('changed', { revision: 2, windows: [{ ...win(1), hidden: true }, { ...win(3), hidden: true }] });
  assert.deepEqual(store.state?.order, [2]);
  assert.equal(store.window(1), undefined);
  wire.hear('changed', { revision: 3, windows: [win(1)], order: [1, 2, 3] });
  assert.deepEqual(store.state?.order, [1, 2]);
});

test('wallpapers and logos are not among the windows', async () => {
  const back = { ...win(3), decoration: { kind: 'wallpaper' } };
  wire.snapshot = state(1, [back, win(1)]);
  wire.dispatchEvent(new Event('open'));
  await settled();
  const kept = () => [store.state?.order, [...(store.state?.decorations.keys() ?? [])]];
  assert.deepEqual(kept(), [[1], [3]]);
  wire.hear('changed', { revision: 2, windows: [{ ...win(4), decoration: { kind: 'logo' } }], order: [3, 1, 4] });
  assert.deepEqual(kept(), [[1], [3, 4]]);
  assert.deepEqual(store.rectOf(4), [0, 0, 100, 50]);
  store.select([3, 1]);
  assert.deepEqual([...store.selection], [1]);
  wire.hear('changed', { revision: 3, removed: [3], windows: [{ ...back, window: 4, hidden: true }] });
  assert.deepEqual(kept(), [[1], []]);
});
