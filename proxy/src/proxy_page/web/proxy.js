// Fills the page of a recording, and of its proxy where there is one.
/* global run, $, element, draw, count, percent, seconds, bytes, table, withTooltip, fillTimeline */
'use strict';

const CHILDREN_MAX = 400; // runs of a rule that are listed
const RANK_ROWS_MAX = 2048; // of the table of times

function tile(value, text, good) {
  $('tiles').append(
    element('div', {class: good ? 'tile good' : 'tile'}, element('b', {}, value), element('span', {}, text)),
  );
}

function paragraphs(host, texts) {
  host.replaceChildren(...texts.map(text => element('p', {}, text)));
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

// A drawing of a fixed size; the window scrolls where it is narrower.
function picture(width, height, name) {
  const style = `width: ${width}px; height: ${height}px`;
  return draw('svg', {viewBox: `0 0 ${width} ${height}`, style, role: 'img', 'aria-label': name});
}

function fillTop() {
  $('title').textContent = run.title;
  tile(count(run.ranks), run.ranks === 1 ? 'rank' : 'ranks');
  tile(count(run.calls), 'calls recorded');
  tile(bytes(run.fileBytes), 'the whole recording');
  // Of a part of a run nobody knows: the counter counted all of it.
  if (run.cells.length) tile(bytes(sum(run.cells.map(cell => cell[3]))), 'sent between ranks');
  if (run.verdict) tile(run.verdict.equal ? 'equal' : 'different', 'the proxy', run.verdict.equal);
  paragraphs($('words'), run.words);
}

function fillVerdict() {
  const verdict = run.verdict;
  $('verdict').hidden = !verdict;
  if (!verdict) return;
  const words = [
    verdict.equal
      ? `All ${count(verdict.events)} calls of the proxy equal those of the program, and the separate counter agrees.`
      : `The proxy differs after ${count(verdict.events)} calls.`,
  ];
  if (verdict.difference) words.push(verdict.difference);
  if (verdict.pinned) words.push(`${count(verdict.pinned)} receives and probes from any source are exact now.`);
  if (verdict.refusedPolls) words.push(`${count(verdict.refusedPolls)} polls were told no, as recorded.`);
  const mine = sum(run.times.map(time => time[1]));
  const its = sum(run.proxy.times.map(time => time[1]));
  if (mine > 0) words.push(`Work of all ranks: ${seconds(mine)} in the program, ${seconds(its)} in the proxy.`);
  paragraphs($('verdict-words'), [...words, ...verdict.complaints]);
}

function functionOf(description) {
  return description.slice(0, description.indexOf('('));
}

function fillFunctions() {
  const columns = [
    {name: 'Function', left: true, key: f => f[0], show: f => element('code', {}, f[0])},
    {name: 'Calls', key: f => f[1], show: f => count(f[1])},
    {name: 'Share', key: f => f[1], show: f => percent(f[1], run.calls)},
    {name: 'Time within', key: f => f[2], show: f => seconds(f[2])},
    {name: 'Mean', key: f => f[2] / f[1], show: f => seconds(f[1] ? f[2] / f[1] : 0)},
  ];
  const rows = run.functions.map(value => ({value}));
  const details = f =>
    run.events
      .filter(event => functionOf(event) === f[0])
      .slice(0, 40)
      .map(event => element('div', {class: 'mono'}, event));
  table($('function-table'), columns, rows, details, 1);
}

// A run of a rule; a rule opens when it is asked for.
function node(times, isRule, symbol, ranks) {
  const repeated = times > 1 ? [element('span', {class: 'times'}, `${count(times)} × `)] : [];
  const only = ranks ? [element('span', {class: 'where'}, ` ${ranks}`)] : [];
  if (!isRule) return element('div', {class: 'mono'}, ...repeated, run.events[symbol], ...only);
  const body = element('div');
  const label = `${count(run.lengths[symbol])} calls`;
  const opened = element('details', {class: 'loop'}, element('summary', {}, ...repeated, label, ...only), body);
  opened.addEventListener('toggle', () => {
    if (body.childElementCount || !run.rules[symbol]) return;
    body.append(...children(run.rules[symbol]));
  });
  return opened;
}

function children(runs) {
  const shown = runs.slice(0, CHILDREN_MAX).map(([[...one], ranks]) => node(...one, ranks));
  if (runs.length > CHILDREN_MAX) shown.push(element('div', {}, `and ${count(runs.length - CHILDREN_MAX)} more`));
  return shown;
}

function fillTree() {
  run.rules = run.rules.map(rule => rule.map(one => [one, '']));
  const several = run.mains.length > 1;
  const heading = i => element('h3', {}, i === 0 ? 'The first thread of each rank' : `Another thread: ${i}`);
  const parts = run.mains.map((main, i) => [...(several ? [heading(i)] : []), ...children(main)]);
  $('tree').replaceChildren(...parts.flat());
  const first = $('tree').querySelector('details');
  if (first) first.open = true;
}

function fillMatrix(which) {
  $('matrix').hidden = !run.cells.length;
  if (!run.cells.length) return;
  const share = run.cellRanks; // neighbours that share a row and a column
  const cells = Math.ceil(run.ranks / share);
  const total = new Map(run.cells.map(cell => [cell[0] * cells + cell[1], cell[which]]));
  const most = Math.max(...total.values(), 1);
  const side = Math.max(8, Math.min(40, Math.floor(520 / cells)));
  const name = i => (share === 1 ? `${i}` : `${i * share}-${Math.min(run.ranks, (i + 1) * share) - 1}`);
  const margin = 20 + 7 * name(cells - 1).length; // room for the longest name
  const top = 24;
  const chart = picture(margin + cells * side + 2, top + cells * side + 2, 'communication matrix');
  for (let i = 0; i < cells; i++) {
    if (cells <= 16 || i % 8 === 0) {
      chart.append(draw('text', {x: margin - 6, y: top + (i + 0.65) * side, 'text-anchor': 'end'}, name(i)));
      chart.append(draw('text', {x: margin + (i + 0.5) * side, y: top - 8, 'text-anchor': 'middle'}, name(i)));
    }
    for (let j = 0; j < cells; j++) {
      const value = total.get(i * cells + j) || 0;
      const style = value
        ? `fill: var(--s0); fill-opacity: ${0.15 + (0.85 * value) / most}`
        : 'fill: var(--line); fill-opacity: 0.4';
      const cell = draw('rect', {x: margin + j * side, y: top + i * side, width: side - 1, height: side - 1, style});
      const what = which === 3 ? bytes(value) : `${count(value)} messages`;
      chart.append(withTooltip(cell, `${name(i)} to ${name(j)}: ${what}`));
    }
  }
  $('matrix-chart').replaceChildren(chart);
  $('by-bytes').classList.toggle('on', which === 3);
  $('by-bytes').setAttribute('aria-pressed', which === 3);
  $('by-calls').classList.toggle('on', which === 2);
  $('by-calls').setAttribute('aria-pressed', which === 2);
}

function fillSizes() {
  $('sizes').hidden = !run.sizes.length;
  if (!run.sizes.length) return;
  const most = Math.max(...run.sizes.map(size => size[1]));
  const height = 22;
  const chart = picture(480, run.sizes.length * height + 4, 'message sizes');
  run.sizes.forEach(([largest, messages], i) => {
    const y = i * height;
    chart.append(draw('text', {x: 92, y: y + 15, 'text-anchor': 'end'}, `to ${bytes(largest)}`));
    chart.append(
      draw('rect', {
        x: 100,
        y: y + 3,
        width: Math.max(2, (280 * messages) / most),
        height: height - 6,
        style: 'fill: var(--s4)',
      }),
    );
    chart.append(draw('text', {x: 106 + Math.max(2, (280 * messages) / most), y: y + 15}, count(messages)));
  });
  $('size-chart').replaceChildren(chart);
}

// "Work of a rank: 1.2 ms on average, from 1 ms (rank 7) to 1.5 ms (rank 0)."
function spreadOfWork(who, times) {
  const works = times.map(time => time[1]);
  const least = works.indexOf(works.reduce((a, b) => Math.min(a, b)));
  const most = works.indexOf(works.reduce((a, b) => Math.max(a, b)));
  const mean = seconds(sum(works) / works.length);
  return `Work of a rank of the ${who}: ${mean} on average, from ${seconds(works[least])} (rank ${least}) to ${seconds(works[most])} (rank ${most}).`;
}

function fillTimes() {
  const its = run.proxy && run.proxy.times;
  const spreads = [spreadOfWork('program', run.times)];
  if (its) spreads.push(spreadOfWork('proxy', its));
  paragraphs($('time-words'), run.ranks > 1 ? spreads : []);
  const columns = [
    {name: 'Rank', left: true, key: t => -t.rank, show: t => String(t.rank)},
    {name: 'Work', key: t => t.work, show: t => seconds(t.work)},
    {name: 'Whole run', key: t => t.wall, show: t => seconds(t.wall)},
    {name: 'Share of work', key: t => t.work / t.wall, show: t => percent(t.work, t.wall)},
  ];
  if (its) {
    columns.push({name: "Proxy's work", key: t => t.itsWork, show: t => seconds(t.itsWork)});
    columns.push({name: "Proxy's run", key: t => t.itsWall, show: t => seconds(t.itsWall)});
  }
  const rows = run.times.map(([wall, work], rank) => {
    const value = {rank, wall, work};
    if (its) [value.itsWall, value.itsWork] = its[rank] || [0, 0];
    return {value};
  });
  const details = t => [
    `Rank ${t.rank} was within calls, or waited for a processor, for ${seconds(Math.max(0, t.wall - t.work))}.`,
  ];
  table($('time-table'), columns, rows, details, 0, RANK_ROWS_MAX);
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  $('theme').textContent = name === 'dark' ? 'Light' : 'Dark';
}

fillTop();
fillVerdict();
fillFunctions();
fillTree();
fillTimeline();
fillMatrix(3);
fillSizes();
fillTimes();
$('limit-list').replaceChildren(...run.limits.map(text => element('li', {}, text)));
$('by-bytes').addEventListener('click', () => fillMatrix(3));
$('by-calls').addEventListener('click', () => fillMatrix(2));
$('theme').addEventListener('click', () =>
  setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'),
);
setTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
document.documentElement.dataset.drawn = 'yes';
