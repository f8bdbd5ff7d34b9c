// A client of the control protocol for tests: checks effects of the page without the page.
import { connect } from 'node:net';
import { once } from 'node:events';

import { newNonce, proof } from '../../../manager/page/proof.js';

/** @typedef {{ id?: number, method?: string, params?: any, result?: any, error?: { code: number, message: string, data: { name: string } } }} Message */

export class Control {
  #nextId = 0;
  /** @type {Map<number, (answer: Message) => void>} */
  #waiting = new Map();
  #rest = '';

  /** @param {import('node:net').Socket} socket */
  constructor(socket) {
    this.socket = socket;
    /** All notifications so far. @type {Message[]} */
    this.notifications = [];
    socket.setEncoding('utf8');
    socket.on('data', (text) => this.#read(String(text)));
    socket.on('error', () => {});
    socket.on('close', () => {
      const waiting = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const answer of waiting) answer({ error: { code: 0, message: 'the connection closed', data: { name: 'closed' } } });
    });
  }

  /**
   * @param {number} port
   * @param {{ key?: string, name?: string }} [who]
   */
  static async open(port, { key = '', name = 'test' } = {}) {
    const socket = connect({ host: '127.0.0.1', port });
    await once(socket, 'connect');
    const control = new Control(socket);
    await control.call('hello', { role: 'ui', protocol: 3, name, ...(await control.#proved(key)) });
    return control;
  }

  /** The hello parameters that prove the wall's own key; empty if it is "". @param {string} key */
  async #proved(key) {
    if (!key) return {};
    const mine = newNonce();
    const { nonce } = await this.call('challenge', { nonce: mine });
    return { proof: proof(key, 'vitrail peer', '', mine, nonce, 'ui') };
  }

  /** @param {string} text */
  #read(text) {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = /** @type {Message} */ (JSON.parse(line));
      if (message.method === 'ping' && message.id !== undefined) this.#send({ id: message.id, result: {} });
      else if (message.method) this.notifications.push(message);
      else if (message.id !== undefined) {
        const answer = this.#waiting.get(message.id);
        this.#waiting.delete(message.id);
        answer?.(message);
      }
    }
  }

  /** @param {object} message */
  #send(message) {
    this.socket.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
  }

  /**
   * Sends a request and returns the answer, which is a result or an error.
   * @param {string} method
   * @param {object} [params]
   * @returns {Promise<Message>}
   */
  ask(method, params = {}) {
    const id = ++this.#nextId;
    return new Promise((resolve) => {
      if (this.socket.destroyed) return resolve({ error: { code: 0, message: 'not connected', data: { name: 'closed' } } });
      this.#waiting.set(id, resolve);
      this.#send({ id, method, params });
    });
  }

  /**
   * Sends a request and returns its result; throws the manager's error.
   * @param {string} method
   * @param {object} [params]
   * @returns {Promise<any>}
   */
  async call(method, params = {}) {
    const { result, error } = await this.ask(method, params);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  close() {
    this.socket.destroy();
  }
}
