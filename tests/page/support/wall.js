// A real wall on loopback, with ports chosen by the system: manager, receivers without displays, players.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { Control } from './control.js';
import { waitFor } from './patience.js';
import { readPng } from './png.js';
import { Program, run } from './programs.js';

/**
 * @typedef {object} Grid as in a wall file
 * @property {number} columns
 * @property {number} rows
 * @property {[number, number]} resolution
 * @property {[number, number]} [mullion]
 */

export class Wall {
  #port = 0;
  #pagePort = 0;
  #programs = 0;
  /** @type {Program[]} */
  #running = [];
  /** The receivers that start() started, in the order of their names. @type {Program[]} */
  receivers = [];
  #grid;
  #key;
  #managerArguments;
  #variables;
  #secure = false;
  /** @type {Control | undefined} */
  #control;
  /** @type {Program | undefined} */
  manager;

  /**
   * @param {Grid} grid
   * @param {string} key
   * @param {string[]} managerArguments
   * @param {object} [keys] further keys of the wall file
   * @param {Record<string, string>} [variables] added to the programs' environment
   */
  constructor(grid, key, managerArguments, keys = {}, variables = {}) {
    this.#grid = grid;
    this.#key = key;
    this.#managerArguments = managerArguments;
    this.#variables = variables;
    this.folder = mkdtempSync(path.join(tmpdir(), 'vitrail-page-'));
    writeFileSync(path.join(this.folder, 'wall.json'), JSON.stringify({ name: 'test', grid, ...keys }));
  }

  /**
   * @param {{ grid?: Grid, key?: string, keys?: object, variables?: Record<string, string>, managerArguments?: (folder: string) => string[] | Promise<string[]> }} [options] managerArguments: may create
   *   the files that they name in the wall's folder
   */
  static async start({ grid = { columns: 2, rows: 1, resolution: [320, 180], mullion: [8, 8] }, key = '', keys = {}, variables = {},
    managerArguments = () => [] } = {}) {
    const wall = new Wall(grid, key, [], keys, variables);
    try {
      wall.#managerArguments = await managerArguments(wall.folder);
      wall.#secure = wall.#managerArguments.includes('--page-certificate');
      await wall.startManager();
      for (let i = 1; i <= grid.columns * grid.rows; ++i) wall.receivers.push(wall.startReceiver(`node${i}`));
      await waitFor(async () => (await wall.state()).receivers.every((/** @type {any} */ receiver) => receiver.connected),
        'all receivers are connected');
    } catch (error) {
      await wall.close();
      throw error;
    }
    return wall;
  }

  get env() {
    return {
      ...process.env, VITRAIL_MANAGER: `127.0.0.1:${this.#port}`, VITRAIL_KEY: this.#key, HOME: this.folder,
      XDG_STATE_HOME: path.join(this.folder, 'state'), XDG_DATA_HOME: path.join(this.folder, 'data'), NO_COLOR: '1',
      SDL_AUDIODRIVER: 'dummy', // no sound card is needed and nothing is heard
      ...this.#variables,
    };
  }

  /** The URL of the page. */
  get url() {
    return `${this.#secure ? 'https' : 'http'}://127.0.0.1:${this.#pagePort}/`;
  }

  get size() {
    const { columns, rows, resolution: [width, height], mullion: [gapX, gapY] = [0, 0] } = this.#grid;
    return [columns * (width + gapX) - gapX, rows * (height + gapY) - gapY];
  }

  /** Starts the manager; a restart uses the same ports, so that everything reconnects. */
  async startManager() {
    const [portFile, pagePortFile] = ['port', 'page-port'].map((name) => path.join(this.folder, name));
    rmSync(portFile, { force: true });
    rmSync(pagePortFile, { force: true });
    const manager = this.start('vitrail-manager', '--wall', path.join(this.folder, 'wall.json'),
      '--listen', `127.0.0.1:${this.#port}`, '--port-file', portFile,
      '--page', `127.0.0.1:${this.#pagePort}`, '--page-port-file', pagePortFile, ...this.#managerArguments);
    this.manager = manager;
    await waitFor(() => {
      if (!manager.running) return true;
      return [portFile, pagePortFile].every((file) => existsSync(file) && readFileSync(file, 'utf8').trim());
    }, 'the manager listens');
    if (!manager.running) throw new Error(`the manager ended: ${manager.output()}`);
    this.#port = Number(readFileSync(portFile, 'utf8'));
    this.#pagePort = Number(readFileSync(pagePortFile, 'utf8'));
    this.#control = await Control.open(this.#port, { key: this.#key });
  }

  /** Ends the manager and the players that it started, as `vitrail down` does. */
  async stopManager() {
    await this.call('shutdown');
    await this.manager?.ended;
    this.#control?.close();
  }

  /** Kills the manager, as a crash would. */
  async killManager() {
    this.#control?.close();
    await this.manager?.end('SIGKILL');
  }

  /** @param {string} name of the receiver in the wall file */
  startReceiver(name) {
    return this.start('vitrail-receiver', '--manager', `127.0.0.1:${this.#port}`, '--name', name, '--display=null');
  }

  /**
   * Starts a program that runs until the wall is closed.
   * @param {string} name
   * @param {string[]} programArguments
   */
  start(name, ...programArguments) {
    const log = path.join(this.folder, `${name}.${++this.#programs}.log`);
    const program = new Program(name, programArguments, { env: this.env, log });
    this.#running.push(program);
    return program;
  }

  /**
   * Runs the `vitrail` command to its end.
   * @param {string[]} commandArguments
   */
  vitrail(...commandArguments) {
    return run('vitrail', commandArguments, this.env);
  }

  /**
   * Sends a request over the test's own control connection.
   * @param {string} method
   * @param {object} [params]
   */
  call(method, params = {}) {
    if (!this.#control) throw new Error('no manager is running');
    return this.#control.call(method, params);
  }

  /** The answer of `list`. */
  state() {
    return this.call('list');
  }

  /** Connects another client; the test closes it. @param {string} name */
  client(name) {
    return Control.open(this.#port, { key: this.#key, name });
  }

  /** @param {number} number @returns {Promise<any>} the window, or undefined if it does not exist */
  async window(number) {
    return (await this.state()).windows.find((/** @type {any} */ window) => window.window === number);
  }

  /**
   * Starts a player and returns the number of its window.
   * @param {string} media
   * @param {object} [params] of the request `play`
   */
  async play(media, params = {}) {
    const { window } = await this.call('play', { media: [media], ...params });
    return /** @type {number} */ (window);
  }

  /** A snapshot of all tiles at one instant. */
  async wallPixels() {
    const file = path.join(this.folder, `wall-${++this.#programs}.png`);
    await this.vitrail('snapshot', file);
    const picture = readPng(readFileSync(file));
    rmSync(file);
    return picture;
  }

  async close() {
    this.#control?.close();
    for (const program of this.#running.reverse()) await program.end();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
