// A table that any column sorts and whose rows open to show details.
/* global count, element */
/* exported table */
'use strict';

const ROWS_MAX = 500;

// columns: {name, left, key(value), show(value)}: key sorts, show gives the content of a cell.
// rows:    {value, hidden}: a hidden row is left out when the table is filled again.
// details: the nodes below a row that is open.
// rowsMax: of more rows, the first are shown, in the order that is chosen.
// Returns a function that fills the table again.
function table(host, columns, rows, details, sortedAtFirst, rowsMax = ROWS_MAX) {
  const head = element('tr');
  const body = element('tbody');
  let sorted = sortedAtFirst;
  let ascending = false;

  function note(kind, text) {
    const cell = element('td', {class: kind, colspan: columns.length}, text);
    body.append(element('tr', {}, cell));
  }

  function fill() {
    const order = rows.filter(row => !row.hidden);
    const {key} = columns[sorted];
    order.sort((a, b) => {
      const x = key(a.value);
      const y = key(b.value);
      return (x < y ? -1 : x > y ? 1 : 0) * (ascending ? 1 : -1);
    });
    const shown = order.slice(0, rowsMax);
    body.replaceChildren(...shown.flatMap(row => (row.more ? [row.node, row.more] : [row.node])));
    if (order.length > rowsMax) note('l', `and ${count(order.length - rowsMax)} more`);
    if (!order.length) note('l empty', 'None.');
    [...head.children].forEach((th, i) => {
      th.classList.toggle('up', i === sorted && ascending);
      th.classList.toggle('down', i === sorted && !ascending);
    });
  }

  function onClickOrEnter(node, action) {
    node.addEventListener('click', action);
    node.addEventListener('keydown', event => {
      if (event.key === 'Enter') action();
    });
  }

  columns.forEach((column, i) => {
    const th = element('th', {class: column.left ? 'sort l' : 'sort', tabindex: 0}, column.name);
    onClickOrEnter(th, () => {
      ascending = sorted === i ? !ascending : Boolean(column.left);
      sorted = i;
      fill();
    });
    head.append(th);
  });

  for (const row of rows) {
    const cells = columns.map(column => {
      const content = [column.show(row.value)].flat();
      return element('td', column.left ? {class: 'l'} : {}, ...content);
    });
    row.node = element('tr', {class: 'row', tabindex: 0}, ...cells);
    onClickOrEnter(row.node, () => {
      const opens = !row.more;
      const cell = opens && element('td', {colspan: columns.length}, ...details(row.value));
      row.more = opens ? element('tr', {class: 'more'}, cell) : null;
      row.node.classList.toggle('open', opens);
      fill();
    });
  }

  host.replaceChildren(element('table', {}, element('thead', {}, head), body));
  fill();
  return fill;
}
