// The objects of the control protocol as the page uses them (manager/COMMANDS.md), for the type checker only.
// Rectangles are [x, y, width, height] in wall pixels, sizes [width, height], points [x, y].

/** @import { Right } from './rights.js' */

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
 * @property {object} [power]
 */

/**
 * @typedef {object} Wall
 * @property {string} name
 * @property {Size} size
 * @property {Tile[]} tiles
 * @property {object[]} [audio] the wall's loudspeakers; absent if there are none
 * @property {object} [power] how to turn displays on and off; also of tiles and of receivers
 * @property {{power?: object}[]} [receivers]
 */

/**
 * @typedef {object} Receiver
 * @property {string} name
 * @property {string} place
 * @property {boolean} local
 * @property {boolean} connected
 * @property {string} [host]
 * @property {number} [port]
 * @property {DisplayPower[]} [power] of the displays that were asked
 * @property {Record<string, any>} [stats]
 */

/** @typedef {{tile: string, power: 'on' | 'off' | 'warming' | 'cooling' | 'unknown', why?: string, wanted?: 'on' | 'off', disobeyed?: boolean}} DisplayPower */

/**
 * Playback state as the application reports it; position_s is the position at wall time at_ns.
 * @typedef {object} Playback
 * @property {number} position_s
 * @property {number} at_ns
 * @property {number} duration_s 0: unknown or live
 * @property {boolean} paused
 * @property {number} rate
 * @property {boolean} loop
 * @property {number} [volume] 0 to 1; absent: no sound
 * @property {boolean} [live]
 * @property {boolean} [ended] at its end; resuming starts from the beginning
 * @property {number} [silent_since_s] seconds since 1970; since then its live source has sent nothing
 * @property {number} [jumped_s] seconds since 1970; when the timestamps of its source last jumped
 * @property {boolean} [fallback] a replacement is shown while the source sends nothing
 * @property {number} [page] from 1
 * @property {number} [pages]
 * @property {Tracks} [tracks]
 */

/** @typedef {{format: string, language?: string, title?: string, file?: string, pictures?: boolean, forced?: boolean}} SubtitleTrack */
/** @typedef {{format: string, language?: string, title?: string, layout?: string, channels?: number}} SoundTrack */
/** @typedef {{subtitles?: SubtitleTrack[], sounds?: SoundTrack[], subtitle?: number, sound: number}} Tracks as in sail/PROTOCOL.md, "playback" */

/** @typedef {{rotate?: 0 | 90 | 180 | 270, flip?: boolean, opacity?: number, crop?: Rect, stereo?: 'left' | 'right' | 'anaglyph', halves?: 'top-bottom'}} Look absent members: unchanged picture */

/**
 * @typedef {object} WallWindow
 * @property {number} window the window's number
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
 * @property {boolean} [hidden] not on the wall; the page leaves it out
 * @property {{kind: 'wallpaper' | 'logo' | 'curtain'}} [decoration] people do not arrange it
 * @property {boolean} [maximised]
 * @property {{text: string}} [blank] it is black on the wall
 * @property {{mute: boolean}} [frozen] its picture on the wall stays
 * @property {Look} [look] view transform of its picture; absent: unchanged
 * @property {Size} [shown_size] natural size of its visible part; absent: frame_size
 * @property {number} [strokes] the number of strokes on it
 * @property {string} [by] name of the person who changed it last
 * @property {string} [opener] name of the key that opened it
 * @property {{client: number, name: string}} [held] the client that is moving it now
 * @property {{client: number, name: string, since_s: number, alone?: boolean}} [driver] who sends input to its application; absent: nobody; alone: input of others is refused
 * @property {boolean} [input] its application accepts pointer and key input
 * @property {boolean} [relaunch]
 * @property {string} [partition]
 * @property {string[]} [media]
 * @property {Playback} [playback]
 * @property {string} [on] the node that its player runs on
 * @property {{why: string, since_s: number}} [lost] its program ended and is being restarted
 * @property {string} [away] a sentence about missing ranks: which, since when, what happens next
 */

