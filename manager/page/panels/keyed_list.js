// A list whose entries keep their elements, and with them focus and selection, while the things they show change.

/**
 * Makes the parent's children show these items in this order.
 * @template Item
 * @param {HTMLElement} parent holds nothing else @param {Iterable<Item>} items
 * @param {(item: Item) => string | number} key the same for the same thing @param {(item: Item) => HTMLElement} make
 * @param {(node: HTMLElement, item: Item) => void} [show] brings an element up to date, also a new one
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
