// The page's icons: line drawings on a 24 × 24 grid, in the colour of the surrounding text.

const kPaths = /** @type {const} */ ({
  undo: 'M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  redo: 'm15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3',
  pointer: 'M5 3l6.5 17 2.3-6.9L20.7 11z',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4 12H2M22 12h-2M5 5l1.5 1.5M17.5 17.5 19 19M19 5l-1.5 1.5M6.5 17.5 5 19',
  help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5',
  sources: 'M4 5h16v11H4zM8 20h8M10 8.5v4l4-2z',
  film: 'M4 4h16v16H4zM8 4v16M16 4v16M4 8h4M4 12h4M4 16h4M16 8h4M16 12h4M16 16h4',
  arrange: 'M4 4h7v9H4zM14 4h6v5h-6zM14 12h6v8h-6zM4 16h7v4H4z',
  sessions: 'M6 3h10l3 3v15H5V4a1 1 0 0 1 1-1zM8 3v6h7V3M8 14h8M8 17.5h5',
  inspector: 'M4 7h9M17 7h3M4 12h3M11 12h9M4 17h11M19 17h1M15 5v4M9 10v4M17 15v4',
  stats: 'M4 20V4M4 20h16M7 15l4-5 3 3 5-7',
  history: 'M4 12a8 8 0 1 0 2.5-5.8L4 8.5M4 4v4.5h4.5M12 8v4.5l3 2',
  'page-before': 'M6 3h9l4 4v14H6zM14 9.5 10.5 13l3.5 3.5',
  'page-next': 'M6 3h9l4 4v14H6zM11 9.5l3.5 3.5-3.5 3.5',
  play: 'M7 5v14l11-7z',
  replay: 'M4 5v5h5M4.6 10A8 8 0 1 1 4 14',
  pause: 'M8 5v14M16 5v14',
  lock: 'M6 11h12v9H6zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11',
  unlock: 'M6 11h12v9H6zM8.5 11V7.5a3.5 3.5 0 0 1 6.8-1.2',
  close: 'M6 6l12 12M18 6 6 18',
  front: 'M4 4h11v11H4zM18 9h2v11H9v-2',
  back: 'M9 9h11v11H9zM15 6V4H4v11h2',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  stretch: 'M3 12h18M6 9l-3 3 3 3M18 9l3 3-3 3M12 6v12',
  whole: 'M3 5h18v14H3zM3 12h18M12 5v14',
  maximise: 'M14 4h6v6M20 4l-7 7M10 20H4v-6M4 20l7-7',
  restore: 'M20 10h-6V4M14 10l6-6M4 14h6v6M10 14l-6 6',
  control: 'M9 11V5.5a1.5 1.5 0 0 1 3 0V11m0-1.5a1.5 1.5 0 0 1 3 0V11a1.5 1.5 0 0 1 3 0v4c0 3-2 6-5.5 6-3 0-4.5-1.5-5.5-4l-2-4c1.5-1 2.5-.5 4 1z',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4.5 4.5',
  volume: 'M4 9.5h4L13 5v14l-5-4.5H4zM16.5 8.5a5 5 0 0 1 0 7',
  mute: 'M4 9.5h4L13 5v14l-5-4.5H4zM16.5 9.5l5 5M21.5 9.5l-5 5',
  blank: 'M3 5h18v12H3zM8 20h8M6 8l12 6M12 17v3',
  freeze: 'M12 3v18M4.2 7.5l15.6 9M19.8 7.5l-15.6 9',
  swap: 'M4 8h14l-4-4M20 16H6l4 4',
  star: 'M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9-4.3-4.1 5.9-.8z',
  folder: 'M3 6h6l2 2h10v11H3z',
  loop: 'M4 12V9a3 3 0 0 1 3-3h12l-3-3M20 12v3a3 3 0 0 1-3 3H5l3 3',
  trash: 'M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13',
  upload: 'M12 16V4M7 9l5-5 5 5M4 16v4h16v-4',
  screen: 'M3 4h18v12H3zM8 20h8M12 16v4M12 13V7M9 10l3-3 3 3',
  camera: 'M3 7h12v10H3zM15 11l6-4v10l-6-4',
  home: 'M4 11l8-7 8 7M6 9.5V20h12V9.5',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  'turn-left': 'M4 5v5h5M4.6 10A8 8 0 1 1 7 18',
  'turn-right': 'M20 5v5h-5M19.4 10A8 8 0 1 0 17 18',
  flip: 'M12 3v18M9 7v10H3zM15 7v10h6z',
  rename: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  pen: 'M4 20l2-6L16 4l4 4-10 10zM14 6l4 4',
  highlighter: 'M9 10v5l-4 4h6l3-3h2l5-6-6-6zM3 22h18',
  arrow: 'M5 19 19 5M10 5h9v9',
  text: 'M5 7V4h14v3M12 4v16M9 20h6',
  eraser: 'M8 20l-4-4L15 5l5 5-10 10zM9 11l5 5M8 20h12',
});

/** @typedef {keyof typeof kPaths} IconName */

/** @param {IconName} name @returns {SVGSVGElement} hidden from screen readers; the button around it has the label */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon-lines');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', kPaths[name]);
  svg.append(path);
  return svg;
}

/**
 * A button with an icon and no text.
 * @param {IconName} name @param {string} label the action, for the tooltip and for screen readers
 * @param {() => void} [press]
 */
export function iconButton(name, label, press) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'icon';
  button.append(icon(name));
  button.title = label;
  button.setAttribute('aria-label', label);
  if (press) button.addEventListener('click', press);
  return button;
}
