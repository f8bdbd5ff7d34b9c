// Arranging: all windows at once, the wall's partitions, and fitting the selection into a place.

import { element } from '../dom.js';
import { icon } from '../icons.js';
import { needs } from '../rights.js';
import { t } from '../texts.js';
import { field, section, setOptions, setText, sureButton, textButton } from './controls.js';
import { showList } from './keyed_list.js';
import { modePicture } from './mode_picture.js';
import { Panel } from './panel.js';
import { sourceField } from './sources/source_field.js';
import { comesToFront, setComesToFront } from '../wall/to_front.js';

/** @import { Changed } from './panel.js' */
/** @import * as T from '../types.js' */

const kMostCells = 16;

class Arrange extends Panel {
  #columns = number(0, 64, '');
  #area = element('select', {});
  #target = element('select', {});
  #chosen = element('p', { class: 'soft', role: 'status' });
  #gridColumns = number(1, kMostCells, '2');
  #gridRows = number(1, kMostCells, '1');
  #name = element('input', { type: 'text', maxlength: 64, placeholder: t('arrange.itsName'), autocomplete: 'off' });
  #list = element('ul', { class: 'rows', 'aria-label': t('arrange.partitions') });
  #kind = element('select', {});
  #behind = element('select', {});
  #decorations = element('ul', { class: 'rows', 'aria-label': t('decor.title') });
  #fit = textButton(t('arrange.fit'), () => this.#place(), { icon: 'fit', title: t('arrange.fitTitle') });
  #fill = textButton(t('arrange.fill'), () => this.#place('fill'), { icon: 'maximise', title: t('arrange.fillTitle') });
  #stretch = textButton(t('arrange.stretch'), () => this.#place('stretch'), { icon: 'stretch', title: t('arrange.stretchTitle') });
  #set = element('button', { type: 'submit' }, t('arrange.make'));
  #front = element('input', { type: 'checkbox', onchange: () => setComesToFront(this.#front.checked) });
  #clear = sureButton(t('arrange.clear'), t('arrange.clearSure'), () => void this.store.act('partition', { action: 'clear' }), { class: 'danger' });

