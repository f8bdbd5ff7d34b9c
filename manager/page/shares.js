// The screens, windows, tabs and cameras that this browser shares with the wall. A share ends when it is stopped here or its window is closed.

import { element } from './dom.js';
import { iconButton } from './icons.js';
import { t } from './texts.js';

/** @import { Identity } from './identity.js' */
/** @import { Share } from './share.js' */
/** @import { Store } from './store.js' */

/** @typedef {'screen' | 'camera'} ShareKind */

const kVideo = { frameRate: { ideal: 30, max: 30 } };
// Speech processing would degrade sound that is played back.
const kSound = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

export class Shares {
  /** The active shares, each with its buttons. */
  list = element('ul', { class: 'shares', 'aria-label': t('share.list') });
  #store;
  #identity;

  /** @param {Store} store @param {Identity} identity */
  constructor(store, identity) {
    this.#store = store;
    this.#identity = identity;
  }

  /** Why this page cannot share and what to do about it; "" if it can. */
  static get obstacle() {
    if (!window.isSecureContext) return t('share.insecure', { url: `http://localhost:${location.port || 80}/` });
    if (!('VideoEncoder' in window)) return t('share.noCodec');
    return '';
  }

  /** Asks the person what to share, and starts the share. @param {ShareKind} kind */
  async start(kind) {
    if (Shares.obstacle) return this.#store.say(Shares.obstacle, 'error');
    const stream = await this.#ask(kind);
    if (!stream) return;
    const title = t(`share.title.${kind}`, { name: this.#identity.name });
    const invitation = await this.#store.act('invite', { title });
    if (!invitation) return stream.getTracks().forEach((track) => track.stop());
    // A page loaded by HTTPS may open only wss:// connections.
    const byProxy = location.protocol === 'https:' && !invitation.tls;
    if (byProxy) {
      stream.getTracks().forEach((track) => track.stop());
      this.#store.say(t('share.proxy'), 'error');
      return;
    }
    const { Share } = await import('./share.js');
    this.#show(new Share(stream, title, `${invitation.tls ? 'wss' : 'ws'}://${location.hostname}:${invitation.port}/guest`, invitation.secret));
  }

  /** @param {ShareKind} kind */
  async #ask(kind) {
    const { mediaDevices } = navigator;
    // A camera is shared without a microphone, which would pick up the wall's own sound.
    const audio = (this.#store.state?.wall.audio?.length ?? 0) > 0 && kSound;
    try {
      return await (kind === 'screen' ? mediaDevices.getDisplayMedia({ video: kVideo, audio }) : mediaDevices.getUserMedia({ video: kVideo }));
    } catch (error) {
      // No message if the person cancelled.
      if (error instanceof Error && error.name !== 'NotAllowedError') this.#store.say(t('share.nothing', { why: error.message }), 'error');
      return null;
    }
  }

  /** @param {Share} share */
  #show(share) {
    const pause = iconButton('pause', '', () => share.pause(!share.paused));
    const stop = iconButton('close', t('share.stop', { title: share.title }), () => share.stop());
    const entry = element('li', {}, element('span', {}, share.title), pause, stop);
    const describe = () => {
      const label = t(share.paused ? 'share.resume' : 'share.pause', { title: share.title });
      pause.replaceChildren(...iconButton(share.paused ? 'play' : 'pause', label).childNodes);
      pause.title = label;
      pause.setAttribute('aria-label', label);
    };
    describe();
    this.list.append(entry);
    share.addEventListener('change', describe);
    share.addEventListener('end', (event) => {
      const why = /** @type {CustomEvent<string>} */ (event).detail;
      entry.remove();
      this.#store.say(t(why ? 'share.overWhy' : 'share.over', { title: share.title, why }), why && !share.open ? 'error' : 'info');
    });
  }
}
