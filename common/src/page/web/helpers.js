// What every part of the page uses: the run's data, elements, numbers as text, and the tooltip.
/* exported run, $, element, draw, count, percent, seconds, bytes, compact, showTooltip, hideTooltip, withTooltip, legend */
'use strict';

const run = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);
const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

// An HTML element. Names in the data stay text: they are appended as strings, never as HTML.
function element(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// An SVG element.
function draw(tag, attributes, text) {
  const node = document.createElementNS(SVG_NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

// ---- numbers as text
const count = n => Math.round(n).toLocaleString('en-US');

// Never rounds a part up to 100 % or down to 0 %.
function percent(part, whole) {
  if (!whole) return '–';
  const share = (100 * part) / whole;
  if (part > 0 && part < whole) return Math.min(99.9, Math.max(0.1, share)).toFixed(1) + ' %';
  return share.toFixed(0) + ' %';
}

function seconds(s) {
  if (s === 0) return '0';
  if (s < 1e-6) return (s * 1e9).toFixed(0) + ' ns';
  if (s < 1e-3) return +(s * 1e6).toFixed(1) + ' µs';
  if (s < 1) return +(s * 1e3).toFixed(1) + ' ms';
  return +s.toFixed(2) + ' s';
}

function bytes(b) {
  for (const unit of ['B', 'KiB', 'MiB', 'GiB']) {
    if (b < 1024) return +(b < 10 ? b.toFixed(1) : b.toFixed(0)) + ' ' + unit;
    b /= 1024;
  }
  return b.toFixed(1) + ' TiB';
}

// 1500 -> 1.5k
function compact(n) {
  for (const [limit, unit] of [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ])
    if (n >= limit) return +(n / limit).toPrecision(3) + unit;
  return String(+n.toPrecision(3));
}

// ---- the tooltip
const tooltip = $('tip');

function showTooltip(event, text) {
  tooltip.textContent = text;
  tooltip.style.visibility = 'visible';
  const box = tooltip.getBoundingClientRect();
  const overflows = event.clientX + 14 + box.width > innerWidth;
  const x = overflows ? event.clientX - box.width - 14 : event.clientX + 14;
  const y = Math.min(event.clientY + 14, innerHeight - box.height - 6);
  tooltip.style.left = Math.max(4, x) + 'px';
  tooltip.style.top = Math.max(4, y) + 'px';
}

function hideTooltip() {
  tooltip.style.visibility = 'hidden';
}

function withTooltip(node, text) {
  node.addEventListener('pointermove', event => showTooltip(event, text));
  node.addEventListener('pointerleave', hideTooltip);
  return node;
}

// Entries are pairs of a colour and its meaning.
function legend(id, entries) {
  $(id).replaceChildren(
    ...entries.map(([colour, name]) => {
      const mark = element('i');
      mark.style.background = colour;
      return element('span', {}, mark, name);
    }),
  );
}
