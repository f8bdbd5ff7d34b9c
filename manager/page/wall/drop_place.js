// Where files that are carried over the wall from the computer would come to stand.

import { element } from '../dom.js';

/** @param {HTMLElement} stage what takes the files @param {HTMLElement} view in which the place is shown */
export function showDropPlace(stage, view) {
  const mark = element('div', { class: 'drop-place', hidden: true, 'aria-hidden': 'true' }, element('span', {}));
  view.append(mark);
  const hide = () => (mark.hidden = true);
  stage.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    const box = view.getBoundingClientRect();
    const files = event.dataTransfer.items.length;
    mark.hidden = event.clientY >= box.bottom;
    mark.style.transform = `translate(${event.clientX - box.left}px, ${event.clientY - box.top}px)`;
    if (mark.firstElementChild) mark.firstElementChild.textContent = files > 1 ? `${files} files, here` : 'Here';
  });
  stage.addEventListener('dragleave', (event) => stage.contains(/** @type {Node | null} */ (event.relatedTarget)) || hide());
  stage.addEventListener('drop', hide);
}
