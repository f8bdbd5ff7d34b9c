// The bar at the top: the wall's name, the connection, undo and redo, the people.

import { byId, element } from './dom.js';
import { icon } from './icons.js';

/** @import { Identity } from './identity.js' */
/** @import { IconName } from './icons.js' */
/** @import { Store } from './store.js' */
/** @import * as T from './types.js' */

const kPhases = { connecting: 'connecting', open: 'live', waiting: 'offline', refused: 'refused' };

export class Header {
  #store;
  #identity;

  /** @param {Store} store @param {Identity} identity */
  constructor(store, identity) {
    this.#store = store;
    this.#identity = identity;
    this.#button('undo', 'undo', 'Undo');
    this.#button('redo', 'redo', 'Redo');
    this.#button('pointer-tool', 'pointer', 'Show my pointer on the wall (P)');
    this.#button('help', 'help', 'Keyboard and gestures (?)');
    this.#button('theme', 'moon', 'Dark or light');
    byId('undo').addEventListener('click', () => void store.act('undo'));
    byId('redo').addEventListener('click', () => void store.act('redo'));
    store.addEventListener('state', () => this.#renderState());
    store.addEventListener('connection', () => this.#renderPhase());
  }

  /** @param {string} id @param {IconName} name @param {string} label */
  #button(id, name, label) {
    const button = byId(id);
    button.replaceChildren(icon(name));
    button.title = label;
    button.setAttribute('aria-label', label);
  }

  #renderState() {
    const state = this.#store.state;
    if (!state) return;
    byId('wall-name').textContent = state.wall.name;
    document.title = `${state.wall.name} — Vitrail`;
    this.#renderStep('undo', state.history.undo, 'Undo');
    this.#renderStep('redo', state.history.redo, 'Redo');
    this.#renderPeople(state.clients);
  }

  /** @param {string} id @param {T.Step | null} step @param {string} verb */
  #renderStep(id, step, verb) {
    const button = /** @type {HTMLButtonElement} */ (byId(id));
    button.disabled = step === null;
    const label = step ? `${verb}: ${step.what} (${step.who})` : `Nothing to ${verb.toLowerCase()}`;
    button.title = label;
    button.setAttribute('aria-label', label);
  }

  /** @param {T.Person[]} people */
  #renderPeople(people) {
    byId('people').replaceChildren(
      ...people.map((person) => {
        const disc = element('span', { class: 'person', title: person.name }, person.name.slice(0, 1).toUpperCase());
        disc.style.setProperty('--colour', person.colour);
        return disc;
      }),
    );
  }

  #renderPhase() {
    const { phase } = this.#store.connection;
    const chip = byId('connection');
    chip.textContent = kPhases[phase];
    chip.dataset.phase = phase;
    document.body.classList.toggle('away', phase !== 'open');
  }
}
