// Fills the sections of the page, from top to bottom, and connects the controls.
/* global $, bytes, chart, compact, count, draw, drawingWidth, element, legend, percent, redrawTimeline, run, samplingText */
/* global seconds, showFailures, showInterest, showMemoryParts, showStates, showTaskGraph, showTimeline, siteColour, table */
/* global withTooltip */
'use strict';

const empty = text => element('p', {class: 'empty'}, text);
run.sites.forEach((site, id) => (site.id = id));

// ---- title, tiles, summary
function showHead() {
  $('title').textContent = run.title;
  const tile = (value, name, kind = 'tile') =>
    element('div', {class: kind}, element('b', {}, value), element('span', {}, name));
  const tiles = [
    tile(percent(run.replayed, run.operations), 'replayed', run.replayed > 0 ? 'tile good' : 'tile'),
    tile(count(run.operations), 'operations'),
  ];
  if (!run.fromStream) {
    tiles.push(tile(count(run.tasks), 'tasks'));
    tiles.push(tile(seconds(run.seconds), 'from start to end'));
  }
  if (run.fromPrecedents) {
    tiles.push(tile(run.firstReplay ? count(run.firstReplay) : '–', 'first replayed'));
  } else {
    tiles.push(tile(count(run.traces.length + run.otherTraces.count), 'traces'));
  }
  tiles.push(tile(count(run.sites.filter(site => site.operations).length), 'launch sites'));
  const {threw, skipped} = run.failures;
  if (threw) tiles.push(tile(count(threw), skipped ? `failed, ${count(skipped)} skipped` : 'failed tasks', 'tile bad'));
  $('tiles').replaceChildren(...tiles);
  $('words').replaceChildren(...run.summary.map(text => element('p', {}, text)));
}

// ---- the curves
const CURVE = {operations: 0, replayed: 1, recorded: 2, seconds: 3, process: 4, regions: 5, tracing: 6, analysis: 7};
const column = name => run.curve.map(sample => sample[CURVE[name]]);
let byTime = false;

function showShare() {
  if (!run.curve.length) return $('share-chart').replaceChildren(empty('Nothing was launched.'));
  const operations = column('operations');
  const replayed = column('replayed');
  const recorded = column('recorded');
  const time = column('seconds');
  const zero = operations.map(() => 0);
  const one = operations.map(() => 1);
  const upToReplayed = [];
  const upToRecorded = [];
  operations.forEach((n, i) => {
    const since = series => series[i] - (i ? series[i - 1] : 0);
    const done = since(operations) || 1;
    upToReplayed.push(Math.min(1, since(replayed) / done));
    upToRecorded.push(Math.min(1, upToReplayed[i] + since(recorded) / done));
  });
  chart($('share-chart'), {
    x: byTime ? time : operations,
    xLabel: byTime ? seconds : compact,
    yMax: 1,
    yLabel: v => Math.round(v * 100) + ' %',
    areas: [
      {low: zero, high: upToReplayed, colour: 'var(--replayed)'},
      {low: upToReplayed, high: upToRecorded, colour: 'var(--recorded)'},
      {low: upToRecorded, high: one, colour: 'var(--analysed)'},
    ],
    lines: [{y: operations.map((n, i) => (n ? replayed[i] / n : 0)), colour: 'var(--ink)'}],
    tipAt: i =>
      `operation ${count(operations[i])}` +
      (run.fromStream ? '' : `, after ${seconds(time[i])}`) +
      `\nhere ${percent(upToReplayed[i], 1)} replayed` +
      `\nso far ${percent(replayed[i], operations[i])}`,
  });
  legend('share-legend', [
    ['var(--replayed)', 'replayed'],
    ['var(--recorded)', 'recorded'],
    ['var(--analysed)', 'analysed'],
    ['var(--ink)', 'replayed since the beginning'],
  ]);
}

function showShareButtons() {
  const buttons = [$('by-operations'), $('by-time')];
  if (run.fromStream || !run.curve.length) {
    buttons.forEach(button => button.remove());
    return;
  }
  buttons.forEach(button =>
    button.addEventListener('click', () => {
      byTime = button.id === 'by-time';
      buttons.forEach(other => {
        other.classList.toggle('on', other === button);
        other.setAttribute('aria-pressed', other === button);
      });
      showShare();
    }),
  );
}

const IDLE = 8; // the stage whose colour is pale

