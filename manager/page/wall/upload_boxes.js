// Uploads that will be shown on the wall, at their future places: name, progress, and a button that cancels.

import { element } from '../dom.js';
import { iconButton } from '../icons.js';
import { t } from '../texts.js';
import { toScreen } from './viewport.js';
import { putAt } from './wall_map.js';

/** @import { Upload } from '../panels/sources/upload.js' */
/** @import { Uploads } from '../panels/sources/uploads.js' */
/** @import { WallView } from './view.js' */
/** @import * as T from '../types.js' */

/** The smallest readable size, in CSS pixels. @type {T.Size} */
const kLeast = [200, 64];

export class UploadBoxes {
  #view;
  #layer = element('div', { class: 'layer upload-boxes' });
  /** @type {Map<HTMLElement, T.Rect>} */
  #boxes = new Map();
  #frame = 0;

  /** @param {Uploads} uploads @param {WallView} view */
  constructor(uploads, view) {
    this.#view = view;
    view.append(this.#layer);
    uploads.addEventListener('added', (event) => {
      const { upload, place } = /** @type {CustomEvent<{upload: Upload, place: Promise<T.Rect | undefined>}>} */ (event).detail;
      void place.then((rect) => rect && this.#add(upload, rect));
    });
  }

  /** @param {Upload} upload @param {T.Rect} place */
  #add(upload, place) {
    const bar = element('progress', { max: Math.max(1, upload.size), value: 0, 'aria-label': t('upload.onItsWay', { name: upload.name }) });
    const percent = element('span', { class: 'percent' });
    const box = element('div', { class: 'upload-box', 'data-file': upload.name }, element('span', { class: 'title' }, upload.name), percent,
      iconButton('close', t('upload.cancel', { name: upload.name }), () => void upload.cancel()), bar);
    const show = () => {
      bar.value = upload.sent;
      percent.textContent = upload.phase === 'waiting' ? t('upload.waiting') : t('percent', { percent: Math.floor((100 * upload.sent) / Math.max(1, upload.size)) });
      if (!['waiting', 'sending', 'lost'].includes(upload.phase)) this.#remove(box);
    };
    upload.addEventListener('change', show);
    this.#layer.append(box);
    this.#boxes.set(box, place);
    show();
    if (!this.#frame) this.#follow();
  }

  /** @param {HTMLElement} box */
  #remove(box) {
    box.remove();
    this.#boxes.delete(box);
  }

  /** Updates the boxes each frame while there are any, because the view may be zoomed or moved. */
  #follow() {
    this.#frame = this.#boxes.size > 0 ? requestAnimationFrame(() => this.#follow()) : 0;
    for (const [box, place] of this.#boxes) {
      const [x, y, width, height] = toScreen(this.#view.viewport, place);
      const [wide, high] = [Math.max(width, kLeast[0]), Math.max(height, kLeast[1])];
      putAt(box, [x + (width - wide) / 2, y + (height - high) / 2, wide, high]);
    }
  }
}
