// The way to the standby's page when the manager is gone: that one serves a page only once it has taken its place.

/** @import { Connection } from './connection.js' */
/** @import { Identity } from './identity.js' */
/** @import { Uploads } from './panels/uploads.js' */

const kAskEveryMs = 1000;

/** How many files were on their way at the manager that is gone, as followStandby() told this page. */
export function interruptedUploads() {
  return Number(/(?:^#|&)interrupted=(\d+)/.exec(location.hash)?.[1] ?? 0);
}

/** @param {Connection} connection @param {Identity} identity @param {Uploads} uploads @param {(url: string) => void} go */
export function followStandby(connection, identity, uploads, go) {
  let page = '';
  let timer = 0;
  let gone = false; // to be sent there again would break off the way there
  const ask = async () => {
    try {
      // What it says is for its own pages; that there is somebody is enough.
      await fetch(new URL('healthz', page), { mode: 'no-cors', cache: 'no-store', credentials: 'omit' });
    } catch {
      return; // not yet, or this page was loaded before there was a standby and may not ask it
    }
    if (connection.phase === 'open' || gone) return;
    gone = true;
    clearInterval(timer);
    const words = [];
    if (identity.key) words.push(`key=${encodeURIComponent(identity.key)}`);
    if (uploads.unfinished) words.push(`interrupted=${uploads.unfinished}`);
    go(page + (words.length ? `#${words.join('&')}` : ''));
  };
  connection.addEventListener('open', () => (page = connection.welcome?.standby_page ?? ''));
  connection.addEventListener('notification', (event) => {
    const { method, params } = /** @type {CustomEvent} */ (event).detail;
    if (method === 'standby') page = params.page ?? '';
  });
  connection.addEventListener('phase', () => {
    if (connection.phase === 'open') clearInterval(timer);
    if (connection.phase !== 'waiting' || !isSafe(page)) return;
    clearInterval(timer);
    timer = window.setInterval(() => void ask(), kAskEveryMs);
    void ask();
  });
}

/** Nobody is led from a page that is encrypted to one that is not. @param {string} page a URL, or "" */
function isSafe(page) {
  return page !== '' && (location.protocol !== 'https:' || page.startsWith('https:'));
}
