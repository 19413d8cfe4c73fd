#include "page/page_parts.hpp"

namespace refrain::page {

const std::string_view page_script = R"js(// ---- the parts of the page
function showHead() {
  $('title').textContent = run.title;
  const tile = (value, name, good) =>
    element('div', {class: good ? 'tile good' : 'tile'}, element('b', {}, value), element('span', {}, name));
  const tiles = [tile(percent(run.replayed, run.operations), 'replayed', run.replayed > 0),
                 tile(count(run.operations), 'operations')];
  if (!run.fromStream) tiles.push(tile(count(run.tasks), 'tasks'), tile(seconds(run.seconds), 'from start to end'));
  if (run.fromPrecedents) tiles.push(tile(run.firstReplay ? count(run.firstReplay) : '–', 'first replayed'));
  else tiles.push(tile(count(run.traces.length + run.otherTraces.count), 'traces'));
  tiles.push(tile(count(run.sites.length), 'launch sites'));
  $('tiles').replaceChildren(...tiles);
  $('words').replaceChildren(...run.summary.map(text => element('p', {}, text)));
}

const columns = index => run.curve.map(sample => sample[index]);
let byTime = false;
function showShare() {
  const operations = columns(0), replayed = columns(1), recorded = columns(2), time = columns(3);
  const zero = operations.map(() => 0), upToReplayed = [], upToRecorded = [], one = operations.map(() => 1);
  const total = operations.map((n, i) => n ? replayed[i] / n : 0);
  operations.forEach((n, i) => {
    const done = n - (i ? operations[i - 1] : 0) || 1;
    upToReplayed.push(Math.min(1, (replayed[i] - (i ? replayed[i - 1] : 0)) / done));
    upToRecorded.push(Math.min(1, upToReplayed[i] + (recorded[i] - (i ? recorded[i - 1] : 0)) / done));
  });
  chart($('share-chart'), {
    x: byTime ? time : operations, xLabel: byTime ? seconds : short,
    yMax: 1, yLabel: v => Math.round(v * 100) + ' %',
    areas: [{low: zero, high: upToReplayed, colour: 'var(--replayed)'},
            {low: upToReplayed, high: upToRecorded, colour: 'var(--recorded)'},
            {low: upToRecorded, high: one, colour: 'var(--analysed)'}],
    lines: [{y: total, colour: 'var(--ink)'}],
    tipAt: i => `operation ${count(operations[i])}` + (run.fromStream ? '' : `, after ${seconds(time[i])}`) +
      `\nhere ${percent(upToReplayed[i], 1)} replayed\nso far ${percent(replayed[i], operations[i])}`,
  });
  legend('share-legend', [['var(--replayed)', 'replayed'], ['var(--recorded)', 'recorded'],
                          ['var(--analysed)', 'analysed'], ['var(--ink)', 'replayed since the beginning']]);
  if (run.fromStream) return;
  $('by-time').classList.toggle('on', byTime);
  $('by-operations').classList.toggle('on', !byTime);
}

function showStages() {
  if (run.fromStream || !run.workers.length) return $('stages').remove();
  const width = 1060, left = 128, bar = 24, gap = 12;
  const svg = draw('svg', {viewBox: `0 0 ${width} ${run.workers.length * (bar + gap)}`, role: 'img'});
  run.workers.forEach((worker, row) => {
    const y = row * (bar + gap);
    const total = worker.seconds.reduce((a, b) => a + b, 0) || 1;
    svg.append(draw('text', {x: left - 10, y: y + bar / 2 + 4, 'text-anchor': 'end'}, worker.name));
    let x = left;
    worker.seconds.forEach((value, stage) => {
      const w = (width - left) * value / total;
      if (w <= 0) return;
      svg.append(withTip(draw('rect', {x, y, width: Math.max(0, w - (w > 3 ? 1 : 0)), height: bar, rx: Math.min(3, w / 2), style: `fill:var(--s${stage})`}),
        `${worker.name}: ${run.stages[stage]}\n${seconds(value)}, ${percent(value, total)}`));
      if (w > 62) svg.append(draw('text', {x: x + 7, y: y + bar / 2 + 4,
        style: `pointer-events:none;fill:${stage === 8 ? 'var(--ink)' : 'var(--card)'}`}, percent(value, total)));
      x += w;
    });
  });
  $('stage-chart').replaceChildren(svg);
  const used = run.stages.map((name, i) => [`var(--s${i})`, name]).filter((_, i) => run.workers.some(w => w.seconds[i] > 0));
  legend('stage-legend', used);
}

const siteLabel = site => [element('span', {}, site.name), ' ', element('span', {class: 'where'}, site.where)];
function listing(parts) {
  return parts.map(part => {
    if (typeof part === 'number') return element('div', {}, ...siteLabel(run.sites[part]));
    const [times, body] = part;
    if (body.length === 1 && typeof body[0] === 'number')
      return element('div', {}, element('span', {class: 'times'}, `${count(times)} × `), ...siteLabel(run.sites[body[0]]));
    return element('details', {class: 'loop', open: ''}, element('summary', {}, `${count(times)} ×`),
                   element('div', {}, ...listing(body)));
  });
}
const fragmentName = fragment => fragment.id === undefined ? 'loop' : traceName(fragment);
const traceName = trace => (trace.automatic ? 'automatic ' : 'manual ') + trace.id;
function places(trace) {
  const seen = new Map();
  const visit = parts => parts.forEach(part => typeof part === 'number'
    ? seen.set(run.sites[part].where, true) : visit(part[1]));
  visit(trace.listing || []);
  const all = [...seen.keys()];
  return all.slice(0, 3).join(', ') + (all.length > 3 ? ` and ${all.length - 3} more` : '');
}

// ---- a table whose rows open, sorted by any column
function table(host, heads, rows, open, start) {
  let sorted = start, up = false;
  const head = element('tr');
  const body = element('tbody');
  function fill() {
    const order = rows.filter(row => !row.hidden);
    const key = heads[sorted].key;
    order.sort((a, b) => {
      const [x, y] = [key(a.value), key(b.value)];
      return (x < y ? -1 : x > y ? 1 : 0) * (up ? 1 : -1);
    });
    body.replaceChildren(...order.slice(0, 500).flatMap(row => row.more ? [row.node, row.more] : [row.node]));
    if (order.length > 500) body.append(element('tr', {}, element('td', {class: 'l', colspan: heads.length}, `and ${count(order.length - 500)} more`)));
    if (!order.length) body.append(element('tr', {}, element('td', {class: 'l empty', colspan: heads.length}, 'None.')));
    [...head.children].forEach((th, i) => {
      th.classList.toggle('up', i === sorted && up);
      th.classList.toggle('down', i === sorted && !up);
    });
  }
  heads.forEach((column, i) => {
    const th = element('th', {class: 'sort' + (column.left ? ' l' : ''), tabindex: 0}, column.name);
    const sort = () => { up = sorted === i ? !up : Boolean(column.left); sorted = i; fill(); };
    th.addEventListener('click', sort);
    th.addEventListener('keydown', event => { if (event.key === 'Enter') sort(); });
    head.append(th);
  });
  for (const row of rows) {
    row.node = element('tr', {class: 'row', tabindex: 0},
      ...heads.map(column => element('td', column.left ? {class: 'l'} : {}, ...[column.show(row.value)].flat())));
    const toggle = () => {
      const opens = !row.more;
      row.more = opens ? element('tr', {class: 'more'}, element('td', {colspan: heads.length}, ...open(row.value))) : null;
      row.node.classList.toggle('open', opens);
      fill();
    };
    row.node.addEventListener('click', toggle);
    row.node.addEventListener('keydown', event => { if (event.key === 'Enter') toggle(); });
  }
  host.replaceChildren(element('table', {}, element('thead', {}, head), body));
  fill();
  return fill;
}

function openFragment(fragment, missing) {
  if (!fragment.listing) return [element('p', {class: 'empty'}, missing)];
  const parts = [element('div', {class: 'listing mono'}, ...listing(fragment.listing))];
  if (fragment.cut) parts.push(element('p', {class: 'empty'}, 'and so on'));
  return parts;
}
function showLoops() {
  if (!run.fromPrecedents) return $('loops').remove();
  if (!run.loops.length) return $('loop-table').replaceChildren(element('p', {class: 'empty'}, 'Nothing was replayed.'));
  const shown = run.loops.filter(l => l.replayed >= l.length || l.replayed >= run.replayed / 100);
  table($('loop-table'), [
    {name: 'operations', key: l => l.length, show: l => count(l.length)},
    {name: 'replayed', key: l => l.replayed, show: l => count(l.replayed)},
    {name: 'of all', key: l => l.replayed, show: l => percent(l.replayed, run.operations)},
    {name: 'iterations', key: l => l.replayed / l.length, show: l => l.replayed < l.length ? '< 1' : count(Math.floor(l.replayed / l.length))},
    {name: 'first', key: l => l.first, show: l => count(l.first)},
    {name: 'last', key: l => l.last, show: l => count(l.last)},
    {name: 'launched in', left: true, key: places, show: l => element('span', {class: 'where'}, places(l))},
  ], shown.map(value => ({value})), loop => openFragment(loop, 'Its operations are not listed: there are too many loops.'), 1);
  const others = run.loops.length - shown.length + run.otherLoops.count;
  if (others) $('loop-table').append(element('p', {class: 'empty'}, `${count(others)} further ${others === 1 ? 'distance' : 'distances'} to a precedent ` +
    `served ${count(run.replayed - [...shown, ...run.traces].reduce((sum, f) => sum + f.replayed, run.otherTraces.replayed))} operations, none for a whole iteration or 1 % of what was replayed.`));
}
function showTraces() {
  if (!run.traces.length) {
    if (run.fromPrecedents) return $('traces').remove();
    return $('trace-table').replaceChildren(element('p', {class: 'empty'}, 'Nothing was traced.'));
  }
  const rows = run.traces.map(value => ({value}));
  table($('trace-table'), [
    {name: 'trace', left: true, key: t => traceName(t), show: t => traceName(t)},
    {name: 'operations', key: t => t.length, show: t => count(t.length)},
    {name: 'executions', key: t => t.executions, show: t => count(t.executions)},
    {name: 'replayed', key: t => t.replayed, show: t => count(t.replayed)},
    {name: 'of all', key: t => t.replayed, show: t => percent(t.replayed, run.operations)},
    {name: 'recorded at', key: t => t.first, show: t => count(t.first)},
    {name: 'launched in', left: true, key: places, show: t => element('span', {class: 'where'}, places(t))},
  ], rows, trace => {
    const parts = [];
    if (trace.mismatches) parts.push(element('p', {class: 'why'}, `${count(trace.mismatches)} operations were recorded after it had been left.`));
    return [...parts, ...openFragment(trace, 'Its operations are not listed: there are too many traces.')];
  }, 3);
  if (run.otherTraces.count) $('trace-table').append(element('p', {class: 'empty'},
    `About ${count(run.otherTraces.count)} further traces with ${count(run.otherTraces.replayed)} replayed operations have no row of their own.`));
}

// ---- the graph: rows by longest path, order within a row by the mean place of the sources
function layers(nodes, edges) {
  const row = nodes.map(() => 0);
  const sources = nodes.map(() => []), targets = nodes.map(() => []);
  for (const [from, to] of edges) { row[to] = Math.max(row[to], row[from] + 1); sources[to].push(from); targets[from].push(to); }
  const rows = [];
  nodes.forEach((_, i) => (rows[row[i]] = rows[row[i]] || []).push(i));
  const place = nodes.map(() => 0);
  const settle = () => rows.forEach(r => r.forEach((n, i) => { place[n] = i - (r.length - 1) / 2; }));
  settle();
  const mean = (n, of) => of[n].length ? of[n].reduce((sum, m) => sum + place[m], 0) / of[n].length : place[n];
  for (let sweep = 0; sweep < 8; ++sweep) {
    const [order, of] = sweep % 2 ? [[...rows].reverse(), targets] : [rows, sources];
    for (const r of order) { const at = new Map(r.map(n => [n, mean(n, of)])); r.sort((a, b) => at.get(a) - at.get(b)); settle(); }
  }
  return {rows, place, sources, targets};
}
function showGraph(trace) {
  const host = $('graph-chart');
  const {nodes, edges} = trace.graph;
  const {rows, place, sources, targets} = layers(nodes, edges);
  const w = 164, h = 36, dx = 184, dy = 74, pad = 24;
  const widest = Math.max(...rows.map(r => r.length));
  const width = widest * dx + 2 * pad, height = rows.length * dy - (dy - h) + 2 * pad;
  const svg = draw('svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'img'});
  const at = [];
  rows.forEach((r, i) => r.forEach(n => { at[n] = [width / 2 + place[n] * dx, pad + i * dy]; }));
  const paths = edges.map(([from, to, data]) => {
    const [x1, y1] = [at[from][0], at[from][1] + h], [x2, y2] = at[to];
    const bend = Math.max(18, (y2 - y1) / 2);
    const path = draw('path', {d: `M${x1},${y1}C${x1},${y1 + bend} ${x2},${y2 - bend} ${x2},${y2}`, class: data ? 'data' : 'order'});
    svg.append(path);
    return path;
  });
  const cut = text => text.length > 24 ? text.slice(0, 23) + '…' : text;
  const cutFront = text => text.length > 30 ? '…' + text.slice(-29) : text;  // the line matters more than the folder
  const groups = nodes.map(([site, points, beyond], n) => {
    const g = draw('g', {class: beyond ? 'node beyond' : 'node', transform: `translate(${at[n][0] - w / 2},${at[n][1]})`});
    g.append(draw('rect', {width: w, height: h}),
             draw('text', {x: w / 2, y: 15, 'text-anchor': 'middle'}, cut(run.sites[site].name)),
             draw('text', {x: w / 2, y: 28, 'text-anchor': 'middle', class: 'sub'}, cutFront(`${points} ${points === 1 ? 'task' : 'tasks'} · ${run.sites[site].where}`)));
    svg.append(g);
    return g;
  });
  groups.forEach((g, n) => {
    g.addEventListener('pointerenter', () => {
      host.classList.add('picked');
      [n, ...sources[n], ...targets[n]].forEach(m => groups[m].classList.add('hot'));
      edges.forEach(([from, to], e) => { if (from === n || to === n) paths[e].classList.add('hot'); });
    });
    g.addEventListener('pointerleave', () => {
      host.classList.remove('picked');
      svg.querySelectorAll('.hot').forEach(node => node.classList.remove('hot'));
    });
    withTip(g, `operation ${n + 1} of ${count(trace.length)}: ${run.sites[nodes[n][0]].name}\n${run.sites[nodes[n][0]].where}` +
      `\nwaits for ${sources[n].length} of these` + (nodes[n][2] ? ', and for others before them' : ''));
  });
  host.replaceChildren(svg);
  if (nodes.length < trace.length) host.append(element('p', {class: 'empty', style: 'text-align:center'},
    `The first ${count(nodes.length)} of ${count(trace.length)} operations.`));
  host.scrollLeft = (width - host.clientWidth) / 2;
}
function showGraphs() {
  const drawn = [...run.loops, ...run.traces].filter(fragment => fragment.graph);
  if (run.fromPrecedents) {
    $('graph-of').textContent = 'a loop';
    $('graph-part').textContent = 'one iteration';
  }
  if (!drawn.length) {
    $('graph-choice').remove();
    return $('graph-chart').replaceChildren(element('p', {class: 'empty', style: 'text-align:center'},
      run.fromStream ? 'A log of tokens does not have the dependences.' : 'There are no dependences to draw.'));
  }
  const choice = $('graph-choice');
  choice.replaceChildren(...drawn.map((trace, i) => element('option', {value: i}, `${fragmentName(trace)}: ${count(trace.length)} operations`)));
  choice.addEventListener('change', () => showGraph(drawn[choice.value]));
  showGraph(drawn[0]);
}

function showSites() {
  const shareBar = site => {
    const bar = element('span', {class: 'share'});
    for (const part of ['replayed', 'recorded', 'analysed']) {
      const piece = element('i');
      piece.style.cssText = `width:${100 * site[part] / (site.operations || 1)}%;background:var(--${part})`;
      bar.append(piece);
    }
    return withTip(bar, `${count(site.replayed)} replayed\n${count(site.recorded)} recorded\n${count(site.analysed)} analysed`);
  };
  const main = site => {
    let best = -1;
    site.reasons.forEach((n, i) => { if (n && (best < 0 || n > site.reasons[best])) best = i; });
    return best < 0 ? '' : run.reasons[best];
  };
  const anyHeld = run.sites.some(site => site.held);
  if (!anyHeld) $('held-note').remove();
  const rows = run.sites.map(value => ({value}));
  const fill = table($('site-table'), [
    {name: 'launch', left: true, key: s => s.name + s.where, show: siteLabel},
    {name: 'operations', key: s => s.operations, show: s => count(s.operations)},
    {name: 'replayed', key: s => s.replayed / (s.operations || 1), show: s => [shareBar(s), element('span', {class: 'part'}, percent(s.replayed, s.operations))]},
    ...(anyHeld ? [{name: 'held back', key: s => s.held, show: s => count(s.held)}] : []),
    {name: 'when not replayed, mostly', left: true, key: main, show: s => main(s)},
  ], rows, site => {
    const parts = [];
    const list = element('ul', {class: 'why'});
    site.reasons.forEach((n, i) => { if (n) list.append(element('li', {}, `${count(n)}: ${run.reasons[i]}.`)); });
    if (list.children.length) parts.push(list); else parts.push(element('p', {class: 'why'}, 'All of its operations were replayed.'));
    if (site.detail) parts.push(element('p', {class: 'why'}, `The latest that was not replayed, operation ${count(site.latest)}: ${site.detail}`));
    if (site.held) parts.push(element('p', {class: 'why'}, `${count(site.held)} of its operations were held back, for ${site.heldMean.toFixed(1)} further launches on average.`));
    return parts;
  }, 1);
  $('filter').addEventListener('input', () => {
    const text = $('filter').value.toLowerCase();
    for (const row of rows) row.hidden = !(row.value.name + ' ' + row.value.where).toLowerCase().includes(text);
    fill();
  });
}

function showMemory() {
  if (run.fromStream || !run.curve.length) return $('memory').remove();
  const series = [['var(--ink)', 'process', 4], ['var(--s0)', 'regions', 5], ['var(--s4)', 'tracing', 6], ['var(--s2)', 'analysis', 7]];
  const time = columns(3);
  chart($('memory-chart'), {
    x: time, xLabel: seconds, yMax: Math.max(1, ...series.flatMap(([, , i]) => columns(i))) * 1.05, yLabel: bytes,
    lines: series.map(([colour, , i]) => ({colour, y: columns(i)})),
    tipAt: at => `after ${seconds(time[at])}\n` + series.map(([, name, i]) => `${name} ${bytes(run.curve[at][i])}`).join('\n'),
    height: 190,
  });
  legend('memory-legend', series.map(([colour, name]) => [colour, name]));
}

// ---- light and dark: the system's choice, until the reader makes one
const theme = $('theme');
function paint(name) {
  document.documentElement.dataset.theme = name;
  theme.textContent = name === 'dark' ? 'Light' : 'Dark';
}
theme.addEventListener('click', () => paint(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'));
paint(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

if (run.fromStream) {
  $('by-time').remove();
  $('by-operations').remove();
} else {
  $('by-time').addEventListener('click', () => { byTime = true; showShare(); });
  $('by-operations').addEventListener('click', () => { byTime = false; showShare(); });
}
for (const show of [showHead, showShare, showStages, showLoops, showTraces, showGraphs, showSites, showMemory]) show();
document.documentElement.dataset.ready = 'yes';
)js";

}  // namespace refrain::page
