// Updates a list in place: entries keep their elements, and so focus and text selection, while their items change.

/**
 * Makes the parent's children match these items, in this order.
 * @template Item
 * @param {HTMLElement} parent has only these children @param {Iterable<Item>} items
 * @param {(item: Item) => string | number} key identifies the item @param {(item: Item) => HTMLElement} make
 * @param {(node: HTMLElement, item: Item) => void} [show] updates an element, also a new one
 */
export function showList(parent, items, key, make, show) {
  const before = new Map([...parent.children].map((node) => [/** @type {HTMLElement} */ (node).dataset.key, /** @type {HTMLElement} */ (node)]));
  let place = parent.firstElementChild;
  for (const item of items) {
    const name = String(key(item));
    let node = before.get(name);
    before.delete(name);
    if (!node) {
      node = make(item);
      node.dataset.key = name;
    }
    if (node === place) place = place.nextElementSibling;
    else parent.insertBefore(node, place);
    show?.(node, item);
  }
  for (const node of before.values()) node.remove();
}
