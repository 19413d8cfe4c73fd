// Lays a graph out by dagre, and draws it.
/* global dagre, run, $, element, draw, withTooltip */
'use strict';

const rowHeight = 16;
const frameHead = 26; // room for a frame's title above what lies in it
const behind = 5; // by how much the frames of a stack are shifted
const ellipse = 1;
const stack = 2;

const linesOf = node => (node.detail ? [node.title, ...node.detail.split('\n')] : [node.title]);

function sizeOf(node) {
  const lines = linesOf(node);
  const widest = Math.max(...lines.map(line => line.length));
  const round = node.shape === ellipse ? 1.25 : 1;
  return {width: (widest * 7.4 + 24) * round, height: (lines.length * rowHeight + 14) * round};
}

function laidOut() {
  const graph = new dagre.graphlib.Graph({compound: true});
  graph.setGraph({nodesep: 26, ranksep: 38, marginx: 16, marginy: 16});
  graph.setDefaultEdgeLabel(() => ({}));
  run.frames.forEach((frame, i) => graph.setNode('f' + i, {width: frame.title.length * 8 + 20, height: frameHead}));
  run.nodes.forEach((node, i) => graph.setNode('n' + i, sizeOf(node)));
  run.frames.forEach((frame, i) => frame.parent >= 0 && graph.setParent('f' + i, 'f' + frame.parent));
  run.nodes.forEach((node, i) => node.frame >= 0 && graph.setParent('n' + i, 'f' + node.frame));
  for (const [from, to] of run.edges) graph.setEdge('n' + from, 'n' + to);
  dagre.layout(graph);
  return graph;
}

// The corners of a frame around what lies in it. Dagre leaves no room for titles: a frame takes it from the space above it.
function boundsOf(graph, i) {
  const {x, y, width, height} = graph.node('f' + i);
  const wide = Math.max(width, run.frames[i].title.length * 8 + 40);
  return {x: x - wide / 2, y: y - height / 2 - frameHead / 2, width: wide, height: height + frameHead / 2};
}

function drawFrame(graph, frame, i) {
  const bounds = boundsOf(graph, i);
  const group = draw('g', {class: frame.stacked ? 'frame stacked' : 'frame'});
  for (let shift = frame.stacked ? 2 * behind : 0; shift >= 0; shift -= behind)
    group.append(draw('rect', {...bounds, x: bounds.x + shift, y: bounds.y + shift, rx: 6}));
  group.append(draw('text', {x: bounds.x + 10, y: bounds.y + 16}, linesOf(frame).join(', ')));
  return group;
}

function drawShape(node, place, shift, attributes) {
  const {x, y, width, height} = place;
  if (node.shape === ellipse) return draw('ellipse', {cx: x, cy: y, rx: width / 2, ry: height / 2, ...attributes});
  const corner = {x: x - width / 2 + shift, y: y - height / 2 + shift};
  return draw('rect', {...corner, width, height, rx: node.shape === stack ? 0 : 6, ...attributes});
}

function drawNode(graph, node, i) {
  const place = graph.node('n' + i);
  const group = draw('g', {class: node.failed ? 'node failed' : 'node', tabindex: 0});
  for (let shift = node.shape === stack ? 2 * behind - 2 : 0; shift >= 0; shift -= behind - 1)
    group.append(drawShape(node, place, shift, {class: 'shape'}));
  if (node.heat >= 0) group.append(drawShape(node, place, 0, {class: 'heat', 'fill-opacity': 0.08 + 0.72 * node.heat}));
  const lines = linesOf(node);
  lines.forEach((line, row) => {
    const y = place.y + (row - (lines.length - 1) / 2) * rowHeight + 4;
    group.append(draw('text', {x: place.x, y, class: row === 0 ? 'name' : 'detail'}, line));
  });
  return withTooltip(group, lines.join('\n'));
}

// From the middle of one side to the middle of another, down through the points that dagre has kept free.
function drawEdge(graph, [from, to]) {
  const [above, below] = [graph.node('n' + from), graph.node('n' + to)];
  const points = graph.edge('n' + from, 'n' + to).points;
  if (below.y > above.y) {
    points[0] = {x: above.x, y: above.y + above.height / 2};
    points[points.length - 1] = {x: below.x, y: below.y - below.height / 2};
  }
  let path = `M${points[0].x},${points[0].y}`;
  for (let i = 1; i < points.length; ++i) {
    const middle = (points[i - 1].y + points[i].y) / 2;
    path += `C${points[i - 1].x},${middle} ${points[i].x},${middle} ${points[i].x},${points[i].y}`;
  }
  return draw('path', {d: path, class: 'edge', 'marker-end': 'url(#arrow)'});
}

function arrowHead() {
  const marker = draw('marker', {id: 'arrow', viewBox: '0 0 8 8', refX: 8, refY: 4, markerWidth: 7, orient: 'auto'});
  marker.append(draw('path', {d: 'M0,0L8,4L0,8Z'}));
  return marker;
}

// Who points to a node sees from where its values come, and to where they go.
function connect(nodes, edges) {
  const light = (i, on) =>
    run.edges.forEach(([from, to], e) => {
      if (from !== i && to !== i) return;
      edges[e].classList.toggle('hot', on);
      for (const each of [from, to]) nodes[each].classList.toggle('hot', on);
    });
  nodes.forEach((node, i) => {
    for (const event of ['pointerenter', 'focus']) node.addEventListener(event, () => light(i, true));
    for (const event of ['pointerleave', 'blur']) node.addEventListener(event, () => light(i, false));
  });
}

function fillChart() {
  const graph = laidOut();
  const {width, height} = graph.graph();
  const box = {width: width + 2 * behind, height: height + frameHead};
  const svg = draw('svg', {viewBox: `0 ${-frameHead / 2} ${box.width} ${box.height}`, role: 'img'});
  svg.append(arrowHead(), ...run.frames.map((frame, i) => drawFrame(graph, frame, i)));
  const edges = run.edges.map(edge => drawEdge(graph, edge));
  const nodes = run.nodes.map((node, i) => drawNode(graph, node, i));
  connect(nodes, edges);
  svg.append(...edges, ...nodes);
  $('chart').append(svg);
  let scale = 1;
  const zoom = by => {
    scale = Math.min(4, Math.max(0.1, scale * by));
    svg.style.width = box.width * scale + 'px';
  };
  zoom(1);
  $('larger').addEventListener('click', () => zoom(1.25));
  $('smaller').addEventListener('click', () => zoom(0.8));
}

$('title').textContent = run.title;
for (const note of run.notes) $('notes').append(element('p', {class: 'note'}, note));
$('theme').addEventListener('click', () => {
  const root = document.documentElement.dataset;
  root.theme = root.theme === 'dark' ? 'light' : 'dark';
  $('theme').textContent = root.theme === 'dark' ? 'Light' : 'Dark';
});
fillChart();
document.documentElement.dataset.drawn = 'yes';
