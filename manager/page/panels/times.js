// Times and sizes as text for people.

import { decimal, locale, t } from '../texts.js';

/** Formats seconds as 1:02:03 or 2:03. @param {number} seconds */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const tail = `${String(rest).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

/** Formats a date and time, with the words “today” and “yesterday”. @param {number} seconds since 1970 @param {Date} [now] */
export function moment(seconds, now = new Date()) {
  const date = new Date(seconds * 1000);
  const time = date.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' });
  const before = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (date.toDateString() === now.toDateString()) return t('time.today', { time });
  if (date.toDateString() === before.toDateString()) return t('time.yesterday', { time });
  return t('time.day', { day: date.toLocaleDateString(locale, { year: 'numeric', month: 'short', day: 'numeric' }), time });
}

/** @param {number} bytes */
export function fileSize(bytes) {
  if (bytes < 1e3) return `${bytes} B`;
  if (bytes < 1e6) return `${Math.round(bytes / 1e3)} kB`;
  if (bytes < 1e9) return `${decimal(bytes / 1e6, 1)} MB`;
  return `${decimal(bytes / 1e9, 2)} GB`;
}
