// WHIP: a browser sends video and a tone to vitrail-whip by WebRTC, as OBS does, and the wall shows it.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { fixture } from '../support/fixture.js';
import { Loudspeakers } from '../support/loudspeakers.js';
import { waitFor } from '../support/patience.js';
import { kBin } from '../support/programs.js';
import { seen } from '../support/shown.js';

/** @typedef {import('playwright-core').Page} Page */

// Colours that a wrong matrix or range would change.
const kRed = [208, 32, 32];
const kBlue = [32, 64, 192];
const kToken = '0123456789abcdef';
const kMissing = existsSync(path.join(kBin, 'vitrail-whip')) ? false : 'vitrail-whip was not built';

const loudspeakers = new Loudspeakers();
const made = fixture({
  grid: { columns: 1, rows: 1, resolution: [640, 480] },
  ...loudspeakers.options,
  browserFlags: ['--allow-loopback-in-peer-connection', '--disable-features=WebRtcHideLocalIpsWithMdns', '--autoplay-policy=no-user-gesture-required'],
});

const windows = async () => (await made.wall.state()).windows;

async function startWhip() {
  const program = made.wall.start('vitrail-whip', '--listen', '127.0.0.1:0', '--title', 'Studio');
  const address = await waitFor(() => {
    if (!program.running) throw new Error(program.output());
    return /address: (\S+)\ntoken: {3}(\S+)/.exec(program.output());
  }, 'it says where it listens');
  return { program, address: address[1], token: address[2] };
}

/** @param {string} address @param {string} token @param {string} body @param {Record<string, string>} [more] */
const post = (address, token, body, more = {}) => fetch(address, {
  method: 'POST', body, headers: { 'Content-Type': 'application/sdp', Authorization: `Bearer ${token}`, ...more },
});

/**
 * Does what OBS does: offers video of one codec and sound, with all addresses in the offer.
 * @param {Page} page @param {string} coding
 */
function offer(page, coding) {
  return page.evaluate(async (mimeType) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 240 });
    const drawing = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    setInterval(() => {
      drawing.fillStyle = '#d02020';
      drawing.fillRect(0, 0, 160, 240);
      drawing.fillStyle = '#2040c0';
      drawing.fillRect(160, 0, 160, 240);
    }, 40);
    const sound = new AudioContext();
    const to = sound.createMediaStreamDestination();
    const tone = sound.createOscillator();
    const half = new GainNode(sound, { gain: 0.5 });
    tone.connect(half).connect(to);
    tone.start();
    const connection = new RTCPeerConnection();
    Object.assign(globalThis, { connection });
    const video = connection.addTransceiver(canvas.captureStream(25).getVideoTracks()[0], { direction: 'sendonly' });
    const { codecs } = /** @type {RTCRtpCapabilities} */ (RTCRtpSender.getCapabilities('video'));
    video.setCodecPreferences(codecs.filter((one) => one.mimeType === mimeType));
    connection.addTransceiver(to.stream.getAudioTracks()[0], { direction: 'sendonly' });
    await connection.setLocalDescription();
    if (connection.iceGatheringState !== 'complete') {
      await new Promise((resolve) => {
        connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && resolve(undefined);
      });
    }
    return /** @type {RTCSessionDescription} */ (connection.localDescription).sdp;
  }, coding);
}

/** @param {Page} page @param {string} sdp */
const accept = (page, sdp) => page.evaluate((answer) => /** @type {any} */ (globalThis).connection.setRemoteDescription({ type: 'answer', sdp: answer }), sdp);

for (const coding of ['video/VP8', 'video/VP9', 'video/H264']) {
  test(`${coding} is on the wall until who sends it leaves`, { skip: kMissing }, async () => {
    const { program, address, token } = await startWhip();
    const page = await made.open();
    const answer = await post(address, token, await offer(page, coding));
    assert.equal(answer.status, 201, await answer.clone().text());
    assert.equal(answer.headers.get('content-type'), 'application/sdp');
    const resource = new URL(answer.headers.get('location') ?? '', address);
    await accept(page, await answer.text());
    await seen(made.wall, 0.25, 0.5, kRed);
    await seen(made.wall, 0.75, 0.5, kBlue);
    await waitFor(() => Math.abs(Math.max(...loudspeakers.heard()) - 0.5) < 0.1, 'the tone is heard');
    const [window] = await windows();
    assert.equal(window.title, 'Studio');
    assert.deepEqual(window.frame_size, [320, 240]);

    assert.equal((await post(address, token, 'v=0')).status, 409, 'one sends at a time');
    assert.equal((await fetch(resource, { method: 'DELETE' })).status, 401, 'others cannot end it');
    assert.equal((await fetch(resource, { method: 'DELETE', headers: { Authorization: `Bearer ${token}` } })).status, 200);
    await waitFor(async () => (await windows()).length === 0, 'its window closes');
    await program.ended;
  });
}

test('who is closed without a word is missed', { skip: kMissing }, async () => {
  const { program, address, token } = await startWhip();
  const page = await made.open();
  const answer = await post(address, token, await offer(page, 'video/VP8'));
  await accept(page, await answer.text());
  await seen(made.wall, 0.25, 0.5, kRed);
  await page.close();
  await waitFor(async () => (await windows()).length === 0, 'its window closes');
  await program.ended;
});

test('what is no offer, and who has no token, is refused', { skip: kMissing }, async () => {
  const { program, address, token } = await startWhip();
  const status = async (/** @type {Promise<Response>} */ answer) => (await answer).status;
  assert.equal(await status(post(address, kToken, 'v=0')), 401);
  assert.equal(await status(fetch(address, { method: 'POST', body: 'v=0' })), 401);
  assert.equal(await status(post(address, token, 'v=0', { 'Content-Type': 'text/plain' })), 415);
  assert.equal(await status(post(address, token, 'x'.repeat(100_000))), 413);
  assert.equal(await status(fetch(address, { headers: { Authorization: `Bearer ${token}` } })), 405);
  assert.equal(await status(fetch(`${address}/0`, { method: 'DELETE', headers: { Authorization: `Bearer ${token}` } })), 404);
  for (const wrong of ['', 'nonsense', 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=rtpmap:111 opus/48000/2\r\n']) {
    assert.equal(await status(post(address, token, wrong)), 400, wrong);
  }
  const before = performance.now();
  for (let guess = 0; guess < 8; ++guess) assert.equal(await status(post(address, `guess ${guess}`, 'v=0')), 401);
  assert.ok(performance.now() - before > 600, 'the more wrong tokens, the later the answer');
  const open = made.wall.start('vitrail-whip', '--listen', '0.0.0.0:0');
  await open.ended;
  assert.match(open.output(), /token would be sent unencrypted/, 'without TLS for this machine alone');
  // A request with the right token still succeeds.
  const page = await made.open();
  const answer = await post(address, token, await offer(page, 'video/VP8'));
  assert.equal(answer.status, 201);
  await accept(page, await answer.text());
  await seen(made.wall, 0.25, 0.5, kRed);
  await program.end();
});
