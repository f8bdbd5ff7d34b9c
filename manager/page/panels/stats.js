// Metrics of streams and receivers, live, and the switch for the overlay on the wall itself.

import { element } from '../dom.js';
import { withoutCommands } from '../problems.js';
import { needs } from '../rights.js';
import { t } from '../texts.js';
import { field, section, setPressed, setText, textButton, toggleButton } from './controls.js';
import { displaysOf, hasPower } from './display_power.js';
import { FigureCard } from './figure_card.js';
import { showList } from './keyed_list.js';
import { Panel } from './panel.js';
import { ReceiverRates } from './receiver_rates.js';

/** @import { Changed } from './panel.js' */
/** @import * as T from '../types.js' */

/** @typedef {import('./figure_card.js').Measure} Measure */

/** Test patterns of the verb `calibrate`. */
const kPatterns = /** @type {const} */ (['off', 'ramp', 'white', 'red', 'green', 'blue', 'grid']);
const kTurns = /** @type {const} */ (['on', 'off']);
const kMostWindows = 40; // selected windows first, then those with problems

/** @type {Measure[]} */
const kWindowMeasures = [
  { label: t('stats.shown'), unit: 'fps', digits: 1, plotted: true },
  { label: t('stats.rate'), unit: 'Mbit/s', digits: 1, plotted: true },
  { label: t('stats.latency'), unit: 'ms', digits: 1, plotted: true },
  { label: t('stats.p99'), unit: 'ms', digits: 1 },
  { label: t('stats.skew'), unit: 'µs', digits: 0 },
  { label: t('stats.wanted'), unit: 'fps', digits: 1 },
  { label: t('stats.skipped'), unit: '', digits: 0 },
  { label: t('stats.dropped'), unit: '', digits: 0 },
];
/** @type {Measure[]} */
const kReceiverMeasures = [
  { label: t('stats.shown'), unit: 'fps', digits: 1, plotted: true },
  { label: t('stats.rate'), unit: 'Mbit/s', digits: 1, plotted: true },
  { label: t('stats.painting'), unit: 'ms', digits: 1, plotted: true },
  { label: t('stats.decoding'), unit: 'ms', digits: 1 },
  { label: t('stats.clock'), unit: 'µs', digits: 0 },
  { label: t('stats.dropped'), unit: '', digits: 0 },
];

class Stats extends Panel {
  #overlay = toggleButton('stats', t('stats.onWall'), () => void this.store.act('overlay', { on: !this.state.overlay }));
  #identify = toggleButton('eye', t('stats.identify'), () => void this.store.act('identify', { on: !this.state.identify }));
  #pattern = element('select', { onchange: () => void this.store.act('calibrate', { pattern: this.#pattern.value }) },
    ...kPatterns.map((value) => element('option', { value }, t(`pattern.${value}`))));
  #problems = element('ul', { class: 'problems' });
  #displays = element('ul', { class: 'problems' });
  #turns = kTurns.map((power) => textButton(t(`stats.turn.${power}`), () => void this.store.act('power', { power })));
  #power = section(t('stats.displays'), needs('operator', element('div', { class: 'pair' }, ...this.#turns)), this.#displays);
  #windows = element('ul', { class: 'cards', 'aria-label': t('stats.windowsList') });
  #receivers = element('ul', { class: 'cards', 'aria-label': t('stats.receiversList') });
  #left = element('p', { class: 'soft' });
  /** @type {WeakMap<HTMLElement, FigureCard>} */
  #cards = new WeakMap();
  #rates = new ReceiverRates();

  build() {
    this.append(needs('operator', element('div', { class: 'pair' }, this.#overlay, this.#identify)), needs('operator', field(t('stats.pattern'), this.#pattern)), section(t('stats.wall'), this.#problems), this.#power, section(t('stats.windows'), this.#windows, this.#left), section(t('stats.receivers'), this.#receivers));
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    this.store.addEventListener('figures', () => this.visible && this.store.state && this.#showFigures(), { signal });
  }

  /** @param {Changed} _changed */
  update(_changed) {
    setPressed(this.#overlay, this.state.overlay);
    setPressed(this.#identify, this.state.identify);
    this.#pattern.value = this.state.calibrate;
    this.#showProblems();
    this.#showDisplays();
  }

  #showDisplays() {
    this.#power.hidden = !hasPower(this.state);
    showList(this.#displays, displaysOf(this.state), ({ tile }) => tile, () => element('li', {}), (node, { tile, power, why, disobeyed }) => {
      node.dataset.state = disobeyed ? 'bad' : power === 'unknown' ? 'slow' : 'well';
      setText(node, `${t(`stats.power.${power}`, { tile })}${why ? `: ${why}` : ''}`);
    });
  }

  // Shows the wall's problems; those of windows come from the current metrics.
  #showProblems() {
    const { health } = this.state;
    /** @type {T.Problem[]} */
    const shown = health.problems.length > 0 ? health.problems : [{ state: 'well', sentence: t('header.well') }];
    showList(this.#problems, shown, ({ window, sentence }) => window ?? sentence, () => element('li', {}), (node, problem) => {
      node.dataset.state = problem.state;
      const figures = problem.window === undefined ? undefined : this.store.windowFigures.get(problem.window);
      const more = figures?.health && figures.health.state !== 'well' ? `: ${figures.health.sentence}` : '';
      setText(node, withoutCommands(problem.sentence.endsWith(more) ? problem.sentence : `${problem.sentence}${more}`));
    });
  }

  #showFigures() {
    const { figures, state, selection } = this.store;
    if (!figures || !state) return;
    this.#showProblems();
    const known = [...this.store.windowFigures.values()].filter(({ window }) => state.windows.has(window));
    const rank = (/** @type {T.WindowFigures} */ { window, health }) => (selection.has(window) ? 0 : health && health.state !== 'well' ? 1 : 2);
    const shown = [...known].sort((a, b) => rank(a) - rank(b)).slice(0, kMostWindows);
    showList(this.#windows, shown, ({ window }) => window, () => this.#card(kWindowMeasures), (node, entry) => {
      const values = [entry.fps, entry.mbit_per_s, entry.latency_ms_p50, entry.latency_ms_p99, entry.skew_us_p99, entry.fps_wanted || undefined,
        entry.frames_skipped, entry.frames_dropped];
      this.#cards.get(node)?.show(state.windows.get(entry.window)?.title ?? '', values, entry.health);
    });
    const hidden = known.length - shown.length;
    setText(this.#left, known.length === 0 ? t('stats.none') : hidden > 0 ? t('stats.more', { count: hidden }) : '');
    showList(this.#receivers, state.receivers, ({ name }) => name, () => this.#card(kReceiverMeasures), (node, receiver) => this.#showReceiver(node, receiver, figures));
  }

  /** @param {HTMLElement} node @param {T.Receiver} receiver @param {T.Figures} figures */
  #showReceiver(node, { name, connected }, figures) {
    const stats = figures.receivers.find((entry) => entry.name === name);
    node.classList.toggle('away', !connected);
    if (connected && !stats) return; // its report comes with the next figures
    const rates = stats && this.#rates.take(name, figures.wall_ns, stats);
    this.#cards.get(node)?.show(connected ? name : t('stats.away', { name }), [rates?.fps, rates?.mbit_per_s, stats?.render_ms, stats?.decode_ms, stats?.clock_error_us, stats?.frames_dropped]);
  }

  /** @param {Measure[]} measures */
  #card(measures) {
    const card = new FigureCard(measures);
    this.#cards.set(card.root, card);
    return card.root;
  }
}

customElements.define('vt-stats', Stats);