function showStages() {
  if (run.fromStream || !run.workers.length) return $('stages')?.remove();
  $('stage-sampling').textContent = samplingText();
  const width = drawingWidth($('stage-chart'));
  const left = width < 600 ? 84 : 128;
  const bar = 24;
  const gap = 12;
  const svg = draw('svg', {viewBox: `0 0 ${width} ${run.workers.length * (bar + gap)}`, role: 'img'});
  run.workers.forEach((worker, row) => {
    const y = row * (bar + gap);
    const baseline = y + bar / 2 + 4;
    const total = worker.seconds.reduce((a, b) => a + b, 0) || 1;
    svg.append(draw('text', {x: left - 10, y: baseline, 'text-anchor': 'end'}, worker.name));
    let x = left;
    worker.seconds.forEach((value, stage) => {
      const w = ((width - left) * value) / total;
      if (w <= 0) return;
      const rect = draw('rect', {
        x,
        y,
        width: Math.max(0, w - (w > 3 ? 1 : 0)),
        height: bar,
        rx: Math.min(3, w / 2),
        style: `fill:var(--s${stage})`,
      });
      const figures = `${seconds(value)}, ${percent(value, total)}`;
      svg.append(withTooltip(rect, `${worker.name}: ${run.stages[stage]}\n${figures}`));
      if (w > 62) {
        const style = `pointer-events:none;fill:${stage === IDLE ? 'var(--ink)' : 'var(--card)'}`;
        svg.append(draw('text', {x: x + 7, y: baseline, style}, percent(value, total)));
      }
      x += w;
    });
  });
  $('stage-chart').replaceChildren(svg);
  const isUsed = stage => run.workers.some(worker => worker.seconds[stage] > 0);
  const entries = run.stages.map((name, stage) => [`var(--s${stage})`, name]);
  legend(
    'stage-legend',
    entries.filter((_, stage) => isUsed(stage)),
  );
}

function showMemory() {
  if (run.fromStream || !run.curve.length) return $('memory')?.remove();
  const series = [
    {colour: 'var(--ink)', name: 'process'},
    {colour: 'var(--s0)', name: 'regions'},
    {colour: 'var(--s4)', name: 'tracing'},
    {colour: 'var(--s2)', name: 'analysis'},
  ];
  const time = column('seconds');
  const largest = Math.max(...series.map(({name}) => column(name).reduce((a, b) => Math.max(a, b), 1)));
  chart($('memory-chart'), {
    x: time,
    xLabel: seconds,
    yMax: largest * 1.05,
    yLabel: bytes,
    lines: series.map(({colour, name}) => ({colour, y: column(name)})),
    tipAt: at =>
      [`after ${seconds(time[at])}`, ...series.map(({name}) => `${name} ${bytes(column(name)[at])}`)].join('\n'),
    height: 190,
  });
  legend(
    'memory-legend',
    series.map(({colour, name}) => [colour, name]),
  );
}

// ---- loops and traces
const siteLabel = site => [element('span', {}, site.name), ' ', element('span', {class: 'where'}, site.where)];

// Parts are site ids, and loops as [times, parts].
function listing(parts) {
  return parts.map(part => {
    if (typeof part === 'number') return element('div', {}, ...siteLabel(run.sites[part]));
    const [times, body] = part;
    if (body.length === 1 && typeof body[0] === 'number') {
      const prefix = element('span', {class: 'times'}, `${count(times)} × `);
      return element('div', {}, prefix, ...siteLabel(run.sites[body[0]]));
    }
    const summary = element('summary', {}, `${count(times)} ×`);
    return element('details', {class: 'loop', open: ''}, summary, element('div', {}, ...listing(body)));
  });
}

const traceName = trace => `${trace.automatic ? 'automatic' : 'manual'} ${trace.id}`;

// The first source lines of a fragment.
function launchPlaces(fragment) {
  const seen = new Set();
  const visit = parts =>
    parts.forEach(part => {
      if (typeof part !== 'number') visit(part[1]);
      else if (run.sites[part].where) seen.add(run.sites[part].where);
    });
  visit(fragment.listing || []);
  const all = [...seen];
  return all.slice(0, 3).join(', ') + (all.length > 3 ? ` and ${all.length - 3} more` : '');
}

function fragmentDetails(fragment, whyNotListed) {
  if (!fragment.listing) return [empty(whyNotListed)];
  const parts = [element('div', {class: 'listing mono'}, ...listing(fragment.listing))];
  if (fragment.cut) parts.push(empty('and so on'));
  return parts;
}

