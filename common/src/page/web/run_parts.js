// What failed, what memory was held, and what the program declared to be of interest.
/* global $, bytes, count, element, percent, run, seconds, table, withTooltip */
/* exported showInterest, showFailures, showMemoryParts */
'use strict';

const placeOf = site => [element('span', {}, site.name), ' ', element('span', {class: 'where'}, site.where)];

function showInterest() {
  const {stretches, first, last, launched} = run.interest;
  if (!stretches) return $('interest').remove();
  $('interest').textContent =
    `Only what the program declared to be of interest is counted: ${count(run.operations)} of ${count(launched)} ` +
    `operations, ${stretches === 1 ? 'in one stretch' : `in ${count(stretches)} stretches`} ` +
    `from operation ${count(first)} to ${count(last)}.`;
}

function failureDetails(launch) {
  const parts = [element('p', {class: 'why mono'}, launch.message || 'Its message was not kept.')];
  if (!launch.skipped.length) return [...parts, element('p', {class: 'why'}, 'Nothing was skipped because of it.')];
  parts.push(element('p', {class: 'why'}, 'Skipped because of it, since their input was never made:'));
  const list = element('ul', {class: 'why'});
  for (const [site, tasks] of launch.skipped)
    list.append(
      element('li', {}, `${count(tasks)} ${tasks === 1 ? 'task' : 'tasks'} of `, ...placeOf(run.sites[site])),
    );
  return [...parts, list];
}

function showFailures() {
  const {threw, others, launches} = run.failures;
  if (!threw) return $('failures').remove();
  const columns = [
    {name: 'launch', left: true, key: f => f.operation, show: f => placeOf(run.sites[f.site])},
    {name: 'operation', key: f => f.operation, show: f => count(f.operation)},
    {name: 'tasks that threw', key: f => f.threw, show: f => `${count(f.threw)} of ${count(f.points)}`},
    {name: 'the first', key: f => f.point, show: f => `point ${count(f.point)}`},
    {name: 'its message', left: true, key: f => f.message, show: f => f.message},
    {name: 'skipped tasks', key: f => f.skippedTasks, show: f => count(f.skippedTasks)},
  ];
  table(
    $('failure-table'),
    columns,
    launches.map(value => ({value})),
    failureDetails,
    5,
  );
  if (others) $('failure-table').append(element('p', {class: 'empty'}, `${count(others)} further launches failed.`));
}

// Bars, the largest first.
function partList(title, parts, whole) {
  const rows = parts.map(([name, size, number]) => {
    const label = number === 0 ? name : `${name || 'without a name'}${number > 1 ? ` × ${count(number)}` : ''}`;
    const bar = element('span', {class: 'share'});
    const piece = element('i');
    piece.style.cssText = `width:${(100 * size) / (whole || 1)}%;background:var(--s0)`;
    bar.append(piece);
    withTooltip(bar, `${percent(size, whole)} of what is listed`);
    return element(
      'tr',
      {},
      element('td', {class: 'l'}, label),
      element('td', {}, bytes(size)),
      element('td', {class: 'bar'}, bar),
    );
  });
  const heading = element('h3', {}, title);
  return element('div', {}, heading, element('table', {}, element('tbody', {}, ...rows)));
}

function showMemoryParts() {
  const host = $('memory-parts');
  if (!host) return;
  const {tables, regions, operations} = run.memory;
  const listed = [...tables, ...regions];
  if (!listed.length) return host.remove();
  const whole = listed.reduce((sum, part) => sum + part[1], 0);
  const after = `after ${count(operations)} ${operations === 1 ? 'operation' : 'operations'}, ${seconds(run.memory.seconds)} after the beginning`;
  host.replaceChildren(
    element('p', {class: 'note'}, `What was held when it was most, or nearly: ${after}; ${bytes(whole)} in all.`),
    element(
      'div',
      {class: 'columns'},
      partList('Regions', regions.length ? regions : [['none', 0, 0]], whole),
      partList('Tables of the runtime', tables, whole),
    ),
  );
}
