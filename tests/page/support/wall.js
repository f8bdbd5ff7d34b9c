// A real wall on loopback, ports chosen by the system: manager, receivers in memory, players.
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
  /** Those that start() started, in the order of their names. @type {Program[]} */
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
   * @param {object} [keys] beside the grid, in the wall's file
   * @param {Record<string, string>} [variables] of the programs' environment
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
   * @param {{ grid?: Grid, key?: string, keys?: object, variables?: Record<string, string>, managerArguments?: (folder: string) => string[] | Promise<string[]> }} [options] managerArguments: may put
   *   into the wall's folder what they name
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
      SDL_AUDIODRIVER: 'dummy', // films are heard by nobody, also where there is no sound card
      ...this.#variables,
    };
  }

  /** Where a browser finds the page. */
  get url() {
    return `${this.#secure ? 'https' : 'http'}://127.0.0.1:${this.#pagePort}/`;
  }

  get size() {
    const { columns, rows, resolution: [width, height], mullion: [gapX, gapY] = [0, 0] } = this.#grid;
    return [columns * (width + gapX) - gapX, rows * (height + gapY) - gapY];
  }

  /** Starts the manager; a second time at the ports of the first, so that everybody finds it again. */
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

  /** Ends the manager as `vitrail down` does, with the players that it started. */
  async stopManager() {
    await this.call('shutdown');
    await this.manager?.ended;
    this.#control?.close();
  }

  /** Ends the manager as a crash would. */
  async killManager() {
    this.#control?.close();
    await this.manager?.end('SIGKILL');
  }

  /** @param {string} name of the receiver in the wall file */
  startReceiver(name) {
    return this.start('vitrail-receiver', '--manager', `127.0.0.1:${this.#port}`, '--name', name, '--display=null');
  }

  /**
   * A program that runs on, ended with the wall.
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
   * The `vitrail` command, run to its end.
   * @param {string[]} commandArguments
   */
  vitrail(...commandArguments) {
    return run('vitrail', commandArguments, this.env);
  }

  /**
   * A request over the test's own control connection.
   * @param {string} method
   * @param {object} [params]
   */
  call(method, params = {}) {
    if (!this.#control) throw new Error('no manager is running');
    return this.#control.call(method, params);
  }

  /** The manager's state. */
  state() {
    return this.call('list');
  }

  /** Another client, closed by the test. @param {string} name */
  client(name) {
    return Control.open(this.#port, { key: this.#key, name });
  }

  /** @param {number} number @returns {Promise<any>} the window, undefined when there is none of that number */
  async window(number) {
    return (await this.state()).windows.find((/** @type {any} */ window) => window.window === number);
  }

  /**
   * Starts a player and waits for its window, gives the window's number.
   * @param {string} media
   * @param {object} [params] of the verb `play`
   */
  async play(media, params = {}) {
    const { window } = await this.call('play', { media: [media], ...params });
    return /** @type {number} */ (window);
  }

  /** What the tiles show at one instant. */
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
