// One window on the wall view: its thumbnail, title and metrics.

import { element } from '../dom.js';
import { icon } from '../icons.js';
import { doing, hasNoSignal, kindOf, missing } from '../kinds.js';
import { positionNow } from '../panels/playback.js';
import { decimal, t } from '../texts.js';
import { pictureTransform } from './look.js';
import { StrokeLayer } from './strokes.js';

/** @import * as T from '../types.js' */

const kSmallWidth = 96; // CSS pixels; narrower or lower boxes show less
const kSmallHeight = 56;
const kLostOpacity = 0.35; // the same as on the tiles

/** The text for screen readers after the window's visible text. @param {T.WallWindow} window @param {T.Rect} rect */
function spoken(window, rect) {
  const [x, y, width, height] = rect.map(Math.round);
  const states = [
    kindOf(window) !== 'document' && doing(window),
    window.muted && t('state.muted'),
    window.locked && t('state.locked'),
    window.maximised && t('state.maximised'),
    window.blank && t('state.blank'),
    window.frozen && t('state.frozen'),
    window.strokes && t('state.strokes', { count: window.strokes }),
    window.look?.rotate && t('state.turned', { degrees: window.look.rotate }),
    window.look?.flip && t('state.mirrored'),
    window.look?.opacity !== undefined && t('state.translucent', { percent: Math.round(window.look.opacity * 100) }),
    window.driver && t('state.driven', { name: window.driver.name }),
    window.partition && t('state.partition', { name: window.partition }),
  ];
  return [t('state.window', { number: window.window }), t('state.place', { x, y, width, height }), ...states].filter(Boolean).join(', ');
}

export class WindowBox {
  node;
  #thumbnail;
  #title = element('span', { class: 'title' });
  #badges = element('span', { class: 'badges' });
  #driver = element('span', { class: 'driver' });
  #doing = element('span', { class: 'rate' });
  #by = element('span', { class: 'by' });
  #progress = element('div', { class: 'progress', hidden: true });
  #shown = { x: NaN, y: NaN, width: NaN, height: NaN, z: NaN, badges: '', url: '', spoken: '', label: '', look: '' };
  /** Absent until something is drawn on the window. @type {StrokeLayer | undefined} */
  #strokes;
  /** @type {T.WallWindow | null} */
  #window = null;
  /** The window's size in the view, in CSS pixels. */
  width = 0;
  height = 0;
  /** Whether any part of the box is inside the view, as of the last layOut(). */
  visible = false;

