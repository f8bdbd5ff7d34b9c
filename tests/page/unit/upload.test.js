import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, beforeEach, test } from 'node:test';

import { Upload } from '../../../manager/page/panels/sources/upload.js';
import { interruptedFiles } from '../../../manager/page/panels/sources/upload_places.js';

/** An upload server with configurable misbehaviour. */
class Uploads {
  /** @type {string[]} */
  requests = [];
  received = Buffer.alloc(0);
  length = 0;
  name = '';
  /** Number of connections to break after half of a PATCH. */
  breaks = 0;
  /** Number of final chunks to accept without an answer. */
  losses = 0;
  /** Number of POSTs to refuse for lack of a slot. */
  busy = 0;
  /** Status with which to answer the next POST. */
  refusal = 0;
  server = createServer((request, answer) => void this.#serve(request, answer));

  async listen() {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (this.server.address()).port}`;
  }

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} answer */
  async #serve(request, answer) {
    this.requests.push(`${request.method} ${request.url}`);
    const parts = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    if (request.method === 'POST') {
      if (this.busy-- > 0) return void answer.writeHead(429, { 'Retry-After': '5' }).end('As many files are coming as may.');
      if (this.refusal) return void answer.writeHead(this.refusal).end('The file is larger than this wall takes.');
      this.length = Number(request.headers['upload-length']);
      const [, encoded] = /^filename (\S+)$/.exec(String(request.headers['upload-metadata'])) ?? [];
      this.name = Buffer.from(encoded, 'base64').toString('utf8');
      return void answer.writeHead(201, { Location: '/uploads/1' }).end();
    }
    if (request.method === 'PATCH') {
      assert.equal(Number(request.headers['upload-offset']), this.received.length);
      if (this.breaks-- > 0) {
        this.received = Buffer.concat([this.received, body.subarray(0, body.length >> 1)]);
        return void answer.destroy();
      }
      this.received = Buffer.concat([this.received, body]);
      if (this.received.length === this.length && this.losses-- > 0) return void answer.destroy();
    }
    const done = this.received.length === this.length;
    answer.writeHead(request.method === 'DELETE' ? 204 : 200, { 'Upload-Offset': this.received.length, ...(done ? { 'Vitrail-Source': 'file:%C3%9Cber%25.mp4' } : {}) }).end();
  }
}

/** @type {Uploads} */
let uploads;
const realFetch = globalThis.fetch;

beforeEach(async () => {
  uploads = new Uploads();
  const base = await uploads.listen();
  globalThis.fetch = (path, options) => realFetch(base + path, options);
});

afterEach(async () => {
  globalThis.fetch = realFetch;
  uploads.server.close();
  uploads.server.closeAllConnections();
});

/** @param {number} size @param {string} [name] */
function file(size, name = 'a film.mp4') {
  const bytes = Buffer.alloc(size);
  for (let i = 0; i < size; i += 97) bytes[i] = i % 251;
  return { bytes, upload: new Upload(/** @type {any} */ (Object.assign(new Blob([bytes]), { name })), () => ({ Authorization: 'Bearer word' })) };
}

test('a file arrives whole, under its name', async () => {
  const { bytes, upload } = file(9 << 20, 'Überblick.mp4');
  await upload.run();
  assert.equal(upload.phase, 'done');
  assert.equal(upload.source, 'file:Über%.mp4');
  assert.equal(uploads.name, 'Überblick.mp4');
  assert.ok(uploads.received.equals(bytes));
  assert.equal(uploads.requests.filter((request) => request.startsWith('PATCH')).length, 3, 'in pieces');
});

test('a lost connection is taken up where it stopped', async () => {
  uploads.breaks = 1;
  const { bytes, upload } = file(3 << 20);
  /** @type {string[]} */
  const phases = [];
  upload.addEventListener('change', () => phases.push(upload.phase));
  await upload.run();
  assert.equal(upload.phase, 'done');
  assert.ok(phases.includes('lost'));
  assert.ok(uploads.requests.includes('HEAD /uploads/1'));
  assert.ok(uploads.received.equals(bytes));
});

test('a lost last answer is no failure', async () => {
  uploads.losses = 1;
  const { bytes, upload } = file(100);
  await upload.run();
  assert.equal(upload.phase, 'done');
  assert.equal(upload.source, 'file:Über%.mp4');
  assert.ok(uploads.received.equals(bytes));
  assert.deepEqual(uploads.requests, ['POST /uploads', 'PATCH /uploads/1', 'HEAD /uploads/1']);
});

test('a file waits until there is a place for it', async () => {
  uploads.busy = 2;
  const { bytes, upload } = file(100);
  await upload.run();
  assert.equal(upload.phase, 'done');
  assert.ok(uploads.received.equals(bytes));
  assert.equal(uploads.requests.filter((request) => request.startsWith('POST')).length, 3);
});

for (const [status, why] of /** @type {const} */ ([[413, 'too large'], [507, 'the disk is full']])) {
  test(`what the manager refuses is not tried again: ${why}`, { timeout: 10_000 }, async () => {
    uploads.refusal = status;
    const { upload } = file(10);
    await upload.run();
    assert.equal(upload.phase, 'failed');
    assert.match(upload.reason, /larger/);
    assert.deepEqual(uploads.requests, ['POST /uploads']);
  });
}

test('cancelling ends what the manager has of it', async () => {
  uploads.breaks = 1000;
  const { upload } = file(100);
  const lost = new Promise((resolve) => upload.addEventListener('change', () => upload.phase === 'lost' && resolve(undefined)));
  const running = upload.run();
  await lost;
  await upload.cancel();
  await running;
  assert.equal(upload.phase, 'cancelled');
  assert.equal(uploads.requests.at(-1), 'DELETE /uploads/1');
});

test('a page that is loaded again goes on with the file', async () => {
  /** @type {Map<string, string>} */
  const kept = new Map();
  const storage = { getItem: (/** @type {string} */ key) => kept.get(key) ?? null, setItem: (/** @type {string} */ key, /** @type {string} */ value) => void kept.set(key, value) };
  Object.assign(globalThis, { localStorage: storage });
  try {
    const file = new File([new Uint8Array(5 << 20)], 'film.mp4', { lastModified: 7 });
    const { fetch } = globalThis;
    const secondPiece = new Promise((begun) => {
      let pieces = 0;
      globalThis.fetch = (path, options) => {
        if (options?.method !== 'PATCH' || ++pieces < 2) return fetch(path, options);
        begun(undefined);
        return new Promise(() => {}); // the page is left before the answer
      };
    });
    void new Upload(file, () => ({})).run();
    await secondPiece;
    globalThis.fetch = fetch;
    assert.equal(uploads.received.length, 4 << 20);
    assert.deepEqual(interruptedFiles(), ['film.mp4']);
    const again = new Upload(file, () => ({}));
    await again.run();
    assert.equal(again.phase, 'done');
    assert.equal(uploads.requests.filter((request) => request.startsWith('POST')).length, 1);
    assert.deepEqual(interruptedFiles(), []);
  } finally {
    Reflect.deleteProperty(globalThis, 'localStorage');
  }
});

test('an upload that goes on is never given up, however often its connection breaks', async () => {
  const { setTimeout } = globalThis;
  const kLongestPauseMs = 8000;
  globalThis.setTimeout = /** @type {any} */ ((/** @type {() => void} */ run, /** @type {number} */ ms, /** @type {any[]} */ ...rest) => setTimeout(run, ms > kLongestPauseMs ? ms : 0, ...rest));
  try {
    uploads.breaks = 32;
    const { bytes, upload } = file(3 << 20);
    await upload.run();
    assert.equal(upload.phase, 'done');
    assert.ok(uploads.received.equals(bytes));
  } finally {
    globalThis.setTimeout = setTimeout;
  }
});
