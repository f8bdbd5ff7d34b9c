// The connection to the manager: JSON-RPC over one WebSocket, which reconnects when it is lost.

import { newNonce, proof } from './proof.js';
import { t } from './texts.js';

const kCallTimeoutMs = 60000; // pings detect a dead connection earlier
const kPlayTimeoutMs = 3600000; // `play` is answered only when the player ends
const kPingEveryMs = 5000;
const kFirstPauseMs = 250;
const kLongestPauseMs = 8000;

/** The manager's error reply, or a missing reply. `code` is the stable error name of manager/COMMANDS.md. */
export class CallError extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * connecting: a socket is being opened · open: hello succeeded · waiting: lost, reconnects at retryAt ·
 * refused: hello failed, and the person has to act
 * @typedef {'connecting' | 'open' | 'waiting' | 'refused'} Phase
 */

/**
 * colour: "#rrggbb" or "" · proved: the key (proof.js) · stretchedFor: derives the key of a password (password.js) ·
 * beginSession: receives the secret with which HTTP requests authenticate
 * @typedef {{name: string, colour: string, proved: {name: string, secret: string}, stretchedFor: (salt: string) => Promise<string>, beginSession: (client: number, secret: string) => void}} Identity
 */
/** @typedef {{wall: string, version: string, client: number, right?: import('./rights.js').Right, user?: string, colour: string, page: string, pages?: string[], standby_page?: string, walls?: {name: string, page: string}[], proof?: string}} Welcome */

/**
 * Events: `phase` on every change of phase; `open` after hello succeeded; `notification` with detail {method, params}.
 */
export class Connection extends EventTarget {
  /** @type {Phase} */
  phase = 'connecting';
  /** Why the phase is waiting or refused; a sentence or "". */
  reason = '';
  /** HTTP works but the WebSocket does not: a proxy probably blocks it. */
  proxy = false;
  /** The stable name of the error that refused hello, or "". */
  refusal = '';
  /** performance.now() of the next reconnect while waiting. */
  retryAt = 0;
  /** @type {Welcome | null} */
  welcome = null;

  #url;
  #identity;
  /** @type {WebSocket | null} */
  #socket = null;
  #nextId = 1;
  /** @type {Map<number, {resolve: (result: any) => void, reject: (error: CallError) => void, timer: number}>} */
  #calls = new Map();
  #pauseMs = kFirstPauseMs;
  #retryTimer = 0;
  #pingTimer = 0;

  /** @param {string} url of the WebSocket @param {() => Identity} identity called at every hello */
  constructor(url, identity) {
    super();
    this.#url = url;
    this.#identity = identity;
  }

