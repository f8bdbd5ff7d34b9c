// All actions of the page, each with its label, keys and condition. The keyboard, menus, toolbar, help dialog and palette
// use this one list.

import { askForCurtain } from './dialogs.js';
import { keysText } from './keys.js';
import { documentsToTurn, kindOf, sounds, turnPages } from './kinds.js';
import { showMenu } from './menu.js';
import { moves } from './panels/playback.js';
import { reaches } from './rights.js';
import { t } from './texts.js';
import { mostUnder, tileRect } from './wall/geometry.js';
import { gestureName } from './wall/drags.js';
import { turnedOn } from './wall/look.js';
import { kNudges, nudged, sized } from './wall/nudge.js';
import { kStyles } from './wall/own_pointer.js';
import { kModes } from './wall/pen.js';

/** @import { IconName } from './icons.js' */
/** @import { Kind } from './kinds.js' */
/** @import { MenuItem } from './menu.js' */
/** @import { Right } from './rights.js' */
/** @import { ShareKind } from './shares.js' */
/** @import { Store } from './store.js' */
/** @import { Key } from './texts.js' */
/** @import * as T from './types.js' */
/** @import { WallView } from './wall/view.js' */

const kSameGestureMs = 800; // nudges closer together than this form one undo step
const kMostPartitionsInMenu = 8;

/** An action as it is defined below; without a label, the text `action.ID` is used. @typedef {Omit<Action, 'label'> & {label?: string}} Unnamed */

/**
 * @typedef {object} Action
 * @property {string} id
 * @property {string} label in the page's language
 * @property {'windows' | 'wall' | 'view' | 'everything'} group
 * @property {string[]} keys chords as chordOf() returns them; may be empty
 * @property {IconName} [icon]
 * @property {() => boolean} [can] whether the action is possible and permitted now
 * @property {Right} [needs] the role that the action requires
 * @property {boolean} [anywhere] its keys work everywhere except in input fields, because presentation clickers send them
 * @property {() => void} run
 */

export class Actions {
  #store;
  #view;
  /** Opens parts of the page outside the wall view. */
  #page;
  /** @type {Action[]} */
  all;
  #nudge = { gesture: '', at: -Infinity };

