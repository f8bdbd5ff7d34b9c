// One source in the list: the texts of its card, and renaming. For a running application, the card's button shows its window.

import { element } from '../../dom.js';
import { t } from '../../texts.js';
import { kept } from '../kept.js';
import { clock, fileSize } from '../times.js';

/** @import { IconName } from '../../icons.js' */
/** @import { Card } from '../found_list.js' */

/** @typedef {'file' | 'test' | 'url' | 'command' | 'application'} SourceKind */

/**
 * @typedef {object} Source
 * @property {string} source its id
 * @property {SourceKind} kind
 * @property {string} title
 * @property {string} detail
 * @property {[number, number]} [size]
 * @property {number} [duration_s]
 * @property {number} [bytes]
 * @property {number} [pages]
 * @property {string} [unplayable] why it cannot be played
 */

/** @type {Record<SourceKind, {label: string, icon: IconName}>} */
export const kKinds = {
  file: { label: t('sources.files'), icon: 'sources' },
  test: { label: t('sources.tests'), icon: 'arrange' },
  url: { label: t('sources.addresses'), icon: 'eye' },
  command: { label: t('sources.programs'), icon: 'play' },
  application: { label: t('sources.running'), icon: 'front' },
};

/** "0:10 · 1280×720 · 4.2 MB"; URLs, commands and applications also have their `detail`. @param {Source} source */
function factsOf(source) {
  if (source.unplayable) return t('sources.unplayable', { why: source.unplayable });
  const facts = [kept('favourites').includes(source.source) && '★', source.duration_s && clock(source.duration_s), source.pages && t('sources.pages', { count: source.pages }), source.size?.join('×'), source.bytes !== undefined && fileSize(source.bytes)];
  return [...facts, !['file', 'test'].includes(source.kind) && source.detail].filter(Boolean).join(' · ');
}

/** Whether the source can be removed and renamed. @param {Source} source */
export function canBeChanged(source) {
  return source.kind === 'url' || (source.kind === 'file' && source.source.startsWith('uploads/'));
}

/** @param {Source} source @returns {Card} */
export function sourceCard(source) {
  const running = source.kind === 'application';
  const facts = running ? t('sources.bring', { facts: factsOf(source) }) : factsOf(source);
  return {
    key: source.source, icon: kKinds[source.kind]?.icon ?? 'sources', alt: t('sources.preview', { title: source.title }),
    preview: source.kind === 'file' ? `source=${encodeURIComponent(source.source)}` : '', opens: !running, facts,
    hint: running ? t('sources.bringHint') : t('common.playDrag', { detail: source.detail }), playable: !source.unplayable,
  };
}

/** Shows a field in place of the title; Escape cancels. @param {HTMLElement} card @param {HTMLElement} handle @param {(name: string) => void} rename */
export function editName(card, handle, rename) {
  if (card.querySelector('form')) return;
  const before = handle.querySelector('.title')?.textContent ?? '';
  const name = element('input', { type: 'text', value: before, 'aria-label': t('sources.newName', { title: before }), required: true, maxlength: 120, autocomplete: 'off', spellcheck: 'false' });
  const form = element('form', { class: 'rename' }, name);
  const end = () => {
    form.remove();
    handle.hidden = false;
    handle.focus();
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    end();
    if (name.value.trim() !== before) rename(name.value.trim());
  });
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    end();
  });
  handle.hidden = true;
  card.prepend(form);
  name.focus();
  name.setSelectionRange(0, before.includes('.') ? before.lastIndexOf('.') : before.length);
}