  build() {
    this.#front.checked = comesToFront();
    this.append(
      needs('operator', section(t('arrange.all'),
        element('div', { class: 'pair' }, field(t('arrange.where'), this.#area), field(t('arrange.columns'), this.#columns)),
        element('div', { class: 'modes' },
          mode('grid', t('arrange.grid'), () => this.#arrange('grid')),
          mode('aspect', t('arrange.aspect'), () => this.#arrange('aspect')),
          mode('main', t('arrange.main'), () => this.#arrange('main'))))),
      field(t('arrange.front'), this.#front, 'check'),
      needs('presenter', section(t('arrange.selected'), this.#chosen,
        field(t('arrange.place'), this.#target),
        element('div', { class: 'pair three' }, this.#fit, this.#fill, this.#stretch))),
      needs('operator', section(t('decor.title'), this.#decor(), this.#decorations)),
      section(t('arrange.partitions'), element('p', { class: 'soft' }, t('arrange.partitionsAbout')), needs('operator', this.#grid()), needs('operator', this.#own()), this.#list, needs('operator', this.#clear)));
  }

  #grid() {
    const form = element('form', { class: 'pair three' }, field(t('arrange.gridColumns'), this.#gridColumns), field(t('arrange.gridRows'), this.#gridRows),
      element('button', { type: 'submit' }, t('arrange.divide')));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.store.act('partition', { action: 'grid', columns: this.#gridColumns.valueAsNumber, rows: this.#gridRows.valueAsNumber });
    });
    return form;
  }

  /** The form that shows a wallpaper or logo. */
  #decor() {
    setOptions(this.#kind, /** @type {const} */ (['wallpaper', 'logo']).map((value) => ({ value, label: t(`decor.${value}`) })));
    const { input, found } = sourceField(this.store, 'decor-sources');
    input.required = true;
    const form = element('form', { class: 'pair' }, field(t('playlists.source'), input), field(t('decor.kind'), this.#kind), field(t('decor.area'), this.#behind),
      element('button', { type: 'submit' }, t('decor.show')), found);
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (await this.store.act(this.#kind.value, { source: input.value, area: areaOf(this.#behind) })) input.value = '';
    });
    return form;
  }

  /** The form that makes a partition around the selected windows. */
  #own() {
    const form = element('form', { class: 'pair' }, field(t('arrange.around'), this.#name), this.#set);
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const rect = around(this.store.selected().map((window) => window.rect));
      if (rect && (await this.store.act('partition', { action: 'set', name: this.#name.value.trim() || this.#freeName(), rect }))) form.reset();
    });
    return form;
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    this.store.addEventListener('selection', () => this.visible && this.store.state && this.#showSelection(), { signal });
  }

  /** @param {Changed} changed */
  update(changed) {
    this.#showSelection();
    showList(this.#decorations, this.state.decorations.values(), ({ window }) => window, ({ window, title, decoration }) =>
      row(title, t(`decor.${decoration?.kind ?? 'logo'}`), `${t('common.remove')}: ${title}`, () => void this.store.act('close', { window })));
    if (changed && !changed.has('partitions') && !changed.has('wall')) return;
    const { partitions, wall } = this.state;
    const places = [
      { value: '', label: t('arrange.wholeWall') },
      ...wall.tiles.map((tile) => ({ value: `tile/${tile.name}`, label: t('arrange.tile', { name: tile.name }) })),
      ...partitions.map(({ name }) => ({ value: `partition/${name}`, label: t('arrange.partition', { name }) })),
    ];
    setOptions(this.#area, places);
    setOptions(this.#target, places);
    setOptions(this.#behind, places);
    this.#clear.hidden = partitions.length < 2;
    showList(this.#list, partitions, ({ name }) => name, ({ name }) => this.#row(name), (row, { rect }) => {
      setText(/** @type {Element} */ (row.querySelector('.soft')), t('arrange.rect', { x: rect[0], y: rect[1], width: rect[2], height: rect[3] }));
    });
  }

  /** @param {string} name */
  #row(name) {
    return row(name, '', t('arrange.removeName', { name }), () => void this.store.act('partition', { action: 'remove', name }));
  }

  #showSelection() {
    const selected = this.store.selected();
    setText(this.#chosen, selected.length === 1 ? selected[0].title : selected.length ? t('windows', { count: selected.length }) : t('arrange.none'));
    for (const button of [this.#fit, this.#fill, this.#stretch, this.#set]) button.disabled = selected.length === 0 || !this.store.mayChange(selected);
  }

  /** @param {'grid' | 'aspect' | 'main'} mode */
  #arrange(mode) {
    const columns = mode === 'grid' ? this.#columns.valueAsNumber : 0;
    const main = mode === 'main' ? this.store.selected()[0]?.window : undefined;
    const area = areaOf(this.#area);
    void this.store.act('arrange', { mode, ...(columns > 0 ? { columns } : {}), ...(main ? { window: main } : {}), ...(area ? { area } : {}) });
  }

  /** @param {'fill' | 'stretch'} [how] fill: crop the picture to the place's shape; stretch: distort it; omitted: show the whole picture */
  #place(how) {
    const [, kind, name] = /^(tile|partition)\/(.*)$/s.exec(this.#target.value) ?? [];
    for (const { window } of this.store.selected()) void this.store.act('fit', { window, ...(how ? { [how]: true } : {}), ...(kind ? { [kind]: name } : {}) });
  }

  #freeName() {
    const taken = new Set(this.state.partitions.map(({ name }) => name));
    for (let number = 1; ; ++number) {
      const name = t('arrange.area', { number });
      if (!taken.has(name)) return name;
    }
  }
}

/** @param {number} min @param {number} max @param {string} value */
function number(min, max, value) {
  return element('input', { type: 'number', min, max, step: 1, value, placeholder: t('arrange.auto'), inputmode: 'numeric' });
}

/** The name of the chosen tile or partition; empty: the whole wall. @param {HTMLSelectElement} select */
function areaOf(select) {
  return select.value.replace(/^(tile|partition)\//, '');
}

/** @param {string} title @param {string} facts @param {string} label @param {() => void} remove */
function row(title, facts, label, remove) {
  const button = element('button', { type: 'button', class: 'icon', title: t('common.remove'), 'aria-label': label, onclick: remove }, icon('trash'));
  return element('li', {}, element('span', { class: 'title' }, title), element('span', { class: 'soft' }, facts), needs('operator', button));
}

/** @param {'grid' | 'aspect' | 'main'} name @param {string} label @param {() => void} press */
function mode(name, label, press) {
  return element('button', { type: 'button', class: 'mode', onclick: press }, modePicture(name), element('span', {}, label));
}

/** The bounding rectangle, or null for an empty list. @param {T.Rect[]} rects @returns {T.Rect | null} */
function around(rects) {
  if (!rects.length) return null;
  const left = Math.min(...rects.map(([x]) => x));
  const top = Math.min(...rects.map(([, y]) => y));
  const right = Math.max(...rects.map(([x, , width]) => x + width));
  const bottom = Math.max(...rects.map(([, y, , height]) => y + height));
  return [left, top, right - left, bottom - top];
}

customElements.define('vt-arrange', Arrange);
