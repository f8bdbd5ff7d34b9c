// An HTTP proxy in front of a wall's page, like one configured without WebSockets: it forwards requests, but upgrades only
// when the test says so.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';

export class Proxy {
  passesUpgrades = false;
  #server;

  /** @param {URL} to */
  constructor(to) {
    this.#server = createServer((asked, answer) => {
      const { method, url, headers } = asked;
      asked.pipe(request(new URL(url ?? '/', to), { method, headers }, (reported) => {
        answer.writeHead(reported.statusCode ?? 502, reported.headers);
        reported.pipe(answer);
      }).on('error', () => answer.destroy()));
    });
    this.#server.on('upgrade', ({ method, url, rawHeaders }, near, first) => {
      if (!this.passesUpgrades) return near.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
      const far = connect(Number(to.port), to.hostname);
      const lines = rawHeaders.map((word, i) => (i % 2 === 0 ? `${word}: ` : `${word}\r\n`));
      far.write(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n`);
      far.write(first);
      return near.on('error', () => far.destroy()).pipe(far).on('error', () => near.destroy()).pipe(near);
    });
  }

  /** @param {string} to the page's URL */
  static async start(to) {
    const proxy = new Proxy(new URL(to));
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get url() {
    const { port } = /** @type {import('node:net').AddressInfo} */ (this.#server.address());
    return `http://127.0.0.1:${port}/`;
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
