// The table of members: sort, search, download.
const PAGE = 25;
const columns = () => [['name', 'node', (i) => names[i]], ['community', 'community', label],
  ...(hasConfidence() ? [['sure', 'confidence', confidence]] : []), [hasConfidence() ? 'ties' : 'sure', 'ties inside', share],
  ['second', hasConfidence() ? 'second choice' : 'next community', second], ['degree', 'neighbours', (i) => data.degree[i]],
  ...(motif === 'edge' ? [] : [['motifs', motifs, (i) => data.motifAtNode[i]]])];
function members() {
  const wanted = state.query.toLowerCase();
  const chosen = [];
  for (let i = 0; i < n; i++) {
    if (state.community !== null && label(i) !== state.community) continue;
    if (wanted && !folded[i].includes(wanted)) continue;
    chosen.push(i);
  }
  const value = (columns().find(([key]) => key === state.sort) ?? columns()[0])[2];
  const sign = state.down ? -1 : 1;
  const compare = (a, b) => (typeof a === 'string' ? a.localeCompare(b) : a - b);
  return chosen.sort((i, j) => sign * compare(value(i), value(j)) || data.degree[j] - data.degree[i] || i - j);
}
function headCell(key, text) {
  const chosen = state.sort === key;
  const cell = make('th', null, {scope: 'col', 'aria-sort': chosen ? (state.down ? 'descending' : 'ascending') : 'none'});
  cell.append(make('button', `${text}${chosen ? (state.down ? ' ↓' : ' ↑') : ''}`, {type: 'button', class: 'link', onclick: () => {
    state.down = chosen ? !state.down : key !== 'name';
    state.sort = key;
    showMembers();
  }}));
  return cell;
}
function memberRow(i) {
  const row = make('tr'), first = make('td');
  first.append(entry(label(i), nodeButton(i, () => root.scrollIntoView({block: 'start'}))));
  const flag = between(i) ? ' (between)' : '';
  row.append(first, make('td', label(i)));
  if (hasConfidence()) row.append(make('td', percent(confidence(i)) + flag), make('td', percent(share(i))));
  else row.append(make('td', percent(share(i)) + flag));
  row.append(make('td', second(i) < 0 ? '–' : second(i)), make('td', count(data.degree[i])));
  if (motif !== 'edge') row.append(make('td', count(data.motifAtNode[i])));
  return row;
}
function showMembers() {
  const found = members();
  const pages = Math.max(1, Math.ceil(found.length / PAGE));
  state.page = Math.min(state.page, pages - 1);
  $('members-title').textContent = state.community === null ? 'All nodes' : `Members of community ${state.community}`;
  $('all').hidden = state.community === null;
  const head = make('tr');
  head.append(...columns().map(([key, text]) => headCell(key, text)));
  $('members').replaceChildren(make('thead'), make('tbody'));
  $('members').tHead.append(head);
  $('members').tBodies[0].append(...found.slice(state.page * PAGE, (state.page + 1) * PAGE).map(memberRow));
  $('pages').textContent = `${count(found.length)} nodes, page ${state.page + 1} of ${pages}`;
  $('back').disabled = state.page === 0;
  $('on').disabled = state.page >= pages - 1;
}
function csv() {
  // a cell that a spreadsheet would read as a formula gets an apostrophe, as in labels.csv
  const cell = (text) => {
    const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : String(text);
    return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
  };
  const fields = [['node', (i) => (ids ?? names)[i]], ...(ids ? [['title', (i) => names[i]]] : []), ['community', label],
    ...(hasConfidence() ? [['confidence', (i) => confidence(i).toFixed(3)]] : []), ['ties_inside', (i) => share(i).toFixed(3)],
    [hasConfidence() ? 'second_choice' : 'next_community', (i) => (second(i) < 0 ? '' : second(i))], ['neighbours', (i) => data.degree[i]],
    ...(motif === 'edge' ? [] : [[motifs, (i) => Math.round(data.motifAtNode[i])]]),
    ...(classNames ? [['class', (i) => classNames[data.classes[i]]]] : [])];
  const rows = members().map((i) => fields.map(([, value]) => value(i)));
  const text = [fields.map(([name]) => name), ...rows].map((row) => row.map((v) => cell(String(v))).join(',')).join('\r\n');
  const link = make('a', '', {href: URL.createObjectURL(new Blob([`${text}\r\n`], {type: 'text/csv'})), download: state.community === null ? 'nodes.csv' : `community-${state.community}.csv`});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
$('filter').addEventListener('input', (event) => { state.query = event.target.value; state.page = 0; showMembers(); });
$('back').addEventListener('click', () => { state.page -= 1; showMembers(); });
$('on').addEventListener('click', () => { state.page += 1; showMembers(); });
$('all').addEventListener('click', clearChoice);
$('download').addEventListener('click', csv);
