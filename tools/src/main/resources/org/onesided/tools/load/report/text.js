'use strict';

/*
 * Elements and numbers. Whatever comes from a run's result is set as text, never as markup.
 */

/** An element: attributes, then children, which are elements or text. */
function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...children.flat(Infinity).filter(child => child !== undefined && child !== null && child !== false));
  return element;
}

const NO_VALUE = '–';

/** Three significant digits, such as 1.23, 12.3 and 123, without an exponent. */
function digits(value) {
  return value >= 100 || value === 0 ? Math.round(value).toLocaleString('en') :
    value > 0 && value < 0.01 ? '< 0.01' : Number(value.toPrecision(3)).toString();
}

function scaled(value, units) {
  const [, name, factor] = units.reduce(
    (best, [least, unit, size]) => (Math.abs(value) >= least ? [least, unit, size] : best), [0, ...units[0].slice(1)]);
  return [digits(value / factor), name];
}

const TIME_UNITS = [[0, 'ns', 1], [999.5, 'µs', 1e3], [999.5e3, 'ms', 1e6], [999.5e6, 's', 1e9]];
const RATE_UNITS = [[0, ' /s', 1], [999.5, ' k/s', 1e3], [999_500, ' M/s', 1e6]];

/** Number and unit of a time. */
function timeParts(ns) {
  return scaled(ns, TIME_UNITS);
}

function time(ns) {
  return timeParts(ns).join(' ');
}

function rateParts(perSecond) {
  return scaled(perSecond, RATE_UNITS);
}

function rate(perSecond) {
  return rateParts(perSecond).join('');
}

function whole(number) {
  return Math.round(number).toLocaleString('en');
}

/** A small number, such as READs per GET. */
function ratio(number) {
  return number === 0 ? '0' : number < 0.001 ? '< 0.001' : number.toFixed(3);
}

function percent(part) {
  return part === 0 ? '0 %' : part < 0.0001 ? '< 0.01 %' : `${digits(part * 100)} %`;
}

function bytes(number) {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let index = 0;
  let value = number;
  while (value >= 1024 && index < units.length - 1) {
    value /= 1024;
    index++;
  }
  return `${digits(value)} ${units[index]}`;
}

function seconds(ms) {
  return ms < 1000 ? `${digits(ms)} ms` : `${digits(ms / 1000)} s`;
}

function date(iso) {
  const moment = new Date(iso);
  return Number.isNaN(moment.getTime()) ? iso : `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** A command line that a shell takes as these words. */
function commandLine(words) {
  return words.map(word => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}

/** A table; a cell is text, an element, or {text, delta}. A row is [name, ...cells]. */
function table(head, rows, isNumbers = true) {
  const kind = isNumbers ? 'number' : undefined;
  const cell = content => h('td', {class: kind}, content);
  return h('div', {class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Table'},
    h('table', {class: isNumbers ? undefined : 'words'},
      head.some(text => text !== '') && h('thead', {}, h('tr', {}, head.map((text, index) =>
        h('th', {scope: 'col', class: index > 0 ? kind : undefined}, text)))),
      h('tbody', {}, rows.map(([name, ...cells]) =>
        h('tr', {class: !isNumbers && new Set(cells).size > 1 ? 'differs' : undefined},
          h('th', {scope: 'row'}, name), cells.map(cell))))));
}
