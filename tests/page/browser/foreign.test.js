// Pages of other sites in a browser that can reach the wall: none of their requests has an effect.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';

import { fixture } from '../support/fixture.js';
import { waitFor } from '../support/patience.js';

const made = fixture();
// A foreign site with an origin of its own.
const site = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end('<!doctype html><title>evil</title>'));
before(async () => {
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
});
after(() => site.close());

const siteUrl = () => `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (site.address()).port}/`;
const control = () => `${made.wall.env.VITRAIL_MANAGER}`;

// Messages with which a real client would turn on the overlay.
const kCommands = [{ id: 1, method: 'hello', params: { role: 'ui', protocol: 3 } }, { id: 2, method: 'overlay', params: { on: true } }]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');

const obeyed = async () => (await made.wall.state()).overlay;

test('a form whose text is commands', async () => {
  made.expected = /./; // the browser's errors about answers that are not HTTP
  const page = await made.browser.open(siteUrl());
  made.pages.push(page);
  const asked = page.waitForEvent('requestfailed', (request) => request.url().includes(control()));
  await page.evaluate(([url, text]) => {
    const form = Object.assign(document.createElement('form'), { action: url, method: 'post', enctype: 'text/plain' });
    form.append(Object.assign(document.createElement('textarea'), { name: 'x', value: `\n${text}` }));
    document.body.append(form);
    form.submit();
  }, [`http://${control()}/`, kCommands]);
  await asked;
  await waitFor(() => made.wall.manager?.output().includes('was refused: this port accepts JSON-RPC only'), 'it reached the manager');
  assert.equal(await obeyed(), false);
});

test('requests that want no leave', async () => {
  made.expected = /./;
  const page = await made.browser.open(siteUrl());
  made.pages.push(page);
  const failures = await page.evaluate(async ([url, text]) => {
    const bodies = [text, new Blob([text]), new URLSearchParams({ [text]: text })];
    const asked = await Promise.allSettled([...bodies.map((body) => fetch(url, { method: 'POST', mode: 'no-cors', body })),
      fetch(`${url}${encodeURIComponent(text)}`, { mode: 'no-cors' })]);
    navigator.sendBeacon(url, text);
    return asked.filter(({ status }) => status === 'rejected').length;
  }, [`http://${control()}/`, kCommands]);
  assert.equal(failures, 4);
  assert.equal(await obeyed(), false);
});

test('a WebSocket', async () => {
  made.expected = /./;
  const page = await made.browser.open(siteUrl());
  made.pages.push(page);
  const opened = await page.evaluate((url) => new Promise((resolve) => {
    const socket = new WebSocket(url, 'vitrail');
    socket.onopen = () => resolve(true);
    socket.onerror = () => resolve(false);
  }), `${made.wall.url.replace('http', 'ws')}control`);
  assert.equal(opened, false);
});

test('the same lines by themselves are obeyed', async () => {
  const [host, port] = control().split(':');
  const socket = connect(Number(port), host);
  socket.write(kCommands);
  await waitFor(obeyed, 'the figures are shown');
  socket.destroy();
});
