// Creates SVG elements.

/** @param {string} tag @param {Record<string, string | number>} attributes @param {...Node} children @returns {SVGElement} */
export function svg(tag, attributes, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}
