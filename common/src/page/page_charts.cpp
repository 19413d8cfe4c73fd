#include "page/page_parts.hpp"

namespace refrain::page {

const std::string_view page_charts = R"js('use strict';
const run = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);
const SVG = 'http://www.w3.org/2000/svg';

// ---- small helpers
function element(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
  node.append(...children);
  return node;
}
function draw(tag, attributes, text) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}
const count = n => Math.round(n).toLocaleString('en-US');
const percent = (part, whole) => {
  if (!whole) return '–';
  const share = 100 * part / whole;
  if (part > 0 && part < whole) return Math.min(99.9, Math.max(0.1, share)).toFixed(1) + ' %';
  return share.toFixed(0) + ' %';
};
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
function short(n) {
  for (const [limit, unit] of [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']])
    if (n >= limit) return +(n / limit).toPrecision(3) + unit;
  return String(+n.toPrecision(3));
}
const tip = $('tip');
function showTip(event, text) {
  tip.textContent = text;
  tip.style.visibility = 'visible';
  const box = tip.getBoundingClientRect();
  const x = event.clientX + 14 + box.width > innerWidth ? event.clientX - box.width - 14 : event.clientX + 14;
  tip.style.left = Math.max(4, x) + 'px';
  tip.style.top = Math.max(4, Math.min(event.clientY + 14, innerHeight - box.height - 6)) + 'px';
}
const hideTip = () => { tip.style.visibility = 'hidden'; };
function withTip(node, text) {
  node.addEventListener('pointermove', event => showTip(event, text));
  node.addEventListener('pointerleave', hideTip);
  return node;
}
function legend(id, entries) {
  $(id).replaceChildren(...entries.map(([colour, name]) => {
    const mark = element('i');
    mark.style.background = colour;
    return element('span', {}, mark, name);
  }));
}
function ticks(low, high, wanted, ofBytes) {
  const raw = (high - low) / wanted || 1;
  const power = ofBytes ? 2 ** Math.floor(Math.log2(raw)) : 10 ** Math.floor(Math.log10(raw));
  const step = (ofBytes ? [1, 2] : [1, 2, 5, 10]).map(f => f * power).find(s => s >= raw);
  const all = [];
  for (let at = Math.ceil(low / step) * step; at <= high * (1 + 1e-9); at += step) all.push(at);
  return all;
}

// ---- a chart with lines and areas over one axis
function chart(host, {x, xLabel, yMax, yLabel, areas = [], lines = [], tipAt, height = 230}) {
  const width = 1060, left = 58, right = 12, top = 10, bottom = 30;
  const svg = draw('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img'});
  const xMax = x.length ? x[x.length - 1] : 1, xMin = 0;
  const px = v => left + (width - left - right) * (xMax > xMin ? (v - xMin) / (xMax - xMin) : 0);
  const py = v => height - bottom - (height - top - bottom) * (yMax > 0 ? v / yMax : 0);
  for (const at of ticks(0, yMax, 4, yLabel === bytes)) {
    svg.append(draw('line', {class: 'grid', x1: left, x2: width - right, y1: py(at), y2: py(at)}));
    svg.append(draw('text', {x: left - 8, y: py(at) + 4, 'text-anchor': 'end'}, yLabel(at)));
  }
  for (const at of ticks(xMin, xMax, 8))
    svg.append(draw('text', {x: px(at), y: height - 10, 'text-anchor': 'middle'}, xLabel(at)));
  svg.append(draw('line', {class: 'axis', x1: left, x2: width - right, y1: py(0), y2: py(0)}));
  for (const {low, high, colour} of areas) {
    // Each value holds from the sample before it to its own: a step, not a slope.
    let path = '';
    for (let i = 0; i < x.length; ++i)
      path += `${i ? 'L' : 'M'}${px(i ? x[i - 1] : 0)},${py(high[i])}L${px(x[i])},${py(high[i])}`;
    for (let i = x.length - 1; i >= 0; --i)
      path += `L${px(x[i])},${py(low[i])}L${px(i ? x[i - 1] : 0)},${py(low[i])}`;
    svg.append(draw('path', {d: path + 'Z', style: `fill:${colour};opacity:.5`}));
  }
  for (const {y, colour} of lines) {
    const path = y.map((v, i) => `${i ? 'L' : 'M'}${px(x[i])},${py(v)}`).join('');
    svg.append(draw('path', {d: path, style: `fill:none;stroke:${colour};stroke-width:2;stroke-linejoin:round`}));
    if (x.length === 1) svg.append(draw('circle', {cx: px(x[0]), cy: py(y[0]), r: 3, style: `fill:${colour}`}));
  }
  const cursor = draw('line', {class: 'cursor', y1: top, y2: height - bottom});
  svg.append(cursor);
  svg.addEventListener('pointermove', event => {
    if (!x.length) return;
    const box = svg.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width * width - left) / (width - left - right) * (xMax - xMin) + xMin;
    let best = 0;
    while (best < x.length - 1 && x[best] < at) ++best;
    cursor.setAttribute('x1', px(x[best])); cursor.setAttribute('x2', px(x[best]));
    cursor.style.visibility = 'visible';
    showTip(event, tipAt(best));
  });
  svg.addEventListener('pointerleave', () => { cursor.style.visibility = 'hidden'; hideTip(); });
  host.replaceChildren(svg);
}

)js";

}  // namespace refrain::page
