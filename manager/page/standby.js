// Leads to the standby's page when the manager is gone. A standby serves its page only after it has taken over.

/** @import { Connection } from './connection.js' */
/** @import { Identity } from './identity.js' */

const kAskEveryMs = 1000;

/** Number of uploads that the lost manager interrupted; followStandby() passes it in the address. */
export function interruptedUploads() {
  return Number(/(?:^#|&)interrupted=(\d+)/.exec(location.hash)?.[1] ?? 0);
}

/** @param {Connection} connection @param {Identity} identity @param {{unfinished: number}} uploads @param {(url: string) => void} go */
export function followStandby(connection, identity, uploads, go) {
  let page = '';
  let timer = 0;
  let gone = false; // a second navigation would abort the first
  const ask = async () => {
    try {
      // A page of another origin cannot read the answer, but any answer means that the standby's page is up.
      await fetch(new URL('healthz', page), { mode: 'no-cors', cache: 'no-store', credentials: 'omit' });
    } catch {
      return; // not yet up, or this page was loaded before there was a standby, and its policy forbids the request
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

/** An encrypted page never leads to an unencrypted one. @param {string} page a URL, or "" */
function isSafe(page) {
  return page !== '' && (location.protocol !== 'https:' || page.startsWith('https:'));
}
