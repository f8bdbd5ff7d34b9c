// Who drives the selected window, whose application takes input: take the window over, release it, hand it over.

import { element } from '../dom.js';
import { mayChange } from '../rights.js';
import { t } from '../texts.js';
import { field, section, setOptions, setText, textButton } from './controls.js';

/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */

export class DriveControls {
  #store;
  #who = element('p', { class: 'soft' });
  #take = textButton(t('drive.take'), () => this.#drive('take'), { icon: 'control' });
  #release = textButton(t('drive.release'), () => this.#drive('release'));
  #to = element('select');
  #others = element('div', { class: 'pair' }, field(t('drive.to'), this.#to), textButton(t('drive.give'), () => this.#drive('give', { to: Number(this.#to.value) })));
  #window = 0;

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
    this.root = section(t('drive.title'), this.#who, element('div', { class: 'pair' }, this.#take, this.#release), this.#others);
  }

  /** @param {T.WallWindow[]} windows */
  show([one, ...more]) {
    const { window, input, driver } = one;
    this.root.hidden = !input || more.length > 0;
    this.#window = window;
    const me = this.#store.connection.welcome?.client;
    const mine = driver?.client === me;
    setText(this.#who, driver ? t(mine ? 'drive.mine' : 'drive.theirs', { name: driver.name }) : t('drive.nobody'));
    this.#take.hidden = mine && driver?.alone === true;
    this.#release.hidden = !driver;
    const others = (this.#store.state?.clients ?? []).filter(({ client, right, key = '' }) => client !== me && client !== driver?.client && mayChange(right, key, one));
    this.#others.hidden = others.length === 0;
    setOptions(this.#to, others.map(({ client, name }) => ({ value: String(client), label: name })));
  }

  /** @param {'take' | 'release' | 'give'} action @param {object} [more] */
  #drive(action, more) {
    void this.#store.act('drive', { window: this.#window, action, ...more });
  }
}