  /** Connects now; an open connection is closed first. */
  connect() {
    clearTimeout(this.#retryTimer);
    this.#drop(t('connection.restarted'));
    this.#setPhase('connecting', '');
    const socket = new WebSocket(this.#url, ['vitrail']);
    this.#socket = socket;
    let opened = false;
    socket.onopen = () => {
      opened = true;
      this.proxy = false;
      void this.#hello();
    };
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = (event) => {
      if (this.#socket !== socket) return;
      this.#lost(event.reason);
      if (!opened) void this.#askProxy();
    };
  }

  /** If HTTP works while the WebSocket fails, a proxy probably blocks WebSockets. */
  async #askProxy() {
    const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
    if (!answer?.ok || this.phase !== 'waiting') return;
    this.proxy = true;
    this.#setPhase('waiting', this.reason);
  }

  /**
   * Sends a request. Rejects with a CallError: the manager's error, `timeout` or `disconnected`.
   * @param {string} method @param {object} [params] @param {number} [timeoutMs]
   * @returns {Promise<any>}
   */
  call(method, params = {}, timeoutMs = method === 'play' ? kPlayTimeoutMs : kCallTimeoutMs) {
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      return Promise.reject(new CallError('disconnected', t('connection.none')));
    }
    const id = this.#nextId++;
    this.#send({ jsonrpc: '2.0', id, method, params });
    return new Promise((resolve, reject) => {
      const timer = window.setTimeout(() => {
        this.#calls.delete(id);
        reject(new CallError('timeout', t('error.timeout')));
      }, timeoutMs);
      this.#calls.set(id, { resolve, reject, timer });
    });
  }

  /**
   * Sends a notification; does nothing while disconnected.
   * @param {string} method @param {object} params
   */
  notify(method, params) {
    if (this.phase === 'open') this.#send({ jsonrpc: '2.0', method, params });
  }

  /** The name of the key or of the proxy's user with which this page signed in; "" if there is none. */
  get keyName() {
    return this.welcome?.user ? `user/${this.welcome.user}` : this.#identity().proved.name;
  }

  /** Whether hello was refused because of the name or the key, so that another one may succeed. */
  get needsSignIn() {
    return this.phase === 'refused' && ['unauthorized', 'conflict'].includes(this.refusal);
  }

  /** Bytes in the socket's send buffer. */
  get unsent() {
    return this.#socket?.bufferedAmount ?? 0;
  }

  async #hello() {
    const socket = this.#socket;
    const identity = this.#identity();
    const { name, colour } = identity;
    try {
      const proved = await this.#challenge(identity);
      if (socket !== this.#socket) return;
      const params = { role: 'ui', protocol: 3, name, ...proved.hello, ...(colour ? { colour } : {}) };
      const welcome = await this.call('hello', params);
      if (socket !== this.#socket) return;
      if (proved.listener && welcome.proof !== proved.listener) throw new CallError('unauthorized', t('connection.wrongPassword'));
      // A proxy's user proves nothing from which a session secret could be derived, so the manager sends one.
      identity.beginSession(welcome.client, proved.session || (welcome.session ?? ''));
      this.welcome = welcome;
      this.#pauseMs = kFirstPauseMs;
      this.#pingTimer = window.setInterval(() => void this.#ping(), kPingEveryMs);
      this.#setPhase('open', '');
      this.dispatchEvent(new Event('open'));
    } catch (error) {
      if (socket !== this.#socket || !(error instanceof CallError) || error.code === 'disconnected') return;
      this.#drop(error.message);
      this.refusal = error.code;
      this.#setPhase('refused', error.message);
    }
  }

  /**
   * Authenticates both sides. The manager proves a key before this page does, and a password in its welcome, so an impostor learns nothing.
   * @param {Identity} identity
   * @returns {Promise<{hello: object, session: string, listener?: string}>}
   */
  async #challenge(identity) {
    const { name, secret } = identity.proved;
    const key = name ? { key: name } : {};
    if (!secret) return { hello: key, session: '' };
    const nonce = newNonce();
    const theirs = await this.call('challenge', { ...key, nonce });
    const words = [name, nonce, theirs.nonce];
    if (theirs.salt) {
      const { personProof } = await import('./password.js');
      const person = personProof(await identity.stretchedFor(theirs.salt), words);
      return { hello: { ...key, proof: person.ofPeer }, session: person.session, listener: person.ofListener };
    }
    if (theirs.proof !== proof(secret, 'vitrail listener', ...words)) {
      throw new CallError('unauthorized', t('connection.wrongKey'));
    }
    return { hello: { ...key, proof: proof(secret, 'vitrail peer', ...words, 'ui') }, session: proof(secret, 'vitrail session', ...words) };
  }

  /** Detects a connection that died without being closed. */
  async #ping() {
    const socket = this.#socket;
    try {
      await this.call('ping', {}, kPingEveryMs);
    } catch (error) {
      const silent = error instanceof CallError && error.code === 'timeout';
      if (silent && socket && socket === this.#socket) this.#lost(t('connection.silent'));
    }
  }

  /** @param {object} message */
  #send(message) {
    this.#socket?.send(JSON.stringify(message));
  }

  /** @param {any} data */
  #receive(data) {
    if (typeof data !== 'string') return;
    const message = JSON.parse(data);
    if (message.method !== undefined) {
      if (message.id !== undefined && message.method === 'ping') this.#send({ jsonrpc: '2.0', id: message.id, result: {} });
      const detail = { method: message.method, params: message.params ?? {} };
      this.dispatchEvent(new CustomEvent('notification', { detail }));
      return;
    }
    const call = this.#calls.get(message.id);
    if (!call) return;
    this.#calls.delete(message.id);
    clearTimeout(call.timer);
    if (message.error) call.reject(new CallError(message.error.data?.name ?? 'internal', message.error.message));
    else call.resolve(message.result);
  }

  /** @param {string} reason */
  #lost(reason) {
    this.#drop(t('connection.lost'));
    if (this.phase === 'refused') return;
    this.retryAt = performance.now() + this.#pauseMs;
    this.#retryTimer = window.setTimeout(() => this.connect(), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, kLongestPauseMs);
    this.#setPhase('waiting', reason);
  }

  /** Closes the socket and rejects all pending calls. @param {string} reason */
  #drop(reason) {
    clearInterval(this.#pingTimer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    for (const call of this.#calls.values()) {
      clearTimeout(call.timer);
      call.reject(new CallError('disconnected', reason));
    }
    this.#calls.clear();
  }

  /** @param {Phase} phase @param {string} reason */
  #setPhase(phase, reason) {
    this.phase = phase;
    this.reason = reason;
    this.dispatchEvent(new Event('phase'));
  }
}