const replayedColumns = [
  {name: 'replayed', key: f => f.replayed, show: f => count(f.replayed)},
  {name: 'of all', key: f => f.replayed, show: f => percent(f.replayed, run.operations)},
];
const placesColumn = {
  name: 'launched in',
  left: true,
  key: launchPlaces,
  show: f => element('span', {class: 'where'}, launchPlaces(f)),
};

function showLoops() {
  if (!run.fromPrecedents) return $('loops').remove();
  const host = $('loop-table');
  if (!run.loops.length) return host.replaceChildren(empty('Nothing was replayed.'));
  const isShown = loop => loop.replayed >= loop.length || loop.replayed >= run.replayed / 100;
  const iterations = loop => loop.replayed / loop.length;
  const columns = [
    {name: 'operations', key: l => l.length, show: l => count(l.length)},
    ...replayedColumns,
    {name: 'iterations', key: iterations, show: l => (iterations(l) < 1 ? '< 1' : count(Math.floor(iterations(l))))},
    {name: 'first', key: l => l.first, show: l => count(l.first)},
    {name: 'last', key: l => l.last, show: l => count(l.last)},
    placesColumn,
  ];
  const shown = run.loops.filter(isShown);
  const details = loop => fragmentDetails(loop, 'Its operations are not listed: there are too many loops.');
  table(
    host,
    columns,
    shown.map(value => ({value})),
    details,
    1,
  );

  const others = run.loops.length - shown.length + run.otherLoops.count;
  if (!others) return;
  const listed = [...shown, ...run.traces].reduce((sum, f) => sum + f.replayed, run.otherTraces.replayed);
  host.append(
    empty(
      `${count(others)} further ${others === 1 ? 'distance' : 'distances'} to a precedent served ` +
        `${count(run.replayed - listed)} operations, none for a whole iteration or 1 % of what was replayed.`,
    ),
  );
}

function showTraces() {
  const host = $('trace-table');
  if (!run.traces.length) {
    if (run.fromPrecedents) return $('traces').remove();
    return host.replaceChildren(empty('Nothing was traced.'));
  }
  const columns = [
    {name: 'trace', left: true, key: traceName, show: traceName},
    {name: 'operations', key: t => t.length, show: t => count(t.length)},
    {name: 'executions', key: t => t.executions, show: t => count(t.executions)},
    ...replayedColumns,
    {name: 'recorded at', key: t => t.first, show: t => count(t.first)},
    placesColumn,
  ];
  const details = trace => {
    const parts = fragmentDetails(trace, 'Its operations are not listed: there are too many traces.');
    if (!trace.mismatches) return parts;
    const text = `${count(trace.mismatches)} operations were recorded after a mismatch.`;
    return [element('p', {class: 'why'}, text), ...parts];
  };
  table(
    host,
    columns,
    run.traces.map(value => ({value})),
    details,
    3,
  );
  const others = run.otherTraces;
  if (!others.count) return;
  host.append(
    empty(
      `About ${count(others.count)} further traces with ${count(others.replayed)} replayed operations ` +
        'have no row of their own.',
    ),
  );
}

function showTaskGraphs() {
  if (run.fromPrecedents) {
    $('graph-of').textContent = 'a loop';
    $('graph-part').textContent = 'one iteration';
  }
  const choice = $('graph-choice');
  const drawn = [...run.loops, ...run.traces].filter(fragment => fragment.graph);
  if (!drawn.length) {
    choice.remove();
    const text = run.fromStream
      ? 'A log of tokens does not have the dependences.'
      : 'There are no dependences to draw.';
    return $('graph-chart').replaceChildren(element('p', {class: 'empty centred'}, text));
  }
  const nameOf = fragment => (fragment.id === undefined ? 'loop' : traceName(fragment));
  const options = drawn.map((fragment, i) =>
    element('option', {value: i}, `${nameOf(fragment)}: ${count(fragment.length)} operations`),
  );
  choice.replaceChildren(...options);
  choice.addEventListener('change', () => showTaskGraph(drawn[choice.value]));
  showTaskGraph(drawn[0]);
}

// ---- launch sites
// What ran once had nothing to repeat: that is no reproach.
const ranOnce = site => site.operations === 1;

function shareBar(site) {
  const bar = element('span', {class: 'share'});
  if (ranOnce(site)) return withTooltip(bar, 'launched once');
  const kinds = ['replayed', 'recorded', 'analysed'];
  for (const kind of kinds) {
    const piece = element('i');
    piece.style.cssText = `width:${(100 * site[kind]) / (site.operations || 1)}%;background:var(--${kind})`;
    bar.append(piece);
  }
  return withTooltip(bar, kinds.map(kind => `${count(site[kind])} ${kind}`).join('\n'));
}

