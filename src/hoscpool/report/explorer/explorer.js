/* The explorer: unpacks the data of the page, draws the map with Plotly, and fills the panels. It asks nothing of the network.
   Names of the user reach the page as text only (textContent), never as HTML. */
(async () => {
  'use strict';
  const root = document.getElementById('explorer');
  const $ = (name) => root.querySelector(`[data-part="${name}"]`);
  const data = await unpack(document.getElementById('explorer-data').textContent);
  const {texts} = data;
  const {names, motif, palette, clusterings, classNames, featureNames} = texts;
  const n = names.length;
  const folded = names.map((name) => name.toLowerCase());
  const motifs = texts.plural;
  const state = {at: texts.start, colour: 'community', node: null, other: null, community: null, query: '', sort: 'ties', down: true,
    page: 0, smallest: 1, sure: 0, ties: n > 20000 ? 'none' : 'ties', shown: null};
  const around = neighbourLists();

  // ---- data -----------------------------------------------------------------------------------------------------
  async function unpack(text) {
    const packed = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    const buffer = await new Response(stream).arrayBuffer();
    const length = new DataView(buffer).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
    const kinds = {int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array,
      float32: Float32Array};
    const found = {texts: header.texts};
    for (const [name, {type, shape, start}] of Object.entries(header.arrays)) {
      found[name] = new kinds[type](buffer, 4 + length + start, shape.reduce((a, b) => a * b, 1));
    }
    return found;
  }
  function neighbourLists() { // [node, motif count] of every neighbour of a node, most motifs first
    const start = new Uint32Array(n + 1), m = data.motifOnEdge.length;
    for (let e = 0; e < 2 * m; e++) start[data.edges[e] + 1] += 1;
    for (let i = 0; i < n; i++) start[i + 1] += start[i];
    const next = start.slice(0, n), at = new Uint32Array(2 * m);
    for (let e = 0; e < 2 * m; e++) at[next[data.edges[e]]++] = e;
    return (i) => {
      const found = [];
      for (let k = start[i]; k < start[i + 1]; k++) found.push([data.edges[at[k] ^ 1], data.motifOnEdge[at[k] >> 1]]);
      return found.sort((p, q) => q[1] - p[1] || data.degree[q[0]] - data.degree[p[0]]);
    };
  }
  const label = (i) => data[`label${state.at}`][i];
  const share = (i) => data[`share${state.at}`][2 * i] / 255;
  const second = (i) => data[`second${state.at}`][i];
  const secondShare = (i) => data[`share${state.at}`][2 * i + 1] / 255;
  const between = (i) => second(i) >= 0 && share(i) - secondShare(i) < 0.1;
  const current = () => clusterings[state.at];
  const community = (number) => current().communities.find((c) => c.number === number);
  const colourOf = (number) => palette[number % palette.length];
  const title = (c) => `Community ${c.number}: ${names[c.central[0]].slice(0, 40)}${c.size > 1 ? ' and others' : ''}`;
  const percent = (x) => (x === null || x === undefined ? '–' : `${Math.round(100 * x)} %`);
  const count = (x) => Math.round(x).toLocaleString('en');

  // ---- small tools ----------------------------------------------------------------------------------------------
  function make(tag, text, options = {}) {
    const element = document.createElement(tag);
    if (text !== undefined && text !== null) element.textContent = text;
    for (const [key, value] of Object.entries(options)) {
      if (key === 'onclick') element.addEventListener('click', value);
      else element.setAttribute(key, value);
    }
    return element;
  }
  function nodeLink(i, note) {
    const line = make('li');
    line.append(dot(label(i)), make('button', names[i], {type: 'button', class: 'link', onclick: () => selectNode(i)}));
    if (note) line.append(make('span', ` ${note}`, {class: 'quiet'}));
    return line;
  }
  function dot(number) {
    return make('span', '', {class: 'dot', style: `background:${colourOf(number)}`, 'aria-hidden': 'true'});
  }
  function communityLink(number, note) {
    const line = make('li');
    line.append(dot(number), make('button', `community ${number}`, {type: 'button', class: 'link', onclick: () => selectCommunity(number)}));
    if (note) line.append(make('span', ` ${note}`, {class: 'quiet'}));
    return line;
  }
  function list(items, empty) {
    const ul = make('ul');
    if (items.length) ul.append(...items);
    else ul.append(make('li', empty, {class: 'quiet'}));
    return ul;
  }
  function facts(pairs) {
    const dl = make('dl');
    for (const [key, value] of pairs) dl.append(make('dt', key), make('dd', value));
    return dl;
  }

  // ---- the map --------------------------------------------------------------------------------------------------
  const plot = $('map');
  const dark = () => document.documentElement.dataset.theme === 'dark';
  const ink = () => (dark() ? '#dfe6ee' : '#1d2733');
  function visible() {
    const sizes = new Map(current().communities.map((c) => [c.number, c.size]));
    const kept = [];
    for (let i = 0; i < n; i++) {
      if (sizes.get(label(i)) < state.smallest || share(i) < state.sure) continue;
      if (state.shown !== null && label(i) !== state.shown) continue;
      kept.push(i);
    }
    return kept;
  }
  function shades(kept) {
    const steps = palette.flatMap((c, k) => [[k / palette.length, c], [(k + 1) / palette.length, c]]);
    const discrete = {colorscale: steps, cmin: -0.5, cmax: palette.length - 0.5, showscale: false};
    if (state.colour === 'community') return {color: kept.map((i) => label(i) % palette.length), ...discrete};
    if (state.colour === 'class') return {color: kept.map((i) => data.classes[i] % palette.length), ...discrete};
    const bar = {thickness: 12, len: 0.5, tickfont: {color: ink()}};
    if (state.colour === 'share') {
      return {color: kept.map(share), colorscale: 'Viridis', cmin: 0, cmax: 1, showscale: true, colorbar: {...bar, title: {text: 'ties inside', font: {color: ink()}}}};
    }
    const f = Number(state.colour.slice(8));
    return {color: kept.map((i) => data.features[f * n + i] / 255), colorscale: 'Viridis', cmin: 0, cmax: 1, showscale: true,
      colorbar: {...bar, title: {text: featureNames[f], font: {color: ink()}}, tickvals: [0, 1], ticktext: ['low', 'high']}};
  }
  function lines(pairs) {
    const x = [], y = [];
    for (const [a, b] of pairs) {
      x.push(data.position[2 * a], data.position[2 * b], null);
      y.push(data.position[2 * a + 1], data.position[2 * b + 1], null);
    }
    return {x, y};
  }
  function tiesToDraw(kept) {
    if (state.ties === 'none') return [];
    const there = new Uint8Array(n);
    for (const i of kept) there[i] = 1;
    const pairs = [];
    for (let e = 0; e < data.motifOnEdge.length; e++) {
      const a = data.edges[2 * e], b = data.edges[2 * e + 1];
      if (there[a] && there[b] && (state.ties === 'ties' || data.motifOnEdge[e] > 0)) pairs.push([a, b]);
    }
    if (pairs.length <= texts.mostLines) return pairs;
    const step = pairs.length / texts.mostLines;
    return Array.from({length: texts.mostLines}, (_, k) => pairs[Math.floor(k * step)]);
  }
  function focused() {
    const i = state.node ?? state.hover;
    return i === null || i === undefined ? [] : around(i).slice(0, 200).map(([j]) => [i, j]);
  }
  function centralLabels(kept) {
    const there = new Set(kept);
    const big = current().communities.slice(0, 24).flatMap((c) => c.central.slice(0, state.shown === c.number ? 8 : 1));
    return big.filter((i) => there.has(i));
  }
  function traces() {
    const kept = visible();
    state.kept = kept;
    const size = Math.max(2.2, Math.min(11, 130 / Math.sqrt(Math.max(kept.length, 1)) + 2));
    const pairs = tiesToDraw(kept), near = focused();
    const lineInk = dark() ? '170,185,205' : '60,70,85';
    const strength = Math.max(0.06, Math.min(0.4, 12 / Math.sqrt(Math.max(pairs.length, 1))));
    const at = (of, axis) => of.map((i) => data.position[2 * i + axis]);
    const picked = [state.node, state.other].filter((i) => i !== null && i !== undefined);
    return [
      {type: 'scattergl', mode: 'lines', ...lines(pairs), line: {width: 0.8, color: `rgba(${lineInk},${strength})`}, hoverinfo: 'skip'},
      {type: 'scattergl', mode: 'markers', x: at(kept, 0), y: at(kept, 1), customdata: kept,
        text: kept.length > 50000 ? undefined : kept.map((i) => `${plain(names[i])}<br>community ${label(i)}`),
        hoverinfo: kept.length > 50000 ? 'none' : 'text',
        marker: {size, ...shades(kept), line: {width: n > 3000 ? 0 : 0.5, color: dark() ? '#10161d' : '#fff'}}},
      {type: 'scattergl', mode: 'lines', ...lines(near), line: {width: 1.6, color: ink()}, hoverinfo: 'skip'},
      {type: 'scatter', mode: 'markers', x: at(picked, 0), y: at(picked, 1), hoverinfo: 'skip',
        marker: {size: size + 9, color: 'rgba(0,0,0,0)', line: {width: 3, color: ink()}}},
    ];
  }
  function plain(text) { // Plotly reads a few HTML tags in its texts
    return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  }
  const tags = () => centralLabels(state.kept).map((i) => ({x: data.position[2 * i], y: data.position[2 * i + 1], text: plain(names[i].slice(0, 28)),
    showarrow: false, yshift: 12, font: {size: 12, color: ink()}, bgcolor: dark() ? 'rgba(16,22,29,.65)' : 'rgba(255,255,255,.65)', borderpad: 1}));
  const layout = () => ({annotations: tags(), margin: {l: 0, r: 0, t: 0, b: 0}, showlegend: false, hovermode: 'closest', dragmode: 'pan', paper_bgcolor: 'rgba(0,0,0,0)',
    plot_bgcolor: 'rgba(0,0,0,0)', modebar: {bgcolor: 'rgba(0,0,0,0)', color: '#8a97a8', activecolor: ink()}, uirevision: 'keep', xaxis: {visible: false}, yaxis: {visible: false, scaleanchor: 'x'}});
  const config = {displaylogo: false, responsive: true, scrollZoom: true, modeBarButtons: [['toImage', 'zoom2d', 'pan2d', 'resetScale2d']]};
  function draw() {
    const shown = traces(); // before the layout, which names the nodes that are shown
    Plotly.react(plot, shown, layout(), config);
    $('notice').textContent = notice();
  }
  function notice() {
    const parts = [];
    if (state.kept.length < n) parts.push(`${count(state.kept.length)} of ${count(n)} nodes are shown.`);
    if (texts.sampled) parts.push(`The page holds ${count(data.motifOnEdge.length)} of ${count(texts.numEdges)} ties, the heaviest of every node and a sample of the others.`);
    return parts.join(' ');
  }

  // ---- panels ---------------------------------------------------------------------------------------------------
  function selectNode(i) {
    if (state.comparing && state.node !== null && i !== state.node) { state.other = i; state.comparing = false; }
    else { state.node = i; state.other = null; state.comparing = false; }
    state.community = label(i);
    showDetail();
    showMembers();
    draw();
  }
  function selectCommunity(number) {
    Object.assign(state, {node: null, other: null, comparing: false, community: number, page: 0});
    showDetail();
    showMembers();
    draw();
  }
  function showDetail() {
    const panel = $('detail');
    panel.replaceChildren();
    if (state.node !== null) nodeCard(panel, state.node);
    else if (state.community !== null && community(state.community)) communityCard(panel, community(state.community));
    else panel.append(make('p', 'Click a node or a community, or search for a name.', {class: 'quiet'}));
  }
  function nodeCard(panel, i) {
    panel.append(make('h3', names[i]));
    const own = make('p');
    own.append(dot(label(i)), make('button', `community ${label(i)}`, {type: 'button', class: 'link', onclick: () => selectCommunity(label(i))}));
    panel.append(own);
    const pairs = [['ties that stay in the community', percent(share(i))], ['neighbours', count(data.degree[i])], [`${motifs} it is in`, count(data.motifAtNode[i])]];
    if (second(i) >= 0) pairs.splice(1, 0, ['ties to the next community', `${percent(secondShare(i))} to community ${second(i)}`]);
    if (classNames) pairs.push(['class', classNames[data.classes[i]]]);
    panel.append(facts(pairs));
    if (between(i)) panel.append(make('p', `This node is between community ${label(i)} and community ${second(i)}.`, {class: 'flag'}));
    panel.append(make('h4', motif === 'edge' ? 'Neighbours' : `Neighbours with the most common ${motifs}`));
    panel.append(list(around(i).slice(0, 8).map(([j, w]) => nodeLink(j, motif === 'edge' ? '' : `${count(w)} ${w === 1 ? motif : motifs}`)), 'none'));
    panel.append(make('h4', 'Together or apart?'));
    if (state.other === null) {
      panel.append(make('button', state.comparing ? 'Now click or search the other node …' : 'Compare with another node',
        {type: 'button', onclick: () => { state.comparing = true; showDetail(); $('search').focus(); }}));
    } else panel.append(...comparison(i, state.other));
  }
  function comparison(i, j) {
    const mine = new Map(around(i));
    const common = around(j).filter(([k]) => mine.has(k)).map(([k]) => k);
    const tie = mine.get(j);
    const same = label(i) === label(j);
    const said = [`${names[i]} and ${names[j]} are ${same ? `both in community ${label(i)}` : `in different communities (${label(i)} and ${label(j)})`}.`];
    if (tie === undefined) said.push('No tie joins them.');
    else said.push(motif === 'edge' ? 'A tie joins them.' : `A tie joins them, and ${count(tie)} ${tie === 1 ? motif : motifs} contain${tie === 1 ? 's' : ''} both.`);
    const inside = common.filter((k) => label(k) === label(i)).length;
    said.push(common.length ? `They have ${count(common.length)} neighbours in common, ${count(inside)} of them in community ${label(i)}.` : 'They have no neighbour in common.');
    if (!same) said.push(`${percent(share(i))} of the ties of the first stay in its community, ${percent(share(j))} of those of the second.`);
    if (texts.sampled) said.push('Only the ties that the page holds are counted.');
    return [make('p', said.join(' ')), list(common.slice(0, 6).map((k) => nodeLink(k)), 'no common neighbours'),
      make('button', 'Compare with another node', {type: 'button', onclick: () => { state.comparing = true; state.other = null; showDetail(); }})];
  }
  function communityCard(panel, c) {
    const head = make('h3');
    head.append(dot(c.number), document.createTextNode(title(c)));
    panel.append(head, make('p', c.sentence));
    panel.append(facts([['nodes', count(c.size)], ['ties that stay inside', percent(c.inside)],
      ...(motif === 'edge' || c.motifs === null ? [] : [[`${motifs} that stay inside`, percent(c.motifs)]])]));
    const only = state.shown === c.number;
    panel.append(make('button', only ? 'Show all communities' : 'Show only this community', {type: 'button', onclick: () => { state.shown = only ? null : c.number; showDetail(); draw(); }}));
    panel.append(make('h4', 'Most central'), list(c.central.map((i) => nodeLink(i, `${percent(share(i))} of ties inside`)), 'none'));
    if (c.traits.length) {
      panel.append(make('h4', 'What sets it apart'), facts(c.traits.map(([name, d]) => [name, `${d > 0 ? '+' : '−'}${Math.abs(d).toFixed(1)} standard deviations`])));
    }
    panel.append(make('h4', 'Tied most to'), list(c.ties.map(([k, s]) => communityLink(k, percent(s))), 'no other community'));
  }
  function showCommunities() {
    const box = $('communities');
    box.replaceChildren();
    for (const c of current().communities.slice(0, texts.mostCards)) {
      const card = make('button', '', {type: 'button', class: 'card', onclick: () => { selectCommunity(c.number); root.scrollIntoView({block: 'start'}); }});
      const head = make('strong');
      head.append(dot(c.number), document.createTextNode(title(c)));
      card.append(head, make('span', c.sentence));
      box.append(card);
    }
    const left = current().communities.length - texts.mostCards;
    if (left > 0) box.append(make('p', `… and ${count(left)} smaller ones. Search for a member to see its community.`, {class: 'quiet'}));
  }

  // ---- members --------------------------------------------------------------------------------------------------
  const columns = [['name', 'node', (i) => names[i]], ['community', 'community', label], ['ties', 'ties inside', share],
    ['second', 'next community', second], ['degree', 'neighbours', (i) => data.degree[i]], ['motifs', motifs, (i) => data.motifAtNode[i]]]
    .filter(([key]) => key !== 'motifs' || motif !== 'edge');
  function members() {
    const wanted = state.query.toLowerCase();
    const chosen = [];
    for (let i = 0; i < n; i++) {
      if (state.community !== null && label(i) !== state.community) continue;
      if (wanted && !folded[i].includes(wanted)) continue;
      chosen.push(i);
    }
    const value = columns.find(([key]) => key === state.sort)[2];
    const sign = state.down ? -1 : 1;
    const compare = (a, b) => (typeof a === 'string' ? a.localeCompare(b) : a - b);
    return chosen.sort((i, j) => sign * compare(value(i), value(j)) || data.degree[j] - data.degree[i] || i - j);
  }
  const PAGE = 25;
  function showMembers() {
    const found = members();
    const pages = Math.max(1, Math.ceil(found.length / PAGE));
    state.page = Math.min(state.page, pages - 1);
    $('members-title').textContent = state.community === null ? 'All nodes' : `Members of community ${state.community}`;
    $('all').hidden = state.community === null;
    const head = make('tr');
    for (const [key, title] of columns) {
      const cell = make('th', null, {scope: 'col', 'aria-sort': state.sort === key ? (state.down ? 'descending' : 'ascending') : 'none'});
      cell.append(make('button', `${title}${state.sort === key ? (state.down ? ' ↓' : ' ↑') : ''}`, {type: 'button', class: 'link', onclick: () => {
        state.down = state.sort === key ? !state.down : key !== 'name';
        state.sort = key;
        showMembers();
      }}));
      head.append(cell);
    }
    const body = found.slice(state.page * PAGE, (state.page + 1) * PAGE).map((i) => {
      const row = make('tr');
      const first = make('td');
      first.append(dot(label(i)), make('button', names[i], {type: 'button', class: 'link', onclick: () => { selectNode(i); root.scrollIntoView({block: 'start'}); }}));
      row.append(first, make('td', label(i)), make('td', percent(share(i)) + (between(i) ? ' (between)' : '')),
        make('td', second(i) < 0 ? '–' : second(i)), make('td', count(data.degree[i])));
      if (motif !== 'edge') row.append(make('td', count(data.motifAtNode[i])));
      return row;
    });
    $('members').replaceChildren(make('thead'), make('tbody'));
    $('members').tHead.append(head);
    $('members').tBodies[0].append(...body);
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
    const rows = members().map((i) => [names[i], label(i), share(i).toFixed(3), second(i) < 0 ? '' : second(i), data.degree[i], Math.round(data.motifAtNode[i])]);
    const text = [['node', 'community', 'ties_inside', 'next_community', 'neighbours', motifs], ...rows].map((row) => row.map((v) => cell(String(v))).join(',')).join('\r\n');
    const link = make('a', '', {href: URL.createObjectURL(new Blob([`${text}\r\n`], {type: 'text/csv'})), download: state.community === null ? 'nodes.csv' : `community-${state.community}.csv`});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // ---- search ---------------------------------------------------------------------------------------------------
  const search = $('search'), results = $('results');
  let hits = [], chosen = 0;
  function suggest() {
    const wanted = search.value.trim().toLowerCase();
    hits = [];
    if (wanted) {
      const later = [];
      for (let i = 0; i < n && hits.length < 10; i++) {
        const place = folded[i].indexOf(wanted);
        if (place === 0) hits.push(i);
        else if (place > 0 && later.length < 10) later.push(i);
      }
      hits = hits.concat(later).slice(0, 10);
    }
    chosen = 0;
    results.replaceChildren(...hits.map((i, k) => {
      const item = make('li', null, {role: 'option', id: `hit-${k}`, 'aria-selected': String(k === chosen)});
      item.append(dot(label(i)), document.createTextNode(names[i]));
      item.addEventListener('mousedown', (event) => { event.preventDefault(); take(k); });
      return item;
    }));
    if (wanted && !hits.length) results.append(make('li', 'no node has this name', {class: 'quiet'}));
    results.hidden = !wanted;
    search.setAttribute('aria-expanded', String(Boolean(wanted)));
  }
  function mark(k) {
    if (!hits.length) return;
    chosen = (k + hits.length) % hits.length;
    [...results.children].forEach((item, at) => item.setAttribute('aria-selected', String(at === chosen)));
    search.setAttribute('aria-activedescendant', `hit-${chosen}`);
  }
  function take(k) {
    if (hits[k] === undefined) return;
    const node = hits[k];
    search.value = names[node];
    results.hidden = true;
    search.setAttribute('aria-expanded', 'false');
    selectNode(node);
  }
  search.addEventListener('input', suggest);
  search.addEventListener('blur', () => { results.hidden = true; });
  search.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') { mark(chosen + 1); event.preventDefault(); }
    else if (event.key === 'ArrowUp') { mark(chosen - 1); event.preventDefault(); }
    else if (event.key === 'Enter') { take(chosen); event.preventDefault(); }
    else if (event.key === 'Escape') { search.value = ''; suggest(); }
  });

  // ---- controls -------------------------------------------------------------------------------------------------
  const colouring = $('colour');
  for (const [value, text] of [['community', 'community'], ['share', 'share of ties inside'], ...(classNames ? [['class', 'class']] : []),
    ...featureNames.map((name, f) => [`feature-${f}`, `feature: ${name}`])]) colouring.append(make('option', text, {value}));
  colouring.addEventListener('change', () => { state.colour = colouring.value; draw(); });
  const drawn = $('ties');
  for (const [value, text] of [['none', 'none'], ['ties', 'ties'], ...(motif === 'edge' ? [] : [['motifs', `ties in ${motifs}`]])]) drawn.append(make('option', text, {value}));
  drawn.value = state.ties;
  drawn.addEventListener('change', () => { state.ties = drawn.value; draw(); });
  const level = $('level');
  level.max = String(clusterings.length - 1);
  level.value = String(state.at);
  $('levels').hidden = clusterings.length < 2;
  function showLevel() { $('level-name').textContent = current().name; }
  level.addEventListener('input', () => {
    Object.assign(state, {at: Number(level.value), community: null, node: null, other: null, shown: null, page: 0});
    showAll();
  });
  const slide = (name, key, words, scale = 1) => {
    const input = $(name), said = $(`${name}-value`);
    const show = () => { said.textContent = words(Number(input.value)); };
    show();
    input.addEventListener('input', () => { state[key] = Number(input.value) * scale; show(); draw(); });
  };
  $('smallest').max = String(Math.max(1, Math.min(200, Math.max(...clusterings.map((c) => c.communities[0].size)))));
  slide('smallest', 'smallest', (v) => (v === 1 ? '1 node' : `${v} nodes`));
  slide('sure', 'sure', (v) => `${v} %`, 0.01);
  $('filter').addEventListener('input', (event) => { state.query = event.target.value; state.page = 0; showMembers(); });
  $('back').addEventListener('click', () => { state.page -= 1; showMembers(); });
  $('on').addEventListener('click', () => { state.page += 1; showMembers(); });
  $('all').addEventListener('click', () => { state.community = null; state.page = 0; showMembers(); });
  $('download').addEventListener('click', csv);
  $('theme').addEventListener('click', () => {
    document.documentElement.dataset.theme = dark() ? 'light' : 'dark';
    draw();
  });
  if (window.matchMedia('(prefers-color-scheme: dark)').matches) document.documentElement.dataset.theme = 'dark';

  function showAll() {
    showLevel();
    showDetail();
    showCommunities();
    showMembers();
    draw();
  }
  showAll();
  plot.on('plotly_click', (event) => { const i = event.points[0]?.customdata; if (i !== undefined) selectNode(i); });
  plot.on('plotly_hover', (event) => {
    const i = event.points[0]?.customdata;
    if (i === undefined || state.node !== null || n > 20000) return;
    state.hover = i;
    Plotly.restyle(plot, Object.fromEntries(Object.entries(lines(focused())).map(([k, v]) => [k, [v]])), [2]);
  });
  plot.on('plotly_unhover', () => {
    if (state.node !== null || n > 20000) return;
    state.hover = null;
    Plotly.restyle(plot, {x: [[]], y: [[]]}, [2]);
  });
  root.dataset.ready = 'yes';
})();