  /** @param {number} number */
  constructor(number) {
    this.#thumbnail = /** @type {HTMLImageElement} */ (element('img', { class: 'thumbnail', alt: '', draggable: 'false', hidden: true }));
    // The spaces separate words in the text content.
    const bar = element('div', { class: 'bar' }, this.#title, ' ', this.#driver, this.#badges);
    const foot = element('div', { class: 'foot' }, this.#doing, ' ', this.#by);
    const attributes = { class: 'window', role: 'option', tabindex: -1, id: `window-${number}`, 'data-window': number };
    this.node = element('div', attributes, this.#thumbnail, bar, ' ', foot, this.#progress);
  }

  /** @param {T.WallWindow} window @param {T.Rect} rect @param {T.Person[]} people @param {number} [own] this page's client */
  describe(window, rect, people, own) {
    setText(this.#title, window.title);
    setText(this.#driver, window.driver?.name ?? '');
    this.#window = window;
    this.#thumbnail.style.opacity = String((window.look?.opacity ?? 1) * (window.lost || hasNoSignal(window) ? kLostOpacity : 1));
    this.node.classList.toggle('translucent', (window.look?.opacity ?? 1) < 1);
    this.#showLook();
    this.#shown.spoken = spoken(window, rect);
    this.node.classList.toggle('locked', window.locked === true);
    this.node.classList.toggle('blank', window.blank !== undefined);
    this.#showBadges(window);
    const held = window.held && window.held.client !== own ? window.held : undefined;
    const person = people.find((one) => (held ? one.client === held.client : one.name === window.by));
    this.#by.hidden = !window.by && !held;
    this.node.classList.toggle('held', held !== undefined);
    setText(this.#by, held ? t('window.held', { name: held.name }) : (window.by ?? ''));
    this.#by.style.setProperty('--colour', person?.colour ?? 'transparent');
    this.#label();
  }

  /**
   * Shows the values that change about once a second.
   * @param {T.WallWindow} window @param {T.WindowFigures | undefined} figures @param {boolean} showsRates whether to show codecs and rates
   * @param {number | null} wall_s
   */
  showFigures(window, figures, showsRates, wall_s) {
    this.node.dataset.health = missing(window) ? 'bad' : (figures?.health?.state ?? 'well');
    setText(this.#doing, textOf(window, figures, showsRates));
    this.#label();
    const { playback } = window;
    const long = playback !== undefined && playback.duration_s > 0;
    this.#progress.hidden = !long;
    if (long) this.#progress.style.transform = `scaleX(${positionNow(playback, wall_s) / playback.duration_s})`;
  }

  /** The accessible name begins with the visible text, so that people who use speech input can say it. */
  #label() {
    const { spoken: rest, label } = this.#shown;
    const next = [this.#title.textContent, this.#driver.textContent, this.#doing.textContent, this.#by.textContent, rest].filter(Boolean).join(', ');
    if (next === label) return;
    this.#shown.label = next;
    this.node.setAttribute('aria-label', next);
  }

  /** @param {T.WallWindow} window */
  #showBadges(window) {
    const badges = [kindOf(window) === 'film' && (window.playback?.ended ? 'replay' : window.playback?.paused ? 'pause' : 'play'), window.muted && 'mute', window.locked && 'lock', window.maximised && 'maximise', window.blank && 'blank', window.frozen && 'freeze'];
    const key = badges.join();
    if (key === this.#shown.badges) return;
    this.#shown.badges = key;
    this.#badges.replaceChildren(
      ...badges.flatMap((name) => (name ? [icon(/** @type {'play' | 'pause' | 'replay' | 'mute' | 'lock' | 'maximise' | 'blank' | 'freeze'} */ (name))] : [])),
    );
  }

  /**
   * Moves and sizes the box; writes only what changed.
   * @param {T.Rect} screen @param {number} z @param {T.Size} view the view's size
   */
  layOut([x, y, width, height], z, view) {
    const style = this.node.style;
    const shown = this.#shown;
    if (shown.x !== x || shown.y !== y) style.transform = `translate(${x}px, ${y}px)`;
    if (shown.width !== width) style.width = `${width}px`;
    if (shown.height !== height) style.height = `${height}px`;
    if (shown.z !== z) style.zIndex = String(z);
    const small = width < kSmallWidth || height < kSmallHeight;
    if (shown.width !== width || shown.height !== height) this.node.classList.toggle('small', small);
    const sized = shown.width !== width || shown.height !== height;
    Object.assign(shown, { x, y, width, height, z });
    this.width = width;
    this.height = height;
    if (sized) this.#showLook();
    this.visible = x < view[0] && y < view[1] && x + width > 0 && y + height > 0;
  }

  /** @param {T.Stroke[]} strokes on the window @param {T.Rect} rect wall pixels */
  draw(strokes, [, , width, height]) {
    if (!this.#strokes && strokes.length > 0) {
      this.#strokes = new StrokeLayer();
      this.#thumbnail.after(this.#strokes.node);
    }
    this.#strokes?.render(strokes, [width, height]);
  }

  /** Applies the view transform to the thumbnail, which shows whole frames. */
  #showLook() {
    const look = this.#window ? pictureTransform(this.#window, [this.width, this.height]) : '';
    if (look === this.#shown.look) return;
    this.#shown.look = look;
    this.#thumbnail.style.transform = look;
  }

  /** @param {boolean} selected */
  select(selected) {
    this.node.setAttribute('aria-selected', String(selected));
  }

  /** Shows a thumbnail of the window's content. @param {Blob} jpeg */
  show(jpeg) {
    const before = this.#shown.url;
    const url = URL.createObjectURL(jpeg);
    this.#shown.url = url;
    this.#thumbnail.onload = () => {
      this.#thumbnail.hidden = false;
      if (before) URL.revokeObjectURL(before);
    };
    this.#thumbnail.onerror = () => {
      if (before) URL.revokeObjectURL(before);
    };
    this.#thumbnail.src = url;
  }

  remove() {
    if (this.#shown.url) URL.revokeObjectURL(this.#shown.url);
    this.node.remove();
  }
}

/** @param {T.WallWindow} window @param {T.WindowFigures | undefined} figures @param {boolean} showsRates */
function textOf(window, figures, showsRates) {
  if (missing(window)) return missing(window);
  const kind = kindOf(window);
  if (kind === 'document') return doing(window);
  if (!showsRates) return '';
  const fps = figures?.fps ?? window.fps ?? 0;
  const rate = kind === 'picture' ? '' : ` · ${t('window.fps', { fps: decimal(fps, fps < 10 ? 1 : 0) })}`;
  return `${window.codec}${rate}`;
}

/** @param {HTMLElement} node @param {string} text */
function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
