// The top bar: wall name, connection, health light, undo, redo and people; and the banner shown while disconnected.

import { byId, element } from './dom.js';
import { icon } from './icons.js';
import { keysText } from './keys.js';
import { withoutCommands } from './problems.js';
import { t } from './texts.js';

/** @import { Actions } from './actions.js' */
/** @import { IconName } from './icons.js' */
/** @import { Store } from './store.js' */
/** @import * as T from './types.js' */

const kMostPeople = 6;

/** Element ids of the bar's buttons, and their icons. @type {[string, IconName][]} */
const kButtons = [['undo', 'undo'], ['redo', 'redo'], ['pointer-tool', 'pointer'], ['find', 'search'], ['theme', 'moon'], ['help', 'help']];

export class Header {
  #store;
  #timer = 0;

  /**
   * @param {Store} store @param {Actions} actions @param {() => void} openPeople opens the dialog with the people and this person's name
   * @param {() => void} openFigures opens the panel that explains health problems
   */
  constructor(store, actions, openPeople, openFigures) {
    this.#store = store;
    for (const [id, name] of kButtons) {
      const button = byId(id);
      const { label, keys, id: action } = actions.get(button.dataset.action ?? id);
      button.replaceChildren(icon(name));
      setLabel(button, keys.length ? `${label} (${keysText(keys[0])})` : label);
      button.addEventListener('click', () => actions.run(action));
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
      byId('walls').replaceChildren(...(this.#store.connection.welcome?.walls ?? []).map(({ name, page }) => element('a', { href: page }, name)));
    }
    if (keys.has('history')) {
      setStep(byId('undo'), 'undo', state.history.undo);
      setStep(byId('redo'), 'redo', state.history.redo);
    }
    if (keys.has('clients')) this.#renderPeople(state.clients);
    if (keys.has('health')) this.#renderHealth(state.health);
  }

  /** @param {T.Health} health */
  #renderHealth(health) {
    const { state } = health;
    const sentence = withoutCommands(health.sentence);
    const light = byId('health');
    light.dataset.state = state;
    light.replaceChildren(element('span', {}, state === 'well' ? t('header.well') : sentence));
    light.title = state === 'well' ? t('header.wellMore') : t('header.badMore', { sentence });
    const announced = byId('health-status');
    // Screen readers announce that all is well only after a problem.
    if (state !== 'well' || announced.textContent) announced.textContent = light.textContent;
  }

  /** @param {T.Person[]} people */
  #renderPeople(people) {
    const own = this.#store.connection.welcome?.client;
    const sorted = [...people].sort((a, b) => Number(b.client === own) - Number(a.client === own));
    const discs = sorted.slice(0, kMostPeople).map((person) => {
      const name = person.client === own ? t('header.you', { name: person.name }) : person.name;
      const disc = element('span', { class: person.client === own ? 'person me' : 'person', title: name, 'data-letter': person.name.slice(0, 1).toUpperCase() });
      disc.style.setProperty('--colour', person.colour);
      return disc;
    });
    if (people.length > kMostPeople) discs.push(element('span', { class: 'person more', 'data-letter': `+${people.length - kMostPeople}` }));
    byId('people').replaceChildren(...discs);
    setLabel(byId('people'), t('header.people', { names: people.map((person) => person.name).join(', ') }));
  }

  #renderPhase() {
    const { connection } = this.#store;
    const chip = byId('connection');
    const phase = connection.needsSignIn ? 'signIn' : connection.phase;
    chip.textContent = t(`connection.${phase}`);
    chip.dataset.phase = phase;
    this.#renderRole();
    document.body.classList.toggle('away', connection.phase !== 'open');
    byId('health').hidden = connection.phase !== 'open';
    clearInterval(this.#timer);
    if (connection.phase === 'waiting') this.#timer = window.setInterval(() => this.#renderOffline(), 250);
    this.#renderOffline();
    if (connection.phase === 'refused' && !connection.needsSignIn) this.#store.say(connection.reason, 'error');
  }

  /** Sets the role: page.css hides what this role may not use, and the chip explains why. */
  #renderRole() {
    const { right, connection } = this.#store;
    document.body.dataset.right = right;
    const role = byId('role');
    role.hidden = connection.phase !== 'open' || right === 'admin';
    role.textContent = t(`role.${right}`);
    role.title = right === 'admin' ? '' : t(`role.about.${right}`);
  }

  #renderOffline() {
    const { connection } = this.#store;
    const banner = byId('offline');
    // If signing in is needed, the key dialog asks instead of this banner.
    banner.hidden = connection.phase !== 'waiting' && (connection.phase !== 'refused' || connection.needsSignIn);
    const text = banner.querySelector('span');
    if (banner.hidden || !text) return;
    const seconds = Math.max(0, Math.ceil((connection.retryAt - performance.now()) / 1000));
    text.textContent = connection.phase === 'refused' ? t('connection.refusedPage') : t(connection.proxy ? 'connection.proxy' : 'connection.retry', { seconds });
  }
}

/** Labels an undo or redo button with its step. @param {HTMLElement} button @param {'undo' | 'redo'} verb @param {T.Step | null} step */
export function setStep(button, verb, step) {
  /** @type {HTMLButtonElement} */ (button).disabled = step === null;
  if (step) setLabel(button, t(step.who ? `header.${verb}Of` : `header.${verb}`, { what: step.what, who: step.who }));
  else setLabel(button, t(verb === 'undo' ? 'header.nothingToUndo' : 'header.nothingToRedo'));
}

/** @param {HTMLElement} node @param {string} label */
function setLabel(node, label) {
  node.title = label;
  node.setAttribute('aria-label', label);
}
