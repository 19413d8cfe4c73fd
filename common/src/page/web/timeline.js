// When the tasks of a few neighbouring operations ran: a row per thread, a colour per launch site, arrows for dependences.
/* global $, count, draw, drawingWidth, element, run, seconds, ticks, withTooltip */
/* exported redrawTimeline, samplingText, showTimeline, siteColour */
'use strict';

// Each launch site has one colour on the whole page. Those that took most time have the colours that differ most.
const SITE_COLOURS = 12;
const rankOfSite = (() => {
  const time = site => (run.times[site] && run.times[site][0]) || 0;
  const order = run.sites.map((_, site) => site).sort((a, b) => time(b) - time(a) || a - b);
  const ranks = [];
  order.forEach((site, rank) => (ranks[site] = rank));
  return ranks;
})();
const siteColour = site => `var(--site${rankOfSite[site] % SITE_COLOURS})`;

const ARROWS_SHOWN = 400; // with more, only those of the task that is pointed at

// What the page says about operations that were not timed; empty if all were.
function samplingText() {
  const {first, block, period, periodMax, timed} = run.sampling;
  if (!period) return '';
  const less = periodMax === period ? '' : `, and of up to ${count(periodMax)} where tasks are tiny`;
  return `Sampled: of ${count(run.operations)} operations ${count(timed)} were timed, the first ${count(first)} and then ${block} of every ${count(period)}${less}. Numbers of launches and tasks are exact, times are estimates.`;
}

// What the page says about tasks and dependences that are too many to be drawn; empty if none are.
function leftOutText({tasksLeftOut, arrowsLeftOut}) {
  const parts = [];
  if (tasksLeftOut) parts.push(`${count(tasksLeftOut)} further tasks of this operation`);
  if (arrowsLeftOut) parts.push(`${count(arrowsLeftOut)} further dependences of these tasks`);
  return parts.length ? `Too many to be drawn: ${parts.join(', and ')}.` : '';
}

function taskText([, begin, end, site, operation, point]) {
  const {name, where} = run.sites[site];
  return (
    `${name}${where ? `  ${where}` : ''}\noperation ${count(operation)}, point ${count(point)}` +
    `\n${seconds(end - begin)}, from ${seconds(begin)} on`
  );
}

function showStretch(stretch) {
  const host = $('timeline-chart');
  const {tasks, arrows} = stretch;
  const width = drawingWidth(host);
  const left = width < 600 ? 84 : 128;
  const bar = 22;
  const step = 40;
  const top = 8;
  const height = top + run.workers.length * step + 26;
  const begin = Math.min(...tasks.map(task => task[1]));
  const end = Math.max(...tasks.map(task => task[2]), begin + 1e-9);
  const px = at => left + ((width - left - 6) * (at - begin)) / (end - begin);
  const svg = draw('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img'});
  run.workers.forEach((worker, row) => {
    const y = top + row * step;
    svg.append(draw('line', {class: 'grid', x1: left, x2: width - 6, y1: y + bar / 2, y2: y + bar / 2}));
    svg.append(draw('text', {x: left - 10, y: y + bar / 2 + 4, 'text-anchor': 'end'}, worker.name));
  });
  for (const at of ticks(0, end - begin, Math.max(2, Math.round(width / 170))))
    svg.append(
      draw(
        'text',
        {x: px(begin + at), y: height - 6, 'text-anchor': 'middle'},
        at ? `+${seconds(at)}` : seconds(begin),
      ),
    );

  const neighbours = tasks.map(() => []); // of each task: itself, what it waits for, and what waits for it
  const bars = tasks.map((task, n) => {
    const [worker, from, to, site] = task;
    neighbours[n].push(n);
    return draw('rect', {
      class: 'task',
      x: px(from),
      y: top + worker * step,
      width: Math.max(1.5, px(to) - px(from) - 0.5),
      height: bar,
      rx: 2,
      style: `fill:${siteColour(site)}`,
    });
  });
  const lines = arrows.map(([from, to, carriesData]) => {
    neighbours[from].push(to);
    neighbours[to].push(from);
    const [x1, x2] = [px(tasks[from][2]), px(tasks[to][1])];
    const [row1, row2] = [tasks[from][0], tasks[to][0]];
    const isBelow = row2 >= row1;
    const y1 = top + row1 * step + (isBelow ? bar : 0);
    const y2 = top + row2 * step + (isBelow && row1 !== row2 ? 0 : bar);
    const bend = row1 === row2 ? 14 : (y2 - y1) / 2;
    const d = `M${x1},${y1}C${x1},${y1 + bend} ${x2},${row1 === row2 ? y2 + bend : y2 - bend} ${x2},${y2}`;
    return draw('path', {d, class: carriesData ? 'arrow' : 'arrow order'});
  });
  svg.append(...bars, ...lines);
  host.classList.toggle('many', arrows.length > ARROWS_SHOWN);
  bars.forEach((rect, n) => {
    rect.addEventListener('pointerenter', () => {
      host.classList.add('picked');
      for (const m of neighbours[n]) bars[m].classList.add('hot');
      arrows.forEach(([from, to], a) => {
        if (from === n || to === n) lines[a].classList.add('hot');
      });
    });
    rect.addEventListener('pointerleave', () => {
      host.classList.remove('picked');
      svg.querySelectorAll('.hot').forEach(node => node.classList.remove('hot'));
    });
    withTooltip(rect, taskText(tasks[n]));
  });
  host.replaceChildren(svg);

  const used = new Map();
  for (const task of tasks) used.set(task[3], (used.get(task[3]) || 0) + task[2] - task[1]);
  const entries = [...used].sort((a, b) => b[1] - a[1]);
  const legend = entries.slice(0, 12).map(([site]) => {
    const mark = element('i');
    mark.style.background = siteColour(site);
    return element('span', {}, mark, run.sites[site].name);
  });
  if (entries.length > 12) legend.push(element('span', {}, `and ${entries.length - 12} more`));
  $('timeline-legend').replaceChildren(...legend);
  $('timeline-left-out').textContent = leftOutText(stretch);
}

let stretchShown = 0;

function redrawTimeline() {
  if (run.stretches.length) showStretch(run.stretches[stretchShown]);
}

function showTimeline() {
  if (!run.stretches.length) return $('timeline').remove();
  $('timeline-sampling').textContent = samplingText();
  const options = run.stretches.map(({first, last}, i) =>
    element(
      'option',
      {value: i},
      first === last ? `operation ${count(first)}` : `operations ${count(first)} to ${count(last)}`,
    ),
  );
  $('timeline-choice').replaceChildren(...options);
  $('timeline-choice').addEventListener('change', () => {
    stretchShown = Number($('timeline-choice').value);
    redrawTimeline();
  });
  // What the run does most of the time comes first: the middle, rather than the beginning.
  stretchShown = Math.floor((run.stretches.length - 1) / 2);
  $('timeline-choice').value = stretchShown;
  redrawTimeline();
}
