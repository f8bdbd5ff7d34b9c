// Uploads one file to the manager: the subset of tus 1.0 in manager/COMMANDS.md. An interrupted upload resumes, even after
// the page was reloaded; the manager knows the offset.

import { problemText } from '../../problems.js';
import { t } from '../../texts.js';
import { forgetPlace, rememberPlace, rememberedPlace } from './upload_places.js';

const kChunkBytes = 4 << 20;
const kFirstPauseMs = 500;
const kLongestPauseMs = 8000;
const kMostTries = 30; // consecutive, without progress

/** @typedef {'waiting' | 'sending' | 'lost' | 'done' | 'failed' | 'cancelled'} UploadPhase */

/** The manager refused the upload; a retry is useless. */
class Refused extends Error {}

/** Events: `change` when the phase or the progress changes. */
export class Upload extends EventTarget {
  /** @type {UploadPhase} */
  phase = 'waiting';
  sent = 0;
  /** Why it failed or is interrupted; a sentence or "". */
  reason = '';
  /** The id of the resulting source, once done. */
  source = '';

  #file;
  #headers;
  #url = '';
  #stop = new AbortController();
  /** The URL was stored by an earlier page, so the manager may have forgotten the upload. */
  #remembered = false;

  /** @param {File} file @param {(method: string, url: string) => Record<string, string>} headers returns the authentication headers of a request */
  constructor(file, headers) {
    super();
    this.#file = file;
    this.#headers = headers;
  }

  get name() {
    return this.#file.name;
  }

  get size() {
    return this.#file.size;
  }

  /** Uploads the file. Resolves when the phase is done, failed or cancelled. */
  async run() {
    this.#set('sending');
    let pauseMs = kFirstPauseMs;
    let before = this.sent;
    for (let tries = 0; this.phase === 'sending' || this.phase === 'lost'; ) {
      try {
        await this.#step();
      } catch (error) {
        if (this.#stop.signal.aborted) break;
        if (this.sent > before) [tries, pauseMs] = [0, kFirstPauseMs];
        before = this.sent;
        const reason = problemText(error);
        if (error instanceof Refused || ++tries >= kMostTries) return this.#set('failed', reason);
        this.#set('lost', reason);
        await this.#pause(pauseMs);
        pauseMs = Math.min(2 * pauseMs, kLongestPauseMs);
      }
    }
  }

  /** Cancels the upload and deletes it at the manager. */
  async cancel() {
    if (this.phase === 'done' || this.phase === 'failed' || this.phase === 'cancelled') return;
    this.#stop.abort();
    this.#set('cancelled');
    if (!this.#url) return;
    // The manager removes unfinished uploads after a time, so a failure of this request does not matter.
    await fetch(this.#url, { method: 'DELETE', headers: this.#tus('DELETE', this.#url) }).catch(() => undefined);
  }

  /** Creates the upload, resumes it, or sends the next chunk. */
  async #step() {
    if (!this.#url) return this.#begin();
    if (this.phase === 'lost') return this.#resume();
    const chunk = this.#file.slice(this.sent, this.sent + kChunkBytes);
    const answer = await this.#ask(this.#url, 'PATCH', { 'Upload-Offset': String(this.sent), 'Content-Type': 'application/offset+octet-stream' }, chunk);
    this.#advance(answer);
  }

  /** @returns {Promise<void>} */
  async #begin() {
    this.#url = rememberedPlace(this.#file);
    if (this.#url) {
      this.#remembered = true;
      return this.#resume();
    }
    const name = btoa(String.fromCharCode(...new TextEncoder().encode(this.#file.name)));
    const answer = await this.#ask('/uploads', 'POST', { 'Upload-Length': String(this.size), 'Upload-Metadata': `filename ${name}` });
    const location = answer.headers.get('Location');
    if (!location) throw new Refused(t('upload.nowhere'));
    this.#url = location;
    rememberPlace(this.#file, location);
    if (this.phase === 'lost') this.#set('sending');
    if (this.size === 0) this.#advance(answer);
  }

  /** @returns {Promise<void>} */
  async #resume() {
    let answer;
    try {
      answer = await this.#ask(this.#url, 'HEAD', {});
    } catch (error) {
      if (!this.#remembered || !(error instanceof Refused)) throw error;
      this.#remembered = false;
      forgetPlace(this.#file);
      return this.#begin();
    }
    this.#set('sending');
    this.#advance(answer);
  }

  /** @param {Response} answer */
  #advance(answer) {
    const offset = Number(answer.headers.get('Upload-Offset') ?? this.size);
    this.sent = Math.min(offset, this.size);
    this.source = decodeURIComponent(answer.headers.get('Vitrail-Source') ?? '');
    if (this.source) this.#set('done');
    else if (this.sent >= this.size) throw new Refused(t('upload.unshowable'));
    else this.#set('sending');
  }

  /**
   * @param {string} url @param {string} method @param {Record<string, string>} headers @param {Blob} [body]
   * @returns {Promise<Response>}
   */
  async #ask(url, method, headers, body) {
    const answer = await fetch(url, { method, headers: { ...this.#tus(method, url), ...headers }, body, signal: this.#stop.signal });
    if (answer.ok) return answer;
    if (answer.status === 415 && method === 'POST') throw new Refused(t('upload.kind'));
    const words = (await answer.text()).trim() || t('upload.status', { status: answer.status, method });
    // Retry after 401 (the connection that authenticates us has changed), 409 (wrong offset), 423, 429 and 5xx; but not after 507 (disk full).
    if ([401, 409, 423, 429].includes(answer.status) || (answer.status >= 500 && answer.status !== 507)) throw new Error(words);
    throw new Refused(words);
  }

  /** @param {string} method @param {string} url */
  #tus(method, url) {
    return { 'Tus-Resumable': '1.0.0', ...this.#headers(method, url) };
  }

  /** @param {UploadPhase} phase @param {string} [reason] */
  #set(phase, reason = '') {
    this.phase = phase;
    this.reason = reason;
    if (['done', 'failed', 'cancelled'].includes(phase)) forgetPlace(this.#file);
    this.dispatchEvent(new Event('change'));
  }

  /** @param {number} pauseMs */
  #pause(pauseMs) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      this.#stop.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve(undefined);
      }, { once: true });
    });
  }
}
