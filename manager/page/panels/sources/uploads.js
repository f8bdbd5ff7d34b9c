// Uploads from this computer: files dropped onto the wall or a panel, or chosen. Each shows its progress and is played when complete.

import { element } from '../../dom.js';
import { iconButton } from '../../icons.js';
import { reaches } from '../../rights.js';
import { t } from '../../texts.js';
import { fileSize } from '../times.js';
import { Upload } from './upload.js';

/** @import { Identity } from '../../identity.js' */
/** @import { Store } from '../../store.js' */
/** @import * as T from '../../types.js' */

const kAtOnce = 2;
const kMostWaiting = 100;

/** Events: `added` with detail {upload, place: a promise of its rectangle on the wall, or of undefined}; `done` when a file has become a source. */
export class Uploads extends EventTarget {
  /** The list of unfinished uploads. */
  list = element('ul', { class: 'uploads', 'aria-label': t('upload.list') });
  /** The page is leaving on purpose: do not ask for confirmation. */
  leaving = false;
  #store;
  #identity;
  /** `play`: placement parameters for the `play` request. @type {{upload: Upload, play: Promise<object>}[]} */
  #waiting = [];
  /** @type {Set<Upload>} */
  #running = new Set();

  /** @param {Store} store @param {Identity} identity */
  constructor(store, identity) {
    super();
    this.#store = store;
    this.#identity = identity;
    addEventListener('beforeunload', (event) => this.unfinished > 0 && !this.leaving && event.preventDefault());
  }

  /** @param {Iterable<File>} files @param {T.Point | null} at where to show them, wall pixels; null: the manager chooses */
  add(files, at) {
    if (!reaches(this.#store.right, 'presenter')) return this.#store.say(t('role.about.viewer'));
    const all = [...files];
    const taken = all.slice(0, kMostWaiting - this.#waiting.length);
    if (taken.length < all.length) this.#store.say(t('upload.tooMany', { count: kMostWaiting }), 'error');
    // Files added together get places side by side now; a single one from a list gets its place when the upload is complete.
    const places = at || taken.length > 1 ? this.#store.drops.take(at, taken.map(() => undefined)).catch(() => []) : Promise.resolve([]);
    for (const [i, file] of taken.entries()) {
      const upload = new Upload(file, (method, url) => this.#identity.credentials(method, url));
      this.list.append(entry(upload));
      this.#waiting.push({ upload, play: places.then((found) => found[i]?.play ?? {}) });
      this.dispatchEvent(new CustomEvent('added', { detail: { upload, place: places.then((found) => found[i]?.rect) } }));
    }
    this.#next();
  }

  /** Number of unfinished uploads. */
  get unfinished() {
    return this.#running.size + this.#waiting.filter(({ upload }) => upload.phase === 'waiting').length;
  }

  /** Accepts files dropped on this element. @param {HTMLElement} target @param {(event: DragEvent) => T.Point | null} place */
  acceptDrops(target, place) {
    target.addEventListener('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      target.classList.add('takes-files');
      const at = place(event);
      if (at) this.#store.drops.show(at, [...event.dataTransfer.items].filter(({ kind }) => kind === 'file').map(() => undefined));
    });
    target.addEventListener('dragleave', (event) => {
      if (target.contains(/** @type {Node | null} */ (event.relatedTarget))) return;
      target.classList.remove('takes-files');
      this.#store.drops.hide();
    });
    target.addEventListener('drop', (event) => {
      target.classList.remove('takes-files');
      this.#store.drops.hide();
      const files = event.dataTransfer?.files;
      if (!files?.length) return;
      event.preventDefault();
      this.add(files, place(event));
    });
  }

  #next() {
    while (this.#running.size < kAtOnce) {
      const next = this.#waiting.shift();
      if (!next) return;
      if (next.upload.phase !== 'waiting') continue;
      this.#running.add(next.upload);
      void this.#send(next.upload, next.play).finally(() => {
        this.#running.delete(next.upload);
        this.#next();
      });
    }
  }

  /** @param {Upload} upload @param {Promise<object>} play */
  async #send(upload, play) {
    await upload.run();
    if (upload.phase === 'failed') this.#store.say(t('upload.failed', { name: upload.name, why: upload.reason }), 'error');
    if (upload.phase !== 'done') return;
    this.dispatchEvent(new Event('done'));
    await this.#store.act('play', { source: upload.source, ...(await play) }, t('said.playing', { title: upload.name }));
  }
}

/** @param {Upload} upload */
function entry(upload) {
  const bar = element('progress', { max: Math.max(1, upload.size), value: 0, 'aria-label': upload.name });
  const words = element('span', { class: 'soft' });
  const stop = iconButton('close', t('upload.cancel', { name: upload.name }));
  const node = element('li', {}, element('span', { class: 'title' }, upload.name), stop, bar, words);
  const remove = () => node.remove();
  stop.addEventListener('click', () => {
    if (upload.phase === 'failed') remove();
    else void upload.cancel();
  });
  const show = () => {
    bar.value = upload.sent;
    node.dataset.phase = upload.phase;
    words.textContent = describe(upload);
    if (upload.phase === 'failed') stop.setAttribute('aria-label', t('upload.dismiss', { name: upload.name }));
    if (upload.phase === 'done' || upload.phase === 'cancelled') remove();
  };
  upload.addEventListener('change', show);
  show();
  return node;
}

/** @param {Upload} upload */
function describe(upload) {
  const progress = t('upload.progress', { sent: fileSize(upload.sent), size: fileSize(upload.size) });
  switch (upload.phase) {
    case 'waiting': return t('upload.waiting');
    case 'lost': return t('upload.lost', { progress, why: upload.reason || t('upload.lostWhy') });
    case 'failed': return upload.reason;
    default: return progress;
  }
}
