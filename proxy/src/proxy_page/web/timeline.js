// Draws the run folded by phase: a strip of all phases, and of each phase that is opened one turn over its ranks.
/* global run, $, element, draw, count, percent, seconds, withTooltip, legend */
/* exported fillTimeline */
'use strict';

const COLOURS = ['var(--s9)', 'var(--s0)', 'var(--s2)', 'var(--s3)', 'var(--s6)', 'var(--s7)', 'var(--s1)']; // by activity
const NAMED_ROWS_MAX = 16; // of more, every eighth has its name
const LABELLED_SHARE_MIN = 0.1; // of the strip

// Seconds of a phase of a rank, on average over all ranks.
function phaseTime(phase) {
  return phase.seconds / run.ranks;
}

function turnsOf({turns: [least, most]}) {
  return least === most ? `${count(least)} ×` : `${count(least)} to ${count(most)} ×`;
}

function nameOfPhase(phase) {
  return phase.loop ? `${turnsOf(phase)} (${phase.contents})` : phase.contents;
}

function spreadOfPhase(phase, whole) {
  const [mean, deviation, least, most] = phase.times;
  const calls = phase.calls === 1 ? '1 call' : `${count(phase.calls)} calls`;
  const turn = phase.loop ? ' a turn' : '';
  const spread =
    phase.size > 1 ? ` ± ${seconds(deviation)} over its ranks (${seconds(least)} to ${seconds(most)})` : '';
  const who = phase.size === run.ranks ? '' : `, ${phase.ranks} only`;
  return `${seconds(mean)}${turn}${spread}, ${percent(phaseTime(phase), whole)} of the run, ${calls}${who}`;
}

function pieceText([activity, event, times], duration, who) {
  const what = event < 0 ? `${run.timeline.activities[activity]} of several calls` : run.events[event];
  const name = activity ? what : event < 0 ? 'computation between several calls' : `computation before ${what}`;
  return `${who}: ${seconds(duration)} ${times > 1 ? `${count(times)} × ` : ''}${name}`;
}

// One turn: a row per rank, or per ranks that do the same; time goes to the right.
function turnChart(phase, width) {
  const longest = Math.max(...phase.rows.map(row => row[3].reduce((total, ns) => total + ns, 0)), 1);
  const margin = 8 + 7 * Math.max(...phase.rows.map(row => row[0].slice(0, 16).length));
  const room = width - margin - 8;
  const height = phase.rows.length > NAMED_ROWS_MAX ? 9 : 18;
  const bottom = phase.rows.length * height;
  const style = `width: ${width}px; height: ${bottom + 20}px`;
  const chart = draw('svg', {viewBox: `0 0 ${width} ${bottom + 20}`, style, role: 'img', 'aria-label': 'one turn'});
  phase.rows.forEach(([who, firstOnly, shape, pieces], i) => {
    if (phase.rows.length <= NAMED_ROWS_MAX || i % 8 === 0) {
      const short = who.length > 16 ? who.slice(0, 15) + '…' : who;
      chart.append(draw('text', {x: margin - 6, y: i * height + (height === 9 ? 9 : 13), 'text-anchor': 'end'}, short));
    }
    const said = firstOnly ? `${who}, of which the first is drawn` : who;
    let at = 0;
    pieces.forEach((ns, k) => {
      const x = margin + (room * at) / longest;
      at += ns;
      if (!ns) return;
      const box = {x, y: i * height, width: (room * ns) / longest, height: height - 1};
      const piece = phase.shapes[shape][k];
      const rect = draw('rect', {...box, class: 'piece', style: `fill: ${COLOURS[piece[0]]}`});
      chart.append(withTooltip(rect, pieceText(piece, ns * 1e-9, said)));
    });
  });
  chart.append(draw('text', {x: margin, y: bottom + 14}, '0'));
  chart.append(draw('text', {x: width - 8, y: bottom + 14, 'text-anchor': 'end'}, seconds(longest * 1e-9)));
  return chart;
}

function phaseNode(phase, whole) {
  const summary = element(
    'summary',
    {},
    element('span', {class: 'mono'}, nameOfPhase(phase)),
    ' ',
    element('span', {class: 'spread'}, spreadOfPhase(phase, whole)),
  );
  const body = element('div');
  const node = element('details', {class: 'phase'}, summary, body);
  node.addEventListener('toggle', () => {
    if (node.open) body.replaceChildren(turnChart(phase, Math.max(260, body.clientWidth)));
  });
  return node;
}

function fillTimeline() {
  const {missing, activities, phases} = run.timeline;
  $('timeline-note').textContent =
    missing ||
    'The loops of the program and what lies between them. The strip shows how long each takes; a click opens one turn of it, ' +
      'over ranks. A turn is made of the mean times of each rank, of its calls and of the computation before them: single ' +
      'turns are not in the recording, so the spread is that of the ranks.';
  if (missing) return;
  const whole = phases.reduce((total, phase) => total + phaseTime(phase), 0);
  const nodes = phases.map(phase => phaseNode(phase, whole));
  $('timeline-phases').replaceChildren(...nodes);
  legend(
    'timeline-legend',
    activities.map((name, i) => [COLOURS[i], name]),
  );
  const blocks = phases.map((phase, i) => {
    const text = `${nameOfPhase(phase)}: ${spreadOfPhase(phase, whole)}`;
    const attributes = {type: 'button', class: phase.loop ? 'turns' : 'between', 'aria-label': text};
    const hasRoom = phase.loop && phaseTime(phase) > LABELLED_SHARE_MIN * whole;
    const block = element('button', attributes, hasRoom ? turnsOf(phase) : '');
    block.style.flex = `${phaseTime(phase) / (whole || 1)} 1 0`;
    block.addEventListener('click', () => {
      nodes[i].open = true;
      nodes[i].scrollIntoView({block: 'nearest'});
    });
    return withTooltip(block, text);
  });
  $('timeline-strip').replaceChildren(...blocks);
  const loops = phases.filter(phase => phase.loop);
  const longest = loops.sort((a, b) => phaseTime(b) - phaseTime(a))[0];
  if (longest) nodes[phases.indexOf(longest)].open = true;
  addEventListener('resize', () => {
    for (const node of nodes) if (node.open) node.dispatchEvent(new Event('toggle'));
  });
}
