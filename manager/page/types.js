// The objects of the control protocol as the page sees them (manager/COMMANDS.md), for the type checker only.
// Rectangles are [x, y, width, height] in wall pixels, sizes [width, height], points [x, y].

/** @typedef {[number, number, number, number]} Rect wall pixels: x, y, width, height */
/** @typedef {[number, number]} Point */
/** @typedef {[number, number]} Size */

/**
 * @typedef {object} Tile
 * @property {string} name
 * @property {string} receiver
 * @property {Point} at wall pixels
 * @property {Size} size wall pixels
 * @property {Size} resolution
 * @property {number} rotation
 */

/**
 * @typedef {object} Wall
 * @property {string} name
 * @property {Size} size
 * @property {Tile[]} tiles
 * @property {object[]} [audio] its loudspeakers; absent: it has none
 */

/**
 * @typedef {object} Receiver
 * @property {string} name
 * @property {string} place
 * @property {boolean} local
 * @property {boolean} connected
 * @property {string} [host]
 * @property {number} [port]
 * @property {Record<string, any>} [stats]
 */

/**
 * What the application tells of its playing; position_s was true at wall time at_ns.
 * @typedef {object} Playback
 * @property {number} position_s
 * @property {number} at_ns
 * @property {number} duration_s 0: unknown or live
 * @property {boolean} paused
 * @property {number} rate
 * @property {boolean} loop
 * @property {number} [volume] 0 to 1; absent: no sound
 * @property {boolean} [live]
 * @property {boolean} [ended] it stands at its end, and begins again when it is resumed
 * @property {number} [silent_since_s] seconds since 1970: its live source has sent nothing since
 * @property {number} [jumped_s] seconds since 1970: the time stamps of its live source jumped then, lastly
 * @property {boolean} [fallback] something else is shown while the source is silent
 * @property {number} [page] from 1
 * @property {number} [pages]
 */

/** @typedef {{rotate?: 0 | 90 | 180 | 270, flip?: boolean, opacity?: number, crop?: Rect, stereo?: 'left' | 'right' | 'anaglyph', halves?: 'top-bottom'}} Look what is absent is as usual */

/**
 * @typedef {object} WallWindow
 * @property {number} window its number
 * @property {string} title
 * @property {string} owner
 * @property {string} codec
 * @property {number} [volume] 0 to 1; absent: 1
 * @property {boolean} [muted]
 * @property {string} transport
 * @property {Size} frame_size
 * @property {Rect} rect
 * @property {number} [fps]
 * @property {Record<string, any>} [stats]
 * @property {boolean} [locked]
 * @property {boolean} [maximised]
 * @property {Look} [look] how it shows its picture; absent: as it is
 * @property {Size} [shown_size] what is seen of it, as large as it is by itself; absent: frame_size
 * @property {string} [by] who changed it last
 * @property {string} [opener] name of the key that opened it
 * @property {{client: number, name: string}} [held] who moves it now
 * @property {boolean} [input] its application takes pointer and keys
 * @property {boolean} [relaunch]
 * @property {string} [partition]
 * @property {string[]} [media]
 * @property {Playback} [playback]
 * @property {string} [on] the node that it plays on
 * @property {{why: string, since_s: number}} [lost] its program is, and started again
 * @property {string} [away] which of its ranks is, since when, and what comes of that
 */

/** @typedef {'well' | 'slow' | 'bad'} Grade */
/** @typedef {{state: Grade, sentence: string, window?: number, receiver?: string}} Problem */
/** @typedef {{state: Grade, sentence: string, problems: Problem[]}} Health of the wall, the worst problem first */
/** @typedef {{state: Grade, picture: 'shown' | 'still' | 'late', cause: string, sentence: string}} Diagnosis of a window: what keeps it from moving, and what to do */
/** @typedef {{client: number, name: string, colour: string}} Person */
/** @typedef {{opening: number, title: string, rect: Rect, since_s: number}} Opening a player that works on its window */
/** @typedef {{name: string, rect: Rect}} Partition */
/** @typedef {{name: string, windows: number, saved_at: number, rects?: Rect[]}} Saved saved_at: seconds since 1970; rects: of a layout, bottom to top, of many windows the topmost's */
/** @typedef {{who: string, what: string}} Step */
/** @typedef {{number: number, who: string, what: string, note?: boolean, at?: number}} HistoryEntry note: what nobody can take back; at: seconds since 1970 */
/** @typedef {{undo: Step | null, redo: Step | null, done: number, entries: HistoryEntry[]}} History entries with a number above done are undone */

/**
 * The state as the page keeps it: what `list` answers, with the windows by number.
 * @typedef {object} WallState
 * @property {number} revision
 * @property {number} epoch
 * @property {boolean} identify
 * @property {boolean} overlay
 * @property {boolean} blank all tiles are black
 * @property {{volume: number, muted: boolean}} sound of all windows together
 * @property {Health} health
 * @property {Wall} wall
 * @property {Receiver[]} receivers
 * @property {Map<number, WallWindow>} windows
 * @property {number[]} order bottom to top
 * @property {Person[]} clients
 * @property {Partition[]} partitions
 * @property {History} history
 * @property {Opening[]} openings
 * @property {Saved[]} layouts
 * @property {Saved[]} sessions
 */

/**
 * @typedef {object} WindowFigures
 * @property {number} window
 * @property {number} fps
 * @property {number} [fps_wanted] 0: nothing moves, or nobody knows
 * @property {number} mbit_per_s
 * @property {number} frames_dropped
 * @property {number} [frames_skipped] never handed over by the application, since they were too late
 * @property {Diagnosis} [health]
 * @property {number} latency_ms_p50
 * @property {number} latency_ms_p99
 * @property {number} skew_us_p99
 */

/** @typedef {{wall_ns: number, windows: WindowFigures[], receivers: ({name: string} & Record<string, any>)[]}} Figures */
/** @typedef {{client: number, pointer: number, name: string, colour: string, at: Point, pressed: boolean}} WallPointer */
/** @typedef {{window: number, size: Size, jpeg: string}} Thumbnail jpeg: base64 */

export {};
