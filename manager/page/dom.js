// Creates elements without HTML text: text from outside (titles, names) only ever becomes a text node.

/**
 * Creates an element: element('button', {class: 'wide', title: 'Close'}, 'Close'). Functions (`onNAME`) become listeners;
 * attributes that are false, null or undefined are omitted.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Record<string, any>} [attributes] @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') node.addEventListener(name.replace(/^on/, '').toLowerCase(), value);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  node.append(...children);
  return node;
}

/** The element with this id; throws if the page has none. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element “${id}” in the page`);
  return found;
}
