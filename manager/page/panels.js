// The side panel's tabs. Each panel is a custom element of panels/NAME.js, loaded when its tab is first shown.

import { element } from './dom.js';
import { icon } from './icons.js';

/** @import { Identity } from './identity.js' */
/** @import { Panel } from './panels/panel.js' */
/** @import { Uploads } from './panels/uploads.js' */
/** @import { Store } from './store.js' */
/** @import { IconName } from './icons.js' */

/** @type {{name: string, label: string, icon: IconName}[]} */
const kPanels = [
  { name: 'sources', label: 'Sources', icon: 'sources' },
  { name: 'arrange', label: 'Arrange', icon: 'arrange' },
  { name: 'sessions', label: 'Sessions', icon: 'sessions' },
  { name: 'inspector', label: 'Window', icon: 'inspector' },
  { name: 'stats', label: 'Stats', icon: 'stats' },
  { name: 'history', label: 'History', icon: 'history' },
];

export class Panels {
  #store;
  #identity;
  #uploads;
  #tabs;
  #body;
  /** @type {Map<string, Panel>} */
  #made = new Map();
  /** Panels that are loaded or on their way. @type {Set<string>} */
  #asked = new Set();
  open = '';

  /** @param {Store} store @param {Identity} identity @param {Uploads} uploads @param {HTMLElement} tabs @param {HTMLElement} body */
  constructor(store, identity, uploads, tabs, body) {
    this.#store = store;
    this.#identity = identity;
    this.#uploads = uploads;
    this.#tabs = tabs;
    this.#body = body;
    for (const panel of kPanels) {
      const label = element('span', {}, panel.label);
      const attributes = { role: 'tab', id: `tab-${panel.name}`, 'aria-controls': `panel-${panel.name}`, 'aria-selected': 'false', tabindex: -1 };
      tabs.append(element('button', { ...attributes, onclick: () => this.toggle(panel.name) }, icon(panel.icon), label));
    }
    tabs.addEventListener('keydown', (event) => this.#step(event));
    // Files that are carried over the page: where they can go, and how far they are, is shown with the sources.
    document.addEventListener('dragenter', (event) => event.dataTransfer?.types.includes('Files') && this.show('sources'));
    tabs.firstElementChild?.setAttribute('tabindex', '0');
  }

  /** On narrow pages the open tab pressed again closes the sheet; elsewhere it stays. @param {string} name */
  toggle(name) {
    const sheet = matchMedia('(max-width: 760px)').matches;
    if (sheet && this.open === name) this.close();
    else this.show(name);
  }

  close() {
    this.open = '';
    this.#mark();
  }

  /** @param {string} name */
  show(name) {
    this.open = name;
    if (!this.#asked.has(name)) void this.#make(name);
    this.#mark();
  }

  /** @param {string} name */
  async #make(name) {
    this.#asked.add(name);
    try {
      await import(`./panels/${name}.js`);
    } catch {
      this.#asked.delete(name);
      return this.#store.say(`The panel “${name}” could not be loaded.`, 'error');
    }
    const panel = /** @type {Panel} */ (document.createElement(`vt-${name}`));
    panel.id = `panel-${name}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', `tab-${name}`);
    panel.store = this.#store;
    panel.identity = this.#identity;
    panel.uploads = this.#uploads;
    panel.hidden = name !== this.open;
    this.#made.set(name, panel);
    this.#body.append(panel);
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
    const tabs = /** @type {HTMLElement[]} */ ([...this.#tabs.children]);
    const at = tabs.indexOf(/** @type {HTMLElement} */ (event.target));
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const tab = tabs[(to + tabs.length) % tabs.length];
    tab.focus();
    this.show(tab.id.slice('tab-'.length));
  }
}
