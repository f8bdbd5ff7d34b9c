// The banner of active events: since when, what they could not do, and a button that ends those that people may end.

import { byId, element } from '../dom.js';
import { textButton } from '../panels/controls.js';
import { moment } from '../panels/times.js';
import { withoutCommands } from '../problems.js';
import { t } from '../texts.js';

/** @import { Store } from '../store.js' */
/** @import * as T from '../types.js' */

export class ActiveEvents {
  #store;

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
    store.addEventListener('state', (event) => {
      if (/** @type {CustomEvent} */ (event).detail.keys.has('events')) this.#render(store.state?.events ?? []);
    });
  }

  /** @param {T.ActiveEvent[]} events */
  #render(events) {
    const banner = byId('events');
    // The focused button is replaced. If its event is over, no button of another event gets the focus.
    const focused = banner.contains(document.activeElement) && /** @type {HTMLElement} */ (document.activeElement).dataset.event;
    banner.hidden = events.length === 0;
    banner.querySelector('ul')?.replaceChildren(...events.map((event) => this.#item(event)));
    if (!focused) return;
    const again = [...banner.querySelectorAll('button')].find((button) => button.dataset.event === focused);
    (again ?? byId('health')).focus();
  }

  /** @param {T.ActiveEvent} event */
  #item(event) {
    const name = event.id ? `${event.event} (${event.id})` : event.event;
    const failures = (event.failed ?? []).map(({ title, why }) => element('small', {}, `${title}: ${withoutCommands(why)}`));
    const item = element('li', { class: event.shown ? 'shown' : undefined }, element('span', {}, t('events.since', { name, time: moment(event.since_s) }), ...failures));
    if (!event.acknowledge) return item;
    const button = textButton(t('events.acknowledge'), () => void this.#store.act('event_acknowledge', { name: event.event, id: event.id ?? '' }));
    button.dataset.needs = 'presenter';
    button.dataset.event = JSON.stringify([event.event, event.id ?? '']);
    button.setAttribute('aria-label', `${t('events.acknowledge')}: ${name}`);
    item.append(button);
    return item;
  }
}
