// The task graph of a fragment: an operation lies below everything it waits for.
/* global $, compact, count, draw, element, run, withTooltip */
/* exported showTaskGraph */
'use strict';

// Assigns each node a row (the longest path to it) and a place within its row. The places follow the
// mean of the neighbours' places, in a few sweeps down and up (barycentre method), so that few edges cross.
function layout(nodes, edges) {
  const rowOf = nodes.map(() => 0);
  const sources = nodes.map(() => []);
  const targets = nodes.map(() => []);
  for (const [from, to] of edges) {
    rowOf[to] = Math.max(rowOf[to], rowOf[from] + 1);
    sources[to].push(from);
    targets[from].push(to);
  }
  const rows = [];
  nodes.forEach((_, n) => (rows[rowOf[n]] = rows[rowOf[n]] || []).push(n));

  const place = nodes.map(() => 0);
  const settle = row => row.forEach((n, i) => (place[n] = i - (row.length - 1) / 2));
  const mean = (n, neighbours) =>
    neighbours[n].length ? neighbours[n].reduce((sum, m) => sum + place[m], 0) / neighbours[n].length : place[n];
  rows.forEach(settle);
  for (let sweep = 0; sweep < 8; ++sweep) {
    const [order, neighbours] = sweep % 2 ? [[...rows].reverse(), targets] : [rows, sources];
    for (const row of order) {
      const wanted = new Map(row.map(n => [n, mean(n, neighbours)]));
      row.sort((a, b) => wanted.get(a) - wanted.get(b));
      settle(row);
    }
  }
  return {rows, place, sources, targets};
}

// Keeps the end: the line matters more than the folder.
const cutFront = text => (text.length > 30 ? '…' + text.slice(-29) : text);

// Cuts the launch's name rather than the number in front of it or the tile behind it.
function nodeName(site, operations, tiles) {
  const front = operations > 1 ? `${count(operations)} × ` : '';
  const back = tiles && operations === 1 ? ` ${tiles}` : '';
  const {name} = run.sites[site];
  const room = 25 - front.length - back.length;
  return front + (name.length > room ? name.slice(0, room - 1) + '…' : name) + back;
}

function showTaskGraph(fragment) {
  const host = $('graph-chart');
  const {nodes, edges} = fragment.graph;
  const {rows, place, sources, targets} = layout(nodes, edges);
  const nodeWidth = 164;
  const nodeHeight = 36;
  const columnStep = 184;
  const rowStep = 74;
  const margin = 24;
  const width = Math.max(...rows.map(row => row.length)) * columnStep + 2 * margin;
  const height = (rows.length - 1) * rowStep + nodeHeight + 2 * margin;
  const svg = draw('svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'img'});
  const at = [];
  rows.forEach((row, i) => row.forEach(n => (at[n] = {x: width / 2 + place[n] * columnStep, y: margin + i * rowStep})));

  const paths = edges.map(([from, to, carriesData]) => {
    const {x: x1} = at[from];
    const y1 = at[from].y + nodeHeight;
    const {x: x2, y: y2} = at[to];
    const bend = Math.max(18, (y2 - y1) / 2);
    const d = `M${x1},${y1}C${x1},${y1 + bend} ${x2},${y2 - bend} ${x2},${y2}`;
    const path = draw('path', {d, class: carriesData ? 'data' : 'order'});
    svg.append(path);
    return path;
  });
  const groups = nodes.map(([site, points, beyond, operations, , tiles], n) => {
    const {where} = run.sites[site];
    const middle = {x: nodeWidth / 2, 'text-anchor': 'middle'};
    const group = draw('g', {
      class: `node${beyond ? ' beyond' : ''}${operations > 1 ? ' folded' : ''}`,
      transform: `translate(${at[n].x - nodeWidth / 2},${at[n].y})`,
    });
    const tasks = `${compact(points)} ${points === 1 ? 'task' : 'tasks'}`;
    group.append(
      draw('rect', {width: nodeWidth, height: nodeHeight}),
      draw('text', {...middle, y: 15}, nodeName(site, operations, tiles)),
      draw(
        'text',
        {...middle, y: 28, class: 'sub'},
        cutFront(operations > 1 && tiles ? tiles : where ? `${tasks} · ${where}` : tasks),
      ),
    );
    svg.append(group);
    return group;
  });

  groups.forEach((group, n) => {
    const [site, , , operations, first, tiles] = nodes[n];
    const {name, where} = run.sites[site];
    group.addEventListener('pointerenter', () => {
      host.classList.add('picked');
      for (const m of [n, ...sources[n], ...targets[n]]) groups[m].classList.add('hot');
      edges.forEach(([from, to], e) => {
        if (from === n || to === n) paths[e].classList.add('hot');
      });
    });
    group.addEventListener('pointerleave', () => {
      host.classList.remove('picked');
      svg.querySelectorAll('.hot').forEach(node => node.classList.remove('hot'));
    });
    const beyond = nodes[n][2] ? ', and for others before them' : '';
    const which =
      operations > 1
        ? `${count(operations)} operations side by side, the first number ${count(first + 1)}`
        : `operation ${count(first + 1)}`;
    withTooltip(
      group,
      `${which} of ${count(fragment.length)}: ${name}${tiles ? ` ${tiles}` : ''}\n${where}` +
        `\nwaits for ${sources[n].length} of these${beyond}`,
    );
  });

  host.replaceChildren(svg);
  if (fragment.graph.cut) {
    const drawn = nodes.reduce((sum, node) => sum + node[3], 0);
    const text = `The first ${count(drawn)} of ${count(fragment.length)} operations.`;
    host.append(element('p', {class: 'empty centred'}, text));
  }
  host.scrollLeft = (width - host.clientWidth) / 2;
}
