// The bar at the top: the wall's name, the connection, the light that says whether all is well, undo and redo, the people; and what is said while
// there is no connection.

import { byId, element } from './dom.js';
import { icon } from './icons.js';

/** @import { Actions } from './actions.js' */
/** @import { IconName } from './icons.js' */
/** @import { Store } from './store.js' */
/** @import * as T from './types.js' */

const kPhases = { connecting: 'connecting', open: 'live', waiting: 'offline', refused: 'refused' };
const kMostPeople = 6;

/** Buttons of the bar by their ids, with their icons. @type {[string, IconName, string][]} */
const kButtons = [
  ['undo', 'undo', 'Undo'],
  ['redo', 'redo', 'Redo'],
  ['pointer-tool', 'pointer', 'My pointer on the wall (P)'],
  ['find', 'search', 'Find anything (Ctrl K)'],
  ['theme', 'moon', 'Dark, light, or as the system (T)'],
  ['help', 'help', 'Keys and gestures (?)'],
];

export class Header {
  #store;
  #timer = 0;

  /**
   * @param {Store} store @param {Actions} actions @param {() => void} openPeople shows where people and one's own name are
   * @param {() => void} openFigures shows what is not well, and why
   */
  constructor(store, actions, openPeople, openFigures) {
    this.#store = store;
    for (const [id, name, label] of kButtons) {
      const button = byId(id);
      button.replaceChildren(icon(name));
      setLabel(button, label);
      button.addEventListener('click', () => actions.run(button.dataset.action ?? id));
    }
    byId('people').addEventListener('click', openPeople);
    byId('health').addEventListener('click', openFigures);
    byId('offline').querySelector('button')?.addEventListener('click', () => store.connection.connect());
    store.addEventListener('state', (event) => this.#renderState(/** @type {CustomEvent} */ (event).detail.keys));
    store.addEventListener('connection', () => this.#renderPhase());
  }

  /** @param {Set<string>} keys */
  #renderState(keys) {
    const state = this.#store.state;
    if (!state) return;
    if (keys.has('wall')) {
      byId('wall-name').textContent = state.wall.name;
      document.title = `${state.wall.name} · Vitrail`;
    }
    if (keys.has('history')) {
      this.#renderStep('undo', state.history.undo, 'Undo');
      this.#renderStep('redo', state.history.redo, 'Redo');
    }
    if (keys.has('clients')) this.#renderPeople(state.clients);
    if (keys.has('health')) this.#renderHealth(state.health);
  }

  /** @param {T.Health} health */
  #renderHealth({ state, sentence }) {
    const light = byId('health');
    light.dataset.state = state;
    light.replaceChildren(element('span', {}, state === 'well' ? 'All is well' : sentence));
    light.title = state === 'well' ? 'All is well: show the figures' : `${sentence}. Show why`;
    const told = byId('health-told');
    // That all is well is worth saying only after it was not.
    if (state !== 'well' || told.textContent) told.textContent = light.textContent;
  }

  /** @param {string} id @param {T.Step | null} step @param {string} verb */
  #renderStep(id, step, verb) {
    const button = /** @type {HTMLButtonElement} */ (byId(id));
    button.disabled = step === null;
    setLabel(button, step ? `${verb}: ${step.what}${step.who ? ` (${step.who})` : ''}` : `Nothing to ${verb.toLowerCase()}`);
  }

  /** @param {T.Person[]} people */
  #renderPeople(people) {
    const own = this.#store.connection.welcome?.client;
    const sorted = [...people].sort((a, b) => Number(b.client === own) - Number(a.client === own));
    const discs = sorted.slice(0, kMostPeople).map((person) => {
      const name = person.client === own ? `${person.name} (you)` : person.name;
      const disc = element('span', { class: person.client === own ? 'person me' : 'person', title: name }, person.name.slice(0, 1).toUpperCase());
      disc.style.setProperty('--colour', person.colour);
      return disc;
    });
    if (people.length > kMostPeople) discs.push(element('span', { class: 'person more' }, `+${people.length - kMostPeople}`));
    byId('people').replaceChildren(...discs);
    setLabel(byId('people'), `Here: ${people.map((person) => person.name).join(', ')}. Change your name or colour`);
  }

  #renderPhase() {
    const { connection } = this.#store;
    const chip = byId('connection');
    chip.textContent = kPhases[connection.phase];
    chip.dataset.phase = connection.phase;
    document.body.classList.toggle('away', connection.phase !== 'open');
    byId('health').hidden = connection.phase !== 'open';
    clearInterval(this.#timer);
    if (connection.phase === 'waiting') this.#timer = window.setInterval(() => this.#renderOffline(), 250);
    this.#renderOffline();
    if (connection.phase === 'refused' && connection.refusal !== 'unauthorized') this.#store.say(connection.reason, 'error');
  }

  #renderOffline() {
    const { connection } = this.#store;
    const banner = byId('offline');
    banner.hidden = connection.phase !== 'waiting' && connection.phase !== 'refused';
    const text = banner.querySelector('span');
    if (banner.hidden || !text) return;
    const seconds = Math.max(0, Math.ceil((connection.retryAt - performance.now()) / 1000));
    text.textContent = connection.phase === 'refused' ? 'The wall refused this page' : `${connection.advice || 'No connection to the wall.'} Next try in ${seconds} s`;
  }
}

/** @param {HTMLElement} node @param {string} label */
function setLabel(node, label) {
  node.title = label;
  node.setAttribute('aria-label', label);
}
