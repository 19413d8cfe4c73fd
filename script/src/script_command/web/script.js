// Fills the page of a script's run.
/* global run, $, element, draw, count, seconds, withTooltip, drawingWidth, ticks */
'use strict';

const colours = ['#4e79a7', '#f28e2b', '#59a14f', '#b07aa1', '#edc948', '#76b7b2', '#9c755f', '#ff9da7', '#bab0ac'];
const nameOf = site => run.sites[site].function + ' (' + run.sites[site].place + ')';

// The functions that ran longest, which most of the picture shows, have colours of their own.
const longestFirst = [...run.sites.keys()].sort((a, b) => run.sites[b].running - run.sites[a].running);
const colourOf = site => colours[longestFirst.indexOf(site) % colours.length];

function tile(value, name, kind = 'tile') {
  $('tiles').append(element('div', {class: kind}, element('b', {}, value), element('span', {}, name)));
}

function fillTiles() {
  tile(count(run.done), run.done === 1 ? 'task' : 'tasks');
  tile(count(run.workers), run.workers === 1 ? 'worker' : 'workers');
  tile(seconds(run.seconds), 'run time');
  if (run.cached) tile(count(run.cached), 'cached');
  if (run.retried) tile(count(run.retried), 'tried again');
  if (run.failed) tile(count(run.failed), 'failed', 'tile bad');
  if (run.waiting) tile(count(run.waiting), 'left waiting', 'tile bad');
}

const LEFT = 76; // of the boxes, the names of workers stand before them
const ROW = 26;

function drawAxis(chart, width, x) {
  const bottom = run.workers * ROW;
  for (const at of ticks(0, run.seconds, Math.max(2, Math.round(width / 160)))) {
    chart.append(draw('line', {class: 'grid', x1: x(at), x2: x(at), y1: 0, y2: bottom}));
    chart.append(draw('text', {x: x(at), y: bottom + 18, 'text-anchor': 'middle'}, seconds(at)));
  }
}

function fillTimeline() {
  const width = drawingWidth($('timeline-chart'));
  const x = time => LEFT + ((width - LEFT) * time) / (run.seconds || 1);
  const chart = draw('svg', {viewBox: `0 0 ${width} ${run.workers * ROW + 24}`, role: 'img'});
  drawAxis(chart, width, x);
  for (let worker = 0; worker < run.workers; ++worker)
    chart.append(draw('text', {x: LEFT - 10, y: worker * ROW + 17, 'text-anchor': 'end'}, `worker ${worker}`));
  const onPath = new Set(run.path);
  for (const [number, [site, worker, begin, end, failed]] of run.calls.entries()) {
    const box = draw('rect', {
      x: x(begin),
      y: worker * ROW + 2,
      width: Math.max(0.5, x(end) - x(begin)),
      height: ROW - 6,
      fill: colourOf(site),
      class: failed ? 'call-failed' : onPath.has(number) ? 'call-on-path' : 'call',
    });
    chart.append(withTooltip(box, `${nameOf(site)}\nfrom ${seconds(begin)}, for ${seconds(end - begin)}`));
  }
  $('timeline-chart').append(chart);
  if (run.leftOut)
    $('timeline-chart').append(element('p', {class: 'note'}, count(run.leftOut) + ' further calls are not drawn.'));
}

function fillSites() {
  const columns = ['calls', 'failed', 'running', 'queued', 'waiting for data', 'longest'];
  const heads = columns.map(head => element('th', {}, head));
  const head = element('tr', {}, element('th', {class: 'l'}, 'function'), ...heads);
  const rows = longestFirst.map(id => {
    const site = run.sites[id];
    const swatch = element('i', {class: 'swatch', style: `background:${colourOf(id)}`});
    const name = element('td', {class: 'l'}, swatch, site.function, ' ', element('span', {class: 'where'}, site.place));
    const cells = [count(site.calls), count(site.failed)];
    for (const time of [site.running, site.queued, site.waiting, site.longest]) cells.push(seconds(time));
    return element('tr', {}, name, ...cells.map(cell => element('td', {}, cell)));
  });
  const body = element('tbody', {}, ...rows);
  $('site-table').append(element('table', {}, element('thead', {}, head), body));
}

$('title').textContent = run.title;
for (const words of run.words) $('words').append(element('p', {}, words));
$('messages').textContent = run.messages;
$('theme').addEventListener('click', () => {
  const root = document.documentElement.dataset;
  root.theme = root.theme === 'dark' ? 'light' : 'dark';
  $('theme').textContent = root.theme === 'dark' ? 'Light' : 'Dark';
});
fillTiles();
fillTimeline();
fillSites();
