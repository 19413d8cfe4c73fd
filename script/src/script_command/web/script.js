// Fills the page of a script's run.
/* global run, $, element, draw, count, seconds */
'use strict';

const colours = ['#4e79a7', '#f28e2b', '#59a14f', '#b07aa1', '#edc948', '#76b7b2', '#9c755f', '#ff9da7', '#bab0ac'];
const nameOf = site => run.sites[site].function + ' (' + run.sites[site].place + ')';

function tile(value, name) {
  $('tiles').append(
    element('div', {class: 'tile'}, element('div', {class: 'value'}, value), element('div', {class: 'name'}, name)),
  );
}

function fillTiles() {
  tile(count(run.done), 'tasks');
  tile(count(run.workers), run.workers === 1 ? 'worker' : 'workers');
  tile(seconds(run.seconds), 'run time');
  if (run.cached) tile(count(run.cached), 'cached');
  if (run.retried) tile(count(run.retried), 'tried again');
  if (run.failed) tile(count(run.failed), 'failed');
  if (run.waiting) tile(count(run.waiting), 'left waiting');
}

function fillTimeline() {
  const width = 1000;
  const row = 22;
  const chart = draw('svg', {viewBox: `0 0 ${width} ${run.workers * row}`, width: '100%'});
  const onPath = new Set(run.path);
  for (const [number, [site, worker, begin, end, failed]] of run.calls.entries()) {
    const box = draw('rect', {
      x: (begin / run.seconds) * width,
      y: worker * row + 2,
      width: Math.max(0.5, ((end - begin) / run.seconds) * width),
      height: row - 4,
      fill: colours[site % colours.length],
      class: failed ? 'call-failed' : onPath.has(number) ? 'call-on-path' : 'call',
    });
    box.append(draw('title', {}, nameOf(site) + ': ' + seconds(end - begin)));
    chart.append(box);
  }
  $('timeline-chart').append(chart);
  if (run.leftOut)
    $('timeline-chart').append(element('p', {class: 'note'}, count(run.leftOut) + ' further calls are not drawn.'));
}

function fillSites() {
  const heads = ['function', 'line', 'calls', 'failed', 'running', 'queued', 'waiting for data', 'longest'];
  const table = element('table', {}, element('tr', {}, ...heads.map(head => element('th', {}, head))));
  for (const site of [...run.sites].sort((a, b) => b.running - a.running)) {
    const cells = [site.function, site.place, count(site.calls), count(site.failed)];
    for (const time of [site.running, site.queued, site.waiting, site.longest]) cells.push(seconds(time));
    table.append(element('tr', {}, ...cells.map(cell => element('td', {}, cell))));
  }
  $('site-table').append(table);
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
