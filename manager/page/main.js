// Puts the page together: one connection, one store, the parts that show it.

import { Connection } from './connection.js';
import { byId } from './dom.js';
import { Header } from './header.js';
import { Identity } from './identity.js';
import { Messages } from './messages.js';
import { Panels } from './panels.js';
import { askForToken } from './panels/token_dialog.js';
import { Store } from './store.js';
import { WallView } from './wall/view.js';

const identity = new Identity();
const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
const connection = new Connection(`${scheme}://${location.host}/control`, () => identity);
const store = new Store(connection);

new Messages(store);
new Header(store, identity);
const panels = new Panels(store, identity, byId('tabs'), byId('panels'));
const wall = /** @type {WallView} */ (document.querySelector('vt-wall'));
wall.store = store;
if (!matchMedia('(max-width: 760px)').matches) panels.show('sources');
askForToken(connection, identity);
connection.connect();
