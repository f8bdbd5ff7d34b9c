// The remote: the controls that a person before the wall needs, on a phone. It shares connection, identity, state and
// texts with the page.

import { Connection } from '../connection.js';
import { byId, element } from '../dom.js';
import { Identity } from '../identity.js';
import { doing } from '../kinds.js';
import { Messages } from '../messages.js';
import { setOptions, setText, textButton, toggleButton, setPressed, sureButton } from '../panels/controls.js';
import { askForKey } from '../panels/key_dialog.js';
import { showList } from '../panels/keyed_list.js';
import { sourceField } from '../panels/sources/source_field.js';
import { kAutosave, switchToSession } from '../restore.js';
import { needs } from '../rights.js';
import { followStandby } from '../standby.js';
import { Store } from '../store.js';
import { t, translateDocument } from '../texts.js';
import { PointerPad } from './pointer_pad.js';
import { WindowControls } from './window_controls.js';

translateDocument();
const identity = new Identity();
const connection = new Connection(`${location.origin.replace('http', 'ws')}/control`, () => identity);
const store = new Store(connection);
new Messages(store);

const controls = new WindowControls(store, identity);
const choice = element('select', { 'aria-label': t('remote.window'), onchange: () => controls.show(store.window(Number(choice.value))) });
const empty = element('p', { class: 'soft' }, t('remote.empty'));
const line = element('input', { type: 'text', maxlength: 50, 'aria-label': t('blank.line'), placeholder: t('blank.example') });
const { input: picture, found } = sourceField(store, 'curtain-sources');
const curtain = element('details', {}, element('summary', {}, t('decor.curtain')), line, picture, found);
const blank = toggleButton('blank', t('remote.blank'), () => void store.act('blank', store.state?.blank ? { on: false } : { text: line.value.trim(), ...(picture.value && { source: picture.value }) }));
const mute = toggleButton('mute', t('remote.muteAll'), () => void store.act('master_volume', { muted: !store.state?.sound.muted }));
const volume = element('input', { type: 'range', min: 0, max: 1, step: 0.01, 'aria-label': t('wallBar.volume'), oninput: () => void store.act('master_volume', { volume: volume.valueAsNumber }) });
const undo = textButton(t('remote.undo'), () => void store.act('undo'), { icon: 'undo' });
const sessions = element('ul', { class: 'saved', 'aria-label': t('sessions.title') });
const ofWall = needs('presenter', element('section', { 'aria-label': t('header.wall') }, element('div', { class: 'row' }, blank, undo), element('div', { class: 'row' }, mute, volume), curtain));
const saved = needs('operator', element('section', { 'aria-label': t('sessions.title') }, element('h2', {}, t('sessions.title')), sessions));
const pad = new PointerPad(store);
byId('controls').replaceChildren(empty, choice, controls.root, ofWall, pad.root, saved);

/** Shows the windows, topmost first; the chosen one stays chosen while it exists. */
function showWindows() {
  const windows = (store.state?.order ?? []).flatMap((number) => store.window(number) ?? []).reverse();
  const name = (/** @type {import('../types.js').WallWindow} */ window) => [window.title || t('window.number', { number: window.window }), doing(window)].filter(Boolean).join(' · ');
  setOptions(choice, windows.map((window) => ({ value: String(window.window), label: name(window) })));
  choice.hidden = windows.length === 0;
  empty.hidden = windows.length > 0;
  controls.show(store.window(Number(choice.value)));
}

/** @param {Set<string>} keys names of WallState that changed */
function showWall(keys) {
  const { state } = store;
  if (!state) return;
  if (keys.has('wall')) {
    setText(byId('wall-name'), state.wall.name);
    document.title = `${state.wall.name} · Vitrail`;
  }
  setPressed(blank, state.blank);
  setPressed(mute, state.sound.muted);
  undo.disabled = state.history.undo === null;
  if (document.activeElement !== volume) volume.value = String(state.sound.volume);
  const named = state.sessions.filter(({ name }) => name !== kAutosave);
  saved.hidden = named.length === 0;
  showList(sessions, named, ({ name }) => name, ({ name }) => sessionOf(name), () => {});
}

/** @param {string} name */
function sessionOf(name) {
  const needed = () => (store.state?.windows.size ?? 0) > 0;
  return element('li', {}, sureButton(name, t('sessions.replace'), () => void switchToSession(store, name), { needed, name }));
}

store.addEventListener('state', (event) => {
  showWindows();
  pad.draw();
  showWall(/** @type {CustomEvent} */ (event).detail.keys);
});
store.addEventListener('connection', () => {
  const { needsSignIn, phase } = connection;
  setText(byId('connection'), t(`connection.${needsSignIn ? 'signIn' : phase}`));
  byId('connection').dataset.phase = phase;
  byId('controls').classList.toggle('away', phase !== 'open');
  document.body.dataset.right = store.right;
});
askForKey(connection, identity);
followStandby(connection, identity, { unfinished: 0 }, (url) => location.replace(url.replace(/(?=#|$)/, 'remote/')));
connection.connect();
