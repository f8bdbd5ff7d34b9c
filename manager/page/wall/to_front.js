// Whether dragged windows come to the front; each browser keeps its own choice.

const kName = 'vitrail.dragged-to-front';
let chosen = read();

function read() {
  try {
    return localStorage.getItem(kName) !== 'no';
  } catch {
    return true; // storage is forbidden
  }
}

export function comesToFront() {
  return chosen;
}

/** @param {boolean} on */
export function setComesToFront(on) {
  chosen = on;
  try {
    if (on) localStorage.removeItem(kName);
    else localStorage.setItem(kName, 'no');
  } catch {
    // The choice holds until the page is left.
  }
}
