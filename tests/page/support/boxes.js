// Checks by bounding boxes, in the browser, that every control can be reached.

/** @typedef {import('playwright-core').Page} Page */

const kControls = 'button, input, select, textarea, a[href], summary, [role=menuitem], [role=tab]';

/**
 * Problems of the page's controls: two that overlap, one outside the reachable area, one behind another element,
 * one whose text does not fit. Content that a panel scrolls to is reachable; dialogs and menus may cover everything else.
 * @param {Page} page @returns {Promise<string[]>}
 */
export function wrongBoxes(page) {
  return page.evaluate((kControls) => {
    /** @typedef {{left: number, top: number, right: number, bottom: number}} Box */
    /** @param {Box} a @param {Box} b @returns {Box} */
    const common = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });
    /** @param {Box} box */
    const isEmpty = ({ left, top, right, bottom }) => right - left < 2 || bottom - top < 2; // ignore overlaps of less than two pixels
    /** @param {Element} node */
    const name = (node) => node.getAttribute('aria-label') || node.textContent?.trim() || node.id || node.className;
    const page = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const top = document.querySelector('dialog[open], [role=menu]') ?? document.body;
    const wrongs = [];
    /** @type {{node: Element, box: Box}[]} */
    const seen = [];
    for (const node of top.querySelectorAll(kControls)) {
      if (!node.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true }) || node.matches('.unseen')) continue;
      const whole = node.getBoundingClientRect();
      /** @type {Box} */
      let box = whole;
      let scrolled = false;
      for (let parent = node.parentElement; parent; parent = parent.parentElement) {
        const { overflowY } = getComputedStyle(parent);
        if (overflowY !== 'auto' && overflowY !== 'scroll') continue;
        scrolled = true;
        const frame = parent.getBoundingClientRect();
        if (whole.left < frame.left - 1 || whole.right > frame.right + 1) wrongs.push(`“${name(node)}” is wider than what it scrolls in`);
        box = common(box, frame);
      }
      if (scrolled && isEmpty(box)) continue;
      const inside = common(box, page);
      if (Math.abs(inside.right - inside.left - (box.right - box.left)) > 1 || Math.abs(inside.bottom - inside.top - (box.bottom - box.top)) > 1) wrongs.push(`“${name(node)}” is outside of the page`);
      const found = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
      if (!found || (found !== node && !node.contains(found))) wrongs.push(`at the middle of “${name(node)}” is ${found ? `“${name(found).slice(0, 40)}”` : 'nothing'}`);
      const cut = getComputedStyle(node).textOverflow === 'ellipsis'; // on purpose: a light's words are as long as the wall's trouble
      if (node.matches('button, summary') && !cut && node.scrollWidth > node.clientWidth + 1) wrongs.push(`the words of “${name(node)}” do not fit`);
      for (const other of seen) {
        const both = common(box, other.box);
        if (both.right - both.left > 1 && both.bottom - both.top > 1) wrongs.push(`“${name(node)}” and “${name(other.node)}” overlap`);
      }
      seen.push({ node, box });
    }
    return wrongs;
  }, kControls);
}

/**
 * The controls that are too small for a finger: less than 44 CSS pixels wide or high, with the label around them.
 * @param {Page} page with a touch screen @returns {Promise<string[]>}
 */
export function smallTargets(page) {
  return page.evaluate((kControls) => {
    const least = 43.5; // sizes are rounded
    return [...document.querySelectorAll(kControls)].flatMap((node) => {
      if (!node.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true }) || node.matches('.unseen')) return [];
      const { width, height } = (node.closest('label') ?? node).getBoundingClientRect();
      const name = node.getAttribute('aria-label') || node.textContent?.trim() || node.id || node.className;
      return Math.min(width, height) >= least ? [] : [`“${name}” has ${width.toFixed()} × ${height.toFixed()}`];
    });
  }, kControls);
}