function mainReason(site) {
  if (ranOnce(site)) return 'launched once';
  const most = Math.max(...site.reasons);
  return most > 0 ? run.reasons[site.reasons.indexOf(most)] : '';
}

function siteDetails(site) {
  const why = text => element('p', {class: 'why'}, text);
  const parts = [];
  const [total, each, longest] = run.times[site.id] || [];
  if (total !== undefined)
    parts.push(
      why(
        `Its ${count(site.tasks)} tasks took ${seconds(total)}: ${seconds(each)} each, the longest ${seconds(longest)}.`,
      ),
    );
  const list = element('ul', {class: 'why'});
  site.reasons.forEach((n, i) => {
    if (n) list.append(element('li', {}, `${count(n)}: ${run.reasons[i]}.`));
  });
  parts.push(list.children.length ? list : why('All of its operations were replayed.'));
  if (site.detail) parts.push(why(`The latest that was not replayed, operation ${count(site.latest)}: ${site.detail}`));
  if (site.held) {
    const mean = site.heldMean.toFixed(1);
    parts.push(why(`${count(site.held)} of its operations were held back, for ${mean} further launches on average.`));
  }
  return parts;
}

// [total, mean, longest, share of the critical path] of a site's tasks; nothing if none was timed.
const timeOf = site => run.times[site.id] || [];
const marked = site => {
  const mark = element('i', {class: 'swatch'});
  mark.style.background = siteColour(site.id);
  return [mark, ...siteLabel(site)];
};

function timeColumns() {
  const all = run.times.reduce((sum, time) => sum + (time[0] || 0), 0);
  const known = (site, i, show) => (timeOf(site).length ? show(timeOf(site)[i]) : '–');
  return [
    {
      name: 'time',
      key: s => timeOf(s)[0] || 0,
      show: s => {
        const share = withTooltip(
          element('span'),
          known(s, 0, time => `${percent(time, all)} of all tasks`),
        );
        share.append(known(s, 0, seconds));
        return share;
      },
    },
    {name: 'per task', key: s => timeOf(s)[1] || 0, show: s => known(s, 1, seconds)},
    {name: 'critical path', key: s => timeOf(s)[3] || 0, show: s => known(s, 3, share => percent(share, 1))},
  ];
}

function showSites() {
  const anyHeld = run.sites.some(site => site.held);
  if (!anyHeld) $('held-note').remove();
  const hasTimes = run.times.some(time => time.length);
  if (!hasTimes) $('site-times').remove();
  const rows = run.sites.filter(site => site.operations).map(value => ({value}));
  const columns = [
    {name: 'launch', left: true, key: s => s.name + s.where, show: hasTimes ? marked : siteLabel},
    {name: 'operations', key: s => s.operations, show: s => count(s.operations)},
    ...(hasTimes ? timeColumns() : []),
    {
      name: 'replayed',
      key: s => (ranOnce(s) ? -1 : s.replayed / (s.operations || 1)),
      show: s => [shareBar(s), element('span', {class: 'part'}, ranOnce(s) ? '–' : percent(s.replayed, s.operations))],
    },
    {name: 'when not replayed, mostly', left: true, key: mainReason, show: mainReason},
  ];
  if (anyHeld) columns.splice(columns.length - 1, 0, {name: 'held back', key: s => s.held, show: s => count(s.held)});
  const fill = table($('site-table'), columns, rows, siteDetails, hasTimes ? 2 : 1);
  $('filter').addEventListener('input', () => {
    const wanted = $('filter').value.toLowerCase();
    for (const row of rows) {
      const text = `${row.value.name} ${row.value.where}`.toLowerCase();
      row.hidden = !text.includes(wanted);
    }
    fill();
  });
}

// ---- light and dark: the system's choice, until the reader makes one
function setTheme(name) {
  document.documentElement.dataset.theme = name;
  $('theme').textContent = name === 'dark' ? 'Light' : 'Dark';
}
$('theme').addEventListener('click', () =>
  setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'),
);
setTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

// ---- everything once; the charts, which are drawn for one width, again when the window changes
const charts = [showShare, showStages, showMemory];
for (const show of [
  showHead,
  showInterest,
  showFailures,
  showShareButtons,
  ...charts,
  showMemoryParts,
  showTimeline,
  showLoops,
  showTraces,
  showTaskGraphs,
  showStates,
  showSites,
])
  show();
addEventListener('resize', () => [...charts, redrawTimeline].forEach(show => show()));
document.documentElement.dataset.ready = 'yes';
