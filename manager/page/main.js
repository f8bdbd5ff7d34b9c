// Assembles the page: one connection, one store, and the views of it.

import { Actions } from './actions.js';
import { Connection } from './connection.js';
import { showHelp } from './dialogs.js';
import { byId } from './dom.js';
import { Header } from './header.js';
import { Identity } from './identity.js';
import { Keyboard } from './keyboard.js';
import { Messages } from './messages.js';
import { showPalette } from './palette.js';
import { Panels } from './panels.js';
import { askForKey } from './panels/key_dialog.js';
import { interruptedFiles } from './panels/sources/upload_places.js';
import { Uploads } from './panels/sources/uploads.js';
import { Shares } from './shares.js';
import { SingleKeys } from './single_keys.js';
import { followStandby, interruptedUploads } from './standby.js';
import { Store } from './store.js';
import { switchTheme } from './switch_theme.js';
import { t, translateDocument } from './texts.js';
import { Toolbar } from './toolbar.js';
import { ActiveEvents } from './wall/active_events.js';
import { Gestures } from './wall/gestures.js';
import { OpeningBoxes } from './wall/opening_boxes.js';
import { UploadBoxes } from './wall/upload_boxes.js';
import { WallView } from './wall/view.js';

translateDocument();
const interrupted = interruptedUploads(); // before Identity removes the key from the address
const identity = new Identity();
const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
const connection = new Connection(`${scheme}://${location.host}/control`, () => identity);
const store = new Store(connection);

const view = new WallView(store);
const shares = new Shares(store, identity);
const singleKeys = new SingleKeys();
const actions = new Actions(store, view, {
  help: () => showHelp(actions, singleKeys),
  palette: () => showPalette(store, actions, panels),
  share: (kind) => void shares.start(kind),
  theme: () => store.say(t(`theme.${switchTheme()}`)),
  singleKeys: () => {
    singleKeys.turn(!singleKeys.on);
    store.say(t(singleKeys.on ? 'keys.singleOn' : 'keys.singleOff'));
  },
});
byId('stage').prepend(view, new Toolbar(store, actions, view).node);
new Messages(store);
new Keyboard(store, view, new Gestures(store, view, actions), actions, singleKeys);

const uploads = new Uploads(store, identity);
uploads.acceptDrops(byId('stage'), (event) => store.wallPoint(event.clientX, event.clientY));
new UploadBoxes(uploads, view);
new OpeningBoxes(store, view);
new ActiveEvents(store);
// A file dropped beside the wall must not replace the page.
for (const type of ['dragover', 'drop']) {
  addEventListener(type, (event) => {
    if (event.defaultPrevented || !(event instanceof DragEvent) || !event.dataTransfer) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  });
}
const panels = new Panels(store, identity, uploads, shares, byId('tabs'), byId('panels'));
new Header(store, actions, () => void panels.showPeople(), () => panels.show('stats'));
if (!Panels.roomIsShort()) void panels.show('sources');
askForKey(connection, identity);
followStandby(connection, identity, uploads, (url) => {
  uploads.leaving = true;
  location.replace(url);
});
const files = interruptedFiles();
if (files.length) store.say(t('upload.goOn', { names: files.join(', '), count: files.length }));
if (interrupted) store.say(t('upload.interrupted', { count: interrupted }), 'error');
connection.connect();