  /** @param {Store} store @param {WallView} view @param {{help: () => void, palette: () => void, theme: () => void, singleKeys: () => void, share: (kind: ShareKind) => void}} page */
  constructor(store, view, page) {
    this.#store = store;
    this.#view = view;
    this.#page = page;
    const all = [...this.#windowActions(), ...this.#placeActions(), ...this.#wallActions(), ...this.#viewActions()];
    this.all = all.map((action) => ({ ...action, label: action.label ?? t(/** @type {Key} */ (`action.${action.id}`)), can: () => this.#may(action) && (action.can?.() ?? true) }));
  }

  /** Whether the person may run the action; actions on windows need permission for all selected windows. @param {Unnamed} action */
  #may({ needs: right, group, id }) {
    if (group === 'view' || group === 'everything') return true;
    if (id === 'all' || id === 'none') return true;
    if (group === 'windows' && !this.#store.mayChange(this.#store.selected())) return false;
    return reaches(this.#store.right, right ?? 'presenter');
  }

  /** @param {string} id @returns {Action} */
  get(id) {
    const action = this.all.find((one) => one.id === id);
    if (!action) throw new Error(`unknown action “${id}”`);
    return action;
  }

  /** Runs the action if it is possible now. @param {string} id */
  run(id) {
    const action = this.get(id);
    if (action.can?.() ?? true) action.run();
  }

  /** The action of this chord that is possible now, if any. @param {string} chord */
  forKey(chord) {
    return this.all.find((action) => action.keys.includes(chord) && (action.can?.() ?? true));
  }

  // --- definitions

  /** @returns {Unnamed[]} */
  #windowActions() {
    const some = () => this.#store.selection.size > 0;
    const one = () => this.#store.selection.size === 1;
    const takesInput = () => one() && this.#one().input === true;
    /** @param {Kind} kind */
    const all = (kind) => () => some() && this.#store.selected().every((window) => kindOf(window) === kind);
    const plays = all('film');
    const ends = () => plays() && this.#store.selected().some((window) => (window.playback?.duration_s ?? 0) > 0);
    const ended = () => plays() && this.#store.selected().every((window) => window.playback?.ended);
    const heard = () => some() && this.#store.selected().some((window) => !['document', 'picture'].includes(kindOf(window)));
    return [
      { id: 'control', group: 'windows', keys: ['Enter'], icon: 'control', can: takesInput, run: () => this.#view.input.enter(this.#one()) },
      { id: 'replay', group: 'windows', keys: ['R', 'Space'], icon: 'replay', can: ended, run: () => this.#control('resume') },
      { id: 'play', group: 'windows', keys: ['Space'], icon: 'play', can: plays, run: () => this.#playOrPause() },
      { id: 'loop', group: 'windows', keys: ['Shift+L'], icon: 'loop', can: ends, run: () => this.#loop() },
      { id: 'mute', group: 'windows', keys: ['Shift+M'], icon: 'mute', can: heard, run: () => this.#mute() },
      { id: 'page-before', group: 'windows', keys: [], icon: 'page-before', can: all('document'), run: () => turnPages(this.#store, this.#store.selected(), -1) },
      { id: 'page-next', group: 'windows', keys: [], icon: 'page-next', can: all('document'), run: () => turnPages(this.#store, this.#store.selected(), 1) },
      { id: 'front', group: 'windows', keys: [']'], icon: 'front', can: some, run: () => this.#stack('raise') },
      { id: 'back', group: 'windows', keys: ['['], icon: 'back', can: some, run: () => this.#stack('lower') },
      { id: 'swap', group: 'windows', keys: ['X'], icon: 'swap', can: () => this.#store.selection.size === 2, run: () => this.#swap() },
      { id: 'maximise', group: 'windows', keys: ['M'], icon: 'maximise', can: one, run: () => this.#maximise() },
      { id: 'turn', group: 'windows', keys: ['Shift+R'], icon: 'turn-right', can: some, run: () => this.#look((look) => ({ rotate: turnedOn(look) })) },
      { id: 'mirror', group: 'windows', keys: ['Shift+X'], icon: 'flip', can: some, run: () => this.#look((look) => ({ flip: !look.flip })) },
      { id: 'see-through', group: 'windows', keys: ['Shift+O'], icon: 'eye', can: some, run: () => this.#look((look) => ({ opacity: (look.opacity ?? 1) < 1 ? 1 : 0.5 })) },
      { id: 'lock', group: 'windows', keys: ['L'], icon: 'lock', can: some, run: () => this.#lock() },
      { id: 'close', group: 'windows', keys: ['Delete', 'Backspace'], icon: 'close', can: some, run: () => this.#close() },
      { id: 'all', group: 'windows', keys: ['Ctrl+A'], run: () => this.#store.select(this.#store.state?.order ?? []) },
      { id: 'none', group: 'windows', keys: ['Escape'], can: () => some() && !this.#view.pen.on, run: () => this.#store.select([]) },
    ];
  }

  /** @returns {Unnamed[]} */
  #placeActions() {
    const some = () => this.#store.selection.size > 0;
    const inPartition = () => some() && (this.#store.state?.partitions.length ?? 0) > 0;
    /** @type {Unnamed[]} */
    const nudges = [...kNudges].map(([chord, step]) => {
      const run = () => this.#place((rect) => nudged(rect, step));
      return { id: `nudge-${chord}`, label: t('action.nudge', { pixels: Math.abs(step[0] + step[1]) }), group: 'windows', keys: [chord], can: some, run };
    });
    return [
      { id: 'fit-tile', group: 'windows', keys: ['F'], icon: 'fit', can: some, run: () => this.#fitTile() },
      { id: 'fit-wall', group: 'windows', keys: ['Shift+F'], can: some, run: () => this.#fit(() => ({})) },
      { id: 'fill-tile', group: 'windows', keys: ['G'], can: some, run: () => this.#fitTile('fill') },
      { id: 'stretch-tile', group: 'windows', keys: [], can: some, run: () => this.#fitTile('stretch') },
      { id: 'fill-partition', group: 'windows', keys: ['Shift+G'], can: inPartition, run: () => this.#fillPartition() },
      { id: 'larger', group: 'windows', keys: ['+', '='], can: some, run: () => this.#place((rect) => sized(rect, 1.05)) },
      { id: 'smaller', group: 'windows', keys: ['-', '_'], can: some, run: () => this.#place((rect) => sized(rect, 1 / 1.05)) },
      ...nudges,
    ];
  }

  /** @returns {Unnamed[]} */
  #wallActions() {
    const store = this.#store;
    const any = () => (store.state?.windows.size ?? 0) > 0;
    return [
      { id: 'undo', group: 'wall', keys: ['Ctrl+Z'], icon: 'undo', can: () => store.state?.history.undo != null, run: () => void store.act('undo') },
      { id: 'redo', group: 'wall', keys: ['Ctrl+Y', 'Ctrl+Shift+Z'], icon: 'redo', can: () => store.state?.history.redo != null, run: () => void store.act('redo') },
      { id: 'grid', group: 'wall', needs: 'operator', keys: ['A'], icon: 'arrange', can: any, run: () => void store.act('arrange', { mode: 'grid' }) },
      { id: 'aspect', group: 'wall', needs: 'operator', keys: ['Shift+A'], can: any, run: () => void store.act('arrange', { mode: 'aspect' }) },
      { id: 'close-all', group: 'wall', keys: [], icon: 'close', can: any, run: () => this.#closeAll() },
      { id: 'share-screen', group: 'wall', keys: [], icon: 'screen', run: () => this.#page.share('screen') },
      { id: 'share-camera', group: 'wall', keys: [], icon: 'camera', run: () => this.#page.share('camera') },
      { id: 'turn-next', group: 'wall', keys: ['PageDown', 'ArrowRight'], anywhere: true, can: () => this.#anyDocument(), run: () => this.#turn(1) },
      { id: 'turn-before', group: 'wall', keys: ['PageUp', 'ArrowLeft'], anywhere: true, can: () => this.#anyDocument(), run: () => this.#turn(-1) },
      { id: 'blank', group: 'wall', keys: ['B', '.'], icon: 'blank', anywhere: true, run: () => void store.act('blank', { on: !store.state?.blank }) },
      { id: 'blank-text', group: 'wall', keys: ['Shift+B'], icon: 'blank', run: () => this.#blankWithText() },
      { id: 'freeze', group: 'wall', keys: ['E'], icon: 'freeze', can: any, run: () => this.#freeze() },
      { id: 'mute-all', group: 'wall', keys: ['Alt+M'], icon: 'mute', run: () => void store.act('master_volume', { muted: !store.state?.sound.muted }) },
      { id: 'identify', group: 'wall', needs: 'operator', keys: ['I'], icon: 'eye', run: () => void store.act('identify', { on: !store.state?.identify }) },
      { id: 'overlay', group: 'wall', needs: 'operator', keys: ['O'], icon: 'stats', run: () => void store.act('overlay', { on: !store.state?.overlay }) },
      { id: 'pointer', group: 'wall', keys: ['P'], icon: 'pointer', run: () => this.#pointer() },
      { id: 'pointer-style', group: 'wall', keys: ['Shift+P'], icon: 'pointer', run: () => this.#pointerStyle() },
      ...this.#penActions(),
    ];
  }

  /** @returns {Unnamed[]} */
  #penActions() {
    const { pen } = this.#view;
    const on = () => pen.on;
    /** @type {Unnamed[]} */
    const modes = kModes.map((mode) => ({ id: `draw-${mode}`, group: 'wall', keys: [], icon: mode, can: on, run: () => pen.turn(true, mode) }));
    return [
      { id: 'draw', group: 'wall', keys: ['D'], icon: 'pen', run: () => this.#draw(!pen.on) },
      ...modes,
      { id: 'draw-clear', group: 'wall', keys: [], icon: 'trash', can: on, run: () => void this.#store.act('annotate_clear') },
      { id: 'draw-end', group: 'wall', keys: ['Escape'], icon: 'close', can: on, run: () => this.#draw(false) },
    ];
  }

  /** @returns {Unnamed[]} */
  #viewActions() {
    const step = 1.25;
    return [
      { id: 'zoom-in', group: 'view', keys: ['Z'], icon: 'plus', run: () => this.#view.zoomBy(step) },
      { id: 'zoom-out', group: 'view', keys: ['Shift+Z'], icon: 'minus', run: () => this.#view.zoomBy(1 / step) },
      { id: 'whole', group: 'view', keys: ['0'], icon: 'whole', run: () => this.#view.showWhole() },
      { id: 'theme', group: 'view', keys: ['T'], icon: 'moon', run: () => this.#page.theme() },
      { id: 'single-keys', group: 'everything', keys: [], run: () => this.#page.singleKeys() },
      { id: 'palette', group: 'everything', keys: ['Ctrl+K'], icon: 'search', run: () => this.#page.palette() },
      { id: 'help', group: 'everything', keys: ['?'], icon: 'help', run: () => this.#page.help() },
    ];
  }

  // --- implementations

  /** The selected window if exactly one is selected; callers check the count. */
  #one() {
    return this.#store.selected()[0];
  }

  /** @param {'raise' | 'lower'} verb */
  #stack(verb) {
    const windows = this.#store.selected();
    void this.#store.act(verb, { windows: windows.map((window) => window.window) }).then((done) => {
      if (done) this.#store.say(t(verb === 'raise' ? 'said.front' : 'said.back', { name: named(windows) }), 'quiet');
    });
  }

  #swap() {
    const [window, other] = this.#store.selected().map((one) => one.window);
    void this.#store.act('swap', { window, other });
  }

  #maximise() {
    const window = this.#one();
    void this.#store.act('maximise', { window: window.window, on: !window.maximised });
  }

  /** @param {(look: T.Look) => object} change */
  #look(change) {
    for (const { window, look = {} } of this.#store.selected()) void this.#store.act('look', { window, ...change(look) });
  }

  #lock() {
    const windows = this.#store.selected();
    const on = windows.some((window) => !window.locked);
    for (const window of windows) void this.#store.act('lock', { window: window.window, on });
    this.#store.say(t(on ? 'said.locked' : 'said.unlocked', { name: named(windows) }), 'quiet');
  }

  #close() {
    void this.#store.act('close', { windows: this.#store.selected().map((window) => window.window) });
  }

  /** Locked windows and windows that this person may not change stay open. */
  #closeAll() {
    const windows = [...(this.#store.state?.windows.values() ?? [])].filter((window) => !window.locked && this.#store.mayChange([window])).map((window) => window.window);
    if (windows.length) void this.#store.act('close', { windows });
  }

  /** @param {string} action @param {number} [value] */
  #control(action, value) {
    for (const { window } of this.#store.selected()) void this.#store.act('control', { window, action, ...(value === undefined ? {} : { value }) });
  }

  #playOrPause() {
    this.#control(this.#store.selected().some((window) => moves(window.playback)) ? 'pause' : 'resume');
  }

  #loop() {
    const windows = this.#store.selected();
    const on = windows.some((window) => !window.playback?.loop);
    this.#control('loop', on ? 1 : 0);
    this.#store.say(t(on ? 'said.loops' : 'said.ends', { name: named(windows) }), 'quiet');
  }

  #mute() {
    const windows = this.#store.selected().filter((window) => sounds(this.#store, window));
    if (windows.length === 0) return this.#store.say(t('said.noSound'));
    const muted = windows.some((window) => !window.muted);
    for (const { window } of windows) void this.#store.act('sound', { window, muted });
    this.#store.say(t(muted ? 'said.muted' : 'said.unmuted', { name: named(windows) }), 'quiet');
  }

  #anyDocument() {
    return [...(this.#store.state?.windows.values() ?? [])].some((window) => kindOf(window) === 'document');
  }

  /** @param {1 | -1} step */
  #turn(step) {
    const documents = documentsToTurn(this.#store);
    if (documents.length === 0) return this.#store.say(t('said.chooseDocument'));
    turnPages(this.#store, documents, step);
  }

  #pointer() {
    const { ownPointer } = this.#view;
    ownPointer.turn(!ownPointer.on);
    document.getElementById('pointer-tool')?.setAttribute('aria-pressed', String(ownPointer.on));
    this.#toolTurned(ownPointer.on, ownPointer.on ? 'said.pointerOn' : 'said.pointerOff');
  }

  /** Takes the next style of the pointer, and turns the pointer on. */
  #pointerStyle() {
    const { ownPointer } = this.#view;
    ownPointer.style = kStyles[(kStyles.indexOf(ownPointer.style) + 1) % kStyles.length];
    if (!ownPointer.on) this.#pointer();
    this.#store.say(t(`pointer.${ownPointer.style}`), 'quiet');
  }

  /** @param {boolean} on */
  #draw(on) {
    this.#view.pen.turn(on);
    this.#toolTurned(on, on ? 'said.drawOn' : 'said.drawOff');
  }

  /** @param {boolean} on @param {Key} said */
  #toolTurned(on, said) {
    const { ownPointer, pen } = this.#view;
    this.#view.classList.toggle('pointing', ownPointer.on || pen.on);
    if (on) this.#view.focus({ preventScroll: true });
    this.#store.say(t(said), 'quiet');
  }

  /** @param {(window: T.WallWindow) => object} where */
  #fit(where) {
    for (const window of this.#store.selected()) void this.#store.act('fit', { window: window.window, ...where(window) });
  }

  /** @param {'fill' | 'stretch'} [how] fill: crop the picture to the tile's shape; stretch: distort it; omitted: show the whole picture */
  #fitTile(how) {
    this.#fit((window) => {
      const tile = mostUnder(window.rect, this.#store.state?.wall.tiles ?? [], tileRect);
      return { ...(tile ? { tile: tile.name } : {}), ...(how ? { [how]: true } : {}) };
    });
  }

  /** Freezes the selected windows, or all; shows their current pictures again if one of them is frozen. */
  #freeze() {
    const windows = this.#selectedOrAll();
    const chosen = this.#store.selection.size > 0 ? { windows: windows.map((window) => window.window) } : {};
    void this.#store.act('freeze', { on: !windows.some((window) => window.frozen), ...chosen });
  }

  /** Blanks the selected windows, or the wall, with a line and a picture that the person chooses. */
  #blankWithText() {
    const chosen = this.#store.selection.size > 0 ? { windows: [...this.#store.selection] } : {};
    askForCurtain(this.#store, (curtain) => void this.#store.act('blank', { on: true, ...curtain, ...chosen }));
  }

  #selectedOrAll() {
    return this.#store.selection.size > 0 ? this.#store.selected() : [...(this.#store.state?.windows.values() ?? [])];
  }

  #fillPartition() {
    this.#fit((window) => {
      const partitions = this.#store.state?.partitions ?? [];
      const partition = mostUnder(window.rect, partitions, (one) => one.rect) ?? partitions[0];
      return { partition: partition.name, fill: true };
    });
  }

  /** Moves or resizes the selection by keys; quick successive steps form one undo step. @param {(rect: T.Rect) => T.Rect} change */
  #place(change) {
    const windows = this.#store.selected().filter((window) => !window.locked);
    if (windows.length === 0) return this.#store.say(t('said.isLocked', { name: named(this.#store.selected()) }));
    const now = performance.now();
    if (now - this.#nudge.at > kSameGestureMs) this.#nudge.gesture = gestureName('keys');
    this.#nudge.at = now;
    const rects = new Map(windows.map((window) => [window.window, change(this.#store.rectOf(window.window))]));
    void this.#store.place(rects, { gesture: this.#nudge.gesture });
    const [[x, y, width, height]] = rects.values();
    this.#store.say(t('said.place', { x, y, width, height }), 'quiet');
  }

  // --- menus

  /** @param {T.Point} at client coordinates @param {number} window 0: the wall's own menu */
  openMenu(at, window) {
    if (window) showMenu(at, named(this.#store.selected()), this.#windowMenu());
    else showMenu(at, t('menu.wall'), this.#items(['all', 'grid', 'aspect', 'close-all', 'line', 'undo', 'redo', 'line', 'blank', 'blank-text', 'freeze', 'mute-all', 'line', 'share-screen', 'share-camera', 'line', 'draw', 'pointer', 'pointer-style', 'identify', 'overlay', 'whole']));
  }

  /** @returns {MenuItem[]} */
  #windowMenu() {
    const windows = this.#store.selected();
    const partitions = this.#store.state?.partitions.slice(0, kMostPartitionsInMenu) ?? [];
    /** @type {MenuItem[]} */
    const fits = partitions.map(({ name }) => ({ label: t('action.fit-partition', { name }), run: () => this.#fit(() => ({ partition: name })) }));
    const items = this.#items(['control', 'replay', 'play', 'loop', 'mute', 'page-before', 'page-next', 'front', 'back', 'maximise', 'swap', 'line', 'turn', 'mirror', 'see-through', 'freeze', 'blank-text', 'line', 'fit-tile', 'fill-tile', 'stretch-tile', 'fit-wall']);
    /** @type {MenuItem} */
    const lock = { label: t(windows.some((window) => !window.locked) ? 'menu.lock' : 'menu.unlock'), keys: 'L', icon: 'lock', run: () => this.#lock() };
    return this.get('lock').can?.() ? [...items, ...fits, 'line', lock, ...this.#items(['close'])] : items.filter((item) => item !== 'line');
  }

  /** @param {string[]} ids @returns {MenuItem[]} */
  #items(ids) {
    return ids.flatMap((id) => {
      if (id === 'line') return [/** @type {MenuItem} */ ('line')];
      const { label, keys, icon, can, run } = this.get(id);
      return can?.() === false ? [] : [{ label, keys: keysText(keys[0] ?? ''), icon, danger: id === 'close', run }];
    });
  }
}

/** @param {T.WallWindow[]} windows */
function named(windows) {
  return windows.length === 1 ? windows[0].title : t('windows', { count: windows.length });
}
