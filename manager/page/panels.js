// The side panel's tabs. Each panel is a custom element of panels/NAME.js, loaded when its tab is first shown.

import { showDialog } from './dialogs.js';
import { element } from './dom.js';
import { icon } from './icons.js';
import { t } from './texts.js';

/** @import { Identity } from './identity.js' */
/** @import { Panel } from './panels/panel.js' */
/** @import { Uploads } from './panels/sources/uploads.js' */
/** @import { Shares } from './shares.js' */
/** @import { Store } from './store.js' */
/** @import { IconName } from './icons.js' */

/** @type {{name: 'sources' | 'films' | 'arrange' | 'sessions' | 'inspector' | 'stats' | 'history', icon: IconName}[]} */
const kPanels = [
  { name: 'sources', icon: 'sources' },
  { name: 'films', icon: 'film' },
  { name: 'arrange', icon: 'arrange' },
  { name: 'sessions', icon: 'sessions' },
  { name: 'inspector', icon: 'inspector' },
  { name: 'stats', icon: 'stats' },
  { name: 'history', icon: 'history' },
];

export class Panels {
  #store;
  #identity;
  #uploads;
  #shares;
  #tabs;
  #body;
  /** @type {Map<string, Panel>} */
  #made = new Map();
  /** Panels that are loaded or loading. @type {Map<string, Promise<void>>} */
  #asked = new Map();
  open = '';
  all = kPanels.map(({ name, icon: picture }) => ({ name, icon: picture, label: t(`panels.${name}`), there: name !== 'films' }));

  /** @param {Store} store @param {Identity} identity @param {Uploads} uploads @param {Shares} shares @param {HTMLElement} tabs @param {HTMLElement} body */
  constructor(store, identity, uploads, shares, tabs, body) {
    this.#store = store;
    this.#identity = identity;
    this.#uploads = uploads;
    this.#shares = shares;
    this.#tabs = tabs;
    this.#body = body;
    for (const panel of this.all) {
      const label = element('span', {}, panel.label);
      const attributes = { role: 'tab', hidden: !panel.there, id: `tab-${panel.name}`, 'aria-controls': `panel-${panel.name}`, 'aria-selected': 'false', tabindex: -1 };
      tabs.append(element('button', { ...attributes, onclick: () => this.toggle(panel.name) }, icon(panel.icon), label));
    }
    tabs.addEventListener('keydown', (event) => this.#step(event));
    // A file dragged over the page opens the sources panel, which takes files and shows the uploads.
    document.addEventListener('dragenter', (event) => event.dataTransfer?.types.includes('Files') && void this.show('sources'));
    tabs.firstElementChild?.setAttribute('tabindex', '0');
    store.connection.addEventListener('open', () => void this.#askForFilms());
  }

  /** Shows the films tab if the wall has a film server. */
  async #askForFilms() {
    // A film server that does not answer counts as present.
    const { servers } = await this.#store.call('films').catch((error) => ({ servers: error.code === 'unavailable' ? ['?'] : [] }));
    const tab = /** @type {HTMLElement} */ (this.#tabs.querySelector('#tab-films'));
    tab.hidden = servers.length === 0;
    this.all = this.all.map((panel) => (panel.name === 'films' ? { ...panel, there: !tab.hidden } : panel));
    if (tab.hidden && this.open === 'films') void this.show('sources');
  }

  /** On small pages, pressing the open tab again closes the panel; on others it stays open. @param {string} name */
  toggle(name) {
    if (Panels.roomIsShort() && this.open === name) this.close();
    else void this.show(name);
  }

  /** Whether the panel takes space from the wall; page.css has the same condition. */
  static roomIsShort() {
    return matchMedia('(max-width: 760px), (max-height: 560px)').matches;
  }

  close() {
    this.open = '';
    this.#mark();
  }

  /** Resolves when the panel is loaded. @param {string} name @param {boolean} [focus] focuses its tab */
  async show(name, focus = false) {
    this.open = name;
    const made = this.#asked.get(name) ?? this.#make(name);
    this.#asked.set(name, made);
    this.#mark();
    if (focus) document.getElementById(`tab-${name}`)?.focus();
    await made;
  }

  /** Presses the first button of a list entry, so that the panel itself asks for confirmation. @param {string} name of the panel @param {string} list its label @param {string} key of the entry */
  async press(name, list, key) {
    await this.show(name);
    const entries = this.#made.get(name)?.querySelectorAll(`[aria-label="${list}"] > *`) ?? [];
    const button = [...entries].find((entry) => /** @type {HTMLElement} */ (entry).dataset.key === key)?.querySelector('button');
    button?.focus();
    button?.click();
  }

  /** @param {string} name */
  async #make(name) {
    try {
      await import(`./panels/${name}.js`);
    } catch {
      this.#asked.delete(name);
      return this.#store.say(t('panels.failed', { name }), 'error');
    }
    const panel = this.#element(name);
    panel.id = `panel-${name}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', `tab-${name}`);
    panel.hidden = name !== this.open;
    this.#made.set(name, panel);
    this.#body.append(panel);
  }

  /** People and settings have a dialog of their own. */
  async showPeople() {
    await import('./panels/people.js');
    showDialog(t('people.title'), this.#element('people'));
  }

  /** @param {string} name */
  #element(name) {
    const panel = /** @type {Panel} */ (document.createElement(`vt-${name}`));
    panel.store = this.#store;
    panel.identity = this.#identity;
    panel.uploads = this.#uploads;
    panel.shares = this.#shares;
    return panel;
  }

  #mark() {
    document.body.classList.toggle('panel-open', this.open !== '');
    for (const tab of this.#tabs.children) {
      const selected = tab.id === `tab-${this.open}`;
      tab.setAttribute('aria-selected', String(selected));
      tab.setAttribute('tabindex', selected || (!this.open && tab === this.#tabs.firstElementChild) ? '0' : '-1');
    }
    for (const [name, panel] of this.#made) panel.hidden = name !== this.open;
  }

  /** @param {KeyboardEvent} event */
  #step(event) {
    const tabs = /** @type {HTMLElement[]} */ ([...this.#tabs.children]).filter((tab) => !tab.hidden);
    const at = tabs.indexOf(/** @type {HTMLElement} */ (event.target));
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const tab = tabs[(to + tabs.length) % tabs.length];
    tab.focus();
    void this.show(tab.id.slice('tab-'.length));
  }
}
