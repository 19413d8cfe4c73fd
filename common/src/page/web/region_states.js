// Draws the states of regions, and the launches that lead from one to the other.
/* global $, count, draw, element, run, withTooltip */
/* exported showStates */
'use strict';

const cutState = text => (text.length > 26 ? text.slice(0, 25) + '…' : text);

// Arrows with the same ends are one curve with several launches.
function curvesOf(automaton) {
  const curves = new Map();
  for (const [from, to, site, times] of automaton.arrows) {
    const key = `${from} ${to}`;
    if (!curves.has(key)) curves.set(key, {from, to, sites: []});
    curves.get(key).sites.push({site, times});
  }
  for (const curve of curves.values()) curve.sites.sort((a, b) => b.times - a.times);
  return [...curves.values()];
}

function sitesText({sites}) {
  const first = run.sites[sites[0].site].name;
  return sites.length > 1 ? `${first} + ${sites.length - 1}` : first;
}

function arrowHead(before, tip) {
  const angle = (Math.atan2(tip.y - before.y, tip.x - before.x) * 180) / Math.PI;
  const transform = `translate(${tip.x},${tip.y}) rotate(${angle})`;
  return draw('path', {d: 'M-9,-4.5L0,0L-9,4.5z', class: 'head', transform});
}

function showAutomaton(automaton) {
  const host = $('states-chart');
  $('states-of').textContent = automaton.region;
  const number = automaton.states.length;
  const nodeWidth = 178;
  const nodeHeight = 40;
  const radius = {x: Math.max(190, 52 * number), y: number < 3 ? 0 : Math.max(110, 27 * number)};
  const width = 2 * radius.x + nodeWidth + 120;
  const height = 2 * radius.y + nodeHeight + 130;
  const svg = draw('svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'img'});
  const at = automaton.states.map((_, i) => {
    const angle = Math.PI + (2 * Math.PI * i) / Math.max(2, number);
    return {x: width / 2 + radius.x * Math.cos(angle), y: height / 2 + radius.y * Math.sin(angle)};
  });
  // The point where a line from a node's middle leaves its box.
  const edge = (n, toward) => {
    const dx = toward.x - at[n].x;
    const dy = toward.y - at[n].y;
    const scale = Math.min(nodeWidth / 2 / (Math.abs(dx) || 1e-9), nodeHeight / 2 / (Math.abs(dy) || 1e-9));
    return {x: at[n].x + dx * scale, y: at[n].y + dy * scale};
  };
  const labels = [];
  for (const curve of curvesOf(automaton)) {
    const {from, to} = curve;
    let d;
    let middle;
    let tip;
    let before; // a point on the arrow's way to its tip
    if (from === to) {
      const {x, y} = at[from];
      const up = y > height / 2 + 1 ? 1 : -1;
      const side = y + (up * nodeHeight) / 2;
      d = `M${x - 22},${side}C${x - 40},${side + up * 46} ${x + 40},${side + up * 46} ${x + 22},${side}`;
      middle = {x, y: side + up * 42};
      tip = {x: x + 22, y: side};
      before = {x: x + 40, y: side + up * 46};
    } else {
      const a = at[from];
      const b = at[to];
      const length = Math.hypot(b.x - a.x, b.y - a.y);
      const bend = Math.min(60, 0.22 * length);
      const through = {
        x: (a.x + b.x) / 2 + (bend * (b.y - a.y)) / length,
        y: (a.y + b.y) / 2 - (bend * (b.x - a.x)) / length,
      };
      const begin = edge(from, through);
      const end = edge(to, through);
      d = `M${begin.x},${begin.y}Q${through.x},${through.y} ${end.x},${end.y}`;
      tip = end;
      before = through;
      middle = {
        x: begin.x / 4 + through.x / 2 + end.x / 4,
        y: begin.y / 4 + through.y / 2 + end.y / 4,
      };
    }
    svg.append(draw('path', {d, class: 'data'}), arrowHead(before, tip));
    const label = draw(
      'text',
      {x: middle.x, y: middle.y + 3, 'text-anchor': 'middle', class: 'launch'},
      sitesText(curve),
    );
    const lines = curve.sites.map(({site, times}) => {
      const {name, where} = run.sites[site];
      return `${count(times)} × ${name}${where ? `  ${where}` : ''}`;
    });
    labels.push(withTooltip(label, lines.join('\n')));
  }
  svg.append(...labels);
  automaton.states.forEach(([what, inCell, times, site, operation], n) => {
    const group = draw('g', {
      class: 'node',
      transform: `translate(${at[n].x - nodeWidth / 2},${at[n].y - nodeHeight / 2})`,
    });
    const middle = {x: nodeWidth / 2, 'text-anchor': 'middle'};
    const title = inCell ? `a cell: ${what}` : what;
    group.append(
      draw('rect', {width: nodeWidth, height: nodeHeight}),
      draw('text', {...middle, y: 17}, cutState(title)),
      draw('text', {...middle, y: 31, class: 'sub'}, operation ? `reached ${count(times)} ×` : 'at first'),
    );
    const parts = title.split('; ').join('\n');
    const first = operation ? `\nfirst by ${run.sites[site].name}, operation ${count(operation)}` : '';
    svg.append(withTooltip(group, parts + first));
  });
  host.replaceChildren(svg);
  const all = automaton.known + automaton.found + automaton.inLog;
  const sentences = [
    `${count(automaton.known)} of ${count(all)} accesses took a known transition: no geometry was computed.`,
  ];
  if (automaton.found) sentences.push(`${count(automaton.found)} met a new one.`);
  if (automaton.inLog) sentences.push(`${count(automaton.inLog)} passed a log, since states multiply.`);
  if (automaton.notDrawn) sentences.push(`${count(automaton.notDrawn)} took transitions that are not drawn.`);
  host.append(element('p', {class: 'empty centred'}, sentences.join(' ')));
  host.scrollLeft = (width - host.clientWidth) / 2;
}

function showStates() {
  if (!run.automata.length) return $('states').remove();
  const options = run.automata.map((automaton, i) => element('option', {value: i}, automaton.region));
  $('states-choice').replaceChildren(...options);
  $('states-choice').addEventListener('change', () => showAutomaton(run.automata[$('states-choice').value]));
  showAutomaton(run.automata[0]);
}
