// A chart with lines and filled areas over one axis.
/* global bytes, draw, hideTooltip, showTooltip */
/* exported chart, drawingWidth, ticks */
'use strict';

// Charts are drawn at the width they have on the screen, so that their text keeps its size.
function drawingWidth(host) {
  return Math.min(1060, Math.max(300, host.clientWidth));
}

// Round values from low to high, about as many as wanted; powers of two for bytes.
function ticks(low, high, wanted, ofBytes) {
  const raw = (high - low) / wanted || 1;
  const power = ofBytes ? 2 ** Math.floor(Math.log2(raw)) : 10 ** Math.floor(Math.log10(raw));
  const step = (ofBytes ? [1, 2] : [1, 2, 5, 10]).map(f => f * power).find(s => s >= raw);
  const all = [];
  for (let at = Math.ceil(low / step) * step; at <= high * (1 + 1e-9); at += step) all.push(at);
  return all;
}

// Draws into host. All series have one value per entry of x; areas lie between low and high.
function chart(host, {x, xLabel, yMax, yLabel, areas = [], lines = [], tipAt, height = 230}) {
  const width = drawingWidth(host);
  const left = 58;
  const right = 12;
  const top = 10;
  const bottom = 30;
  const xMax = x.length ? x[x.length - 1] : 1;
  const px = v => left + (width - left - right) * (xMax > 0 ? v / xMax : 0);
  const py = v => height - bottom - (height - top - bottom) * (yMax > 0 ? v / yMax : 0);
  const svg = draw('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img'});

  for (const at of ticks(0, yMax, 4, yLabel === bytes)) {
    svg.append(draw('line', {class: 'grid', x1: left, x2: width - right, y1: py(at), y2: py(at)}));
    svg.append(draw('text', {x: left - 8, y: py(at) + 4, 'text-anchor': 'end'}, yLabel(at)));
  }
  for (const at of ticks(0, xMax, Math.max(2, Math.round(width / 130))))
    svg.append(draw('text', {x: px(at), y: height - 10, 'text-anchor': 'middle'}, xLabel(at)));
  svg.append(draw('line', {class: 'axis', x1: left, x2: width - right, y1: py(0), y2: py(0)}));

  for (const {low, high, colour} of areas) {
    // A value holds from the sample before it to its own: a step, not a slope.
    const begin = i => px(i ? x[i - 1] : 0);
    let path = '';
    for (let i = 0; i < x.length; ++i) path += `${i ? 'L' : 'M'}${begin(i)},${py(high[i])}L${px(x[i])},${py(high[i])}`;
    for (let i = x.length - 1; i >= 0; --i) path += `L${px(x[i])},${py(low[i])}L${begin(i)},${py(low[i])}`;
    if (path) svg.append(draw('path', {d: path + 'Z', style: `fill:${colour};opacity:.5`}));
  }
  for (const {y, colour} of lines) {
    const path = y.map((v, i) => `${i ? 'L' : 'M'}${px(x[i])},${py(v)}`).join('');
    const style = `fill:none;stroke:${colour};stroke-width:2;stroke-linejoin:round`;
    if (path) svg.append(draw('path', {d: path, style}));
    if (x.length === 1) svg.append(draw('circle', {cx: px(x[0]), cy: py(y[0]), r: 3, style: `fill:${colour}`}));
  }

  const cursor = draw('line', {class: 'cursor', y1: top, y2: height - bottom});
  svg.append(cursor);
  svg.addEventListener('pointermove', event => {
    if (!x.length) return;
    const box = svg.getBoundingClientRect();
    const inside = ((event.clientX - box.left) / box.width) * width - left;
    const at = (inside / (width - left - right)) * xMax;
    let nearest = 0;
    while (nearest < x.length - 1 && x[nearest] < at) ++nearest;
    cursor.setAttribute('x1', px(x[nearest]));
    cursor.setAttribute('x2', px(x[nearest]));
    cursor.style.visibility = 'visible';
    showTooltip(event, tipAt(nearest));
  });
  svg.addEventListener('pointerleave', () => {
    cursor.style.visibility = 'hidden';
    hideTooltip();
  });
  host.replaceChildren(svg);
}