/** @typedef {'well' | 'slow' | 'bad'} Grade */
/** @typedef {{state: Grade, sentence: string, window?: number, receiver?: string}} Problem */
/** @typedef {{state: Grade, sentence: string, problems: Problem[]}} Health of the wall, the worst problem first */
/** @typedef {{state: Grade, picture: 'shown' | 'still' | 'late', cause: string, sentence: string}} Diagnosis of a window: why it does not play smoothly, and what to do */
/** @typedef {{client: number, name: string, colour: string, right: Right, key?: string}} Person key: its name; absent: the wall's own key */
/** @typedef {{opening: number, title: string, rect: Rect, since_s: number, awaits_sender?: boolean}} Opening a player that has not opened its window yet */
/** @typedef {{event: string, id?: string, since_s: number, acknowledge?: boolean, shown?: boolean, failed?: {title: string, why: string}[]}} ActiveEvent acknowledge: people may end it; shown: the wall shows its scene; failed: what it could not do */
/** @typedef {{n: number, at: number, verb: string, who?: string, key?: string, role?: string, from?: string, params?: Record<string, unknown> | string, did?: string, error?: string, lost?: number, changed?: Record<string, number[] | Record<string, unknown>>}} JournalEntry at: seconds since 1970; changed: by window, or for the wall, the values before and after */
/** @typedef {{name: string, rect: Rect}} Partition */
/** @typedef {{name: string, windows: number, saved_at: number, rects?: Rect[]}} Saved saved_at: seconds since 1970; rects: only for layouts, bottom to top; if there are many, the topmost windows only */
/** @typedef {{who: string, what: string}} Step */
/** @typedef {{number: number, who: string, what: string, note?: boolean, at?: number}} HistoryEntry note: an entry that cannot be undone; at: seconds since 1970 */
/** @typedef {{undo: Step | null, redo: Step | null, done: number, entries: HistoryEntry[]}} History entries with a number above `done` have been undone */

/**
 * The state as the page keeps it: the answer of `list`, with a map of windows by number.
 * @typedef {object} WallState
 * @property {number} revision
 * @property {number} epoch
 * @property {boolean} identify
 * @property {string} calibrate the test pattern on the wall
 * @property {boolean} overlay
 * @property {boolean} blank all tiles are black
 * @property {string} blank_text a line on the blank wall
 * @property {{volume: number, muted: boolean}} sound master volume of the wall
 * @property {Health} health
 * @property {Wall} wall
 * @property {Receiver[]} receivers
 * @property {Map<number, WallWindow>} windows
 * @property {Map<number, WallWindow>} decorations wallpapers, logos and curtains, which are not among the windows
 * @property {number[]} order bottom to top
 * @property {Person[]} clients
 * @property {Partition[]} partitions
 * @property {History} history
 * @property {Opening[]} openings
 * @property {ActiveEvent[]} events in the order in which they began
 * @property {Saved[]} layouts
 * @property {Saved[]} sessions
 * @property {{name: string, items: number}[]} playlists
 */

/**
 * @typedef {object} WindowFigures
 * @property {number} window
 * @property {number} fps
 * @property {number} [fps_wanted] 0: still or unknown
 * @property {number} mbit_per_s
 * @property {number} frames_dropped
 * @property {number} [frames_skipped] that the application left out because they were late
 * @property {Diagnosis} [health]
 * @property {number} latency_ms_p50
 * @property {number} latency_ms_p99
 * @property {number} skew_us_p99
 */

/** @typedef {{wall_ns: number, windows: WindowFigures[], receivers: ({name: string} & Record<string, any>)[]}} Figures */
/** @typedef {{client: number, pointer: number, name: string, colour: string, at: Point, pressed: boolean, style?: string}} WallPointer */
/** @typedef {{window: number, peak: number, rms: number}} Level of a window's sound: 0 to 1 */
/** @typedef {{window: number, size: Size, jpeg: string}} Thumbnail jpeg: base64 */
/** @typedef {{title?: string, notes?: string, cut?: boolean}} PageNotes of one page: title of the slide; cut: the document has more */
/** @typedef {{points: number[], width: number, colour: string, opacity: number, arrow?: boolean, text?: string[], by?: string}} Stroke points: x, y, …, in parts of the window or wall (65535: its width or height); width: in parts of the height; opacity: percent; text: its lines, from the first point, each as high as the width */

export {};
