// The map: nodes or communities, ties, triangles, what is picked. Small graphs are vector graphics, which print; large ones use WebGL.
const plot = $('map');
const dark = () => document.documentElement.dataset.theme === 'dark';
const ink = () => (dark() ? '#dfe6ee' : '#1d2733');
const lineInk = (strength) => `rgba(${dark() ? '170,185,205' : '60,70,85'},${strength})`;
const hasWebGL = Boolean(document.createElement('canvas').getContext('webgl'));
const WITHOUT_WEBGL = 4000, TRIANGLES = 1500, WRITTEN = 50000;
const isSmall = n <= texts.mostVectors;
const kind = isSmall || !hasWebGL ? 'scatter' : 'scattergl';
const at = (of, axis) => of.map((i) => data.position[2 * i + axis]);

function visible() {
  const sizes = new Map(current().communities.map((c) => [c.number, c.size]));
  const kept = [];
  for (let i = 0; i < n; i++) {
    if (sizes.get(label(i)) < state.smallest || sure(i) < state.sure) continue;
    if (state.shown !== null && label(i) !== state.shown) continue;
    kept.push(i);
  }
  if (hasWebGL || isSmall || kept.length <= WITHOUT_WEBGL) return kept;
  return kept.sort((i, j) => data.degree[j] - data.degree[i]).slice(0, WITHOUT_WEBGL);
}
function words() { // the classes or categories that are the colours now
  if (state.colour === 'class') return {codes: data.classes, values: classNames};
  if (!state.colour.startsWith('category-')) return null;
  const k = Number(state.colour.slice(9));
  return {codes: data[`category${k}`], values: categories[k].values};
}
function shades(kept) {
  const steps = palette.flatMap((c, k) => [[k / palette.length, c], [(k + 1) / palette.length, c]]);
  const discrete = {colorscale: steps, cmin: -0.5, cmax: palette.length - 0.5, showscale: false};
  if (state.colour === 'community') return {color: kept.map((i) => label(i) % palette.length), ...discrete};
  if (words()) return {color: kept.map((i) => words().codes[i] % palette.length), ...discrete};
  const scale = (text, more = {}) => ({colorscale: 'Viridis', cmin: 0, cmax: 1, showscale: true,
    colorbar: {thickness: 12, len: 0.5, tickfont: {color: ink()}, title: {text: plain(text), font: {color: ink()}}, ...more}});
  if (state.colour === 'sure') return {color: kept.map(sure), ...scale(sureWord())};
  const f = Number(state.colour.slice(8));
  return {color: kept.map((i) => data.features[f * n + i] / 255), ...scale(featureNames[f], {tickvals: [0, 1], ticktext: ['low', 'high']})};
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
  if (!['ties', 'motifs'].includes(state.ties)) return [];
  const there = new Uint8Array(n);
  for (const i of kept) there[i] = 1;
  const pairs = [];
  for (let e = 0; e < data.motifOnEdge.length; e++) {
    const a = data.edges[2 * e], b = data.edges[2 * e + 1];
    if (there[a] && there[b] && (state.ties === 'ties' || data.motifOnEdge[e] > 0)) pairs.push([a, b]);
  }
  const most = kind === 'scatter' ? Math.min(texts.mostLines, 12000) : texts.mostLines;
  if (pairs.length <= most) return pairs;
  const step = pairs.length / most;
  return Array.from({length: most}, (_, k) => pairs[Math.floor(k * step)]);
}
function filledTriangles(kept) { // one trace of every colour; triangles between communities are grey
  if (state.ties !== 'filled') return [];
  let nodes = kept;
  if (state.node !== null) nodes = [state.node, ...around(state.node).map(([j]) => j)];
  else if (state.community !== null) nodes = kept.filter((i) => label(i) === state.community);
  let found = trianglesOf(nodes.length > 5000 ? nodes.slice().sort((i, j) => data.motifAtNode[j] - data.motifAtNode[i]).slice(0, 5000) : nodes, TRIANGLES);
  if (state.node !== null) found = found.filter((t) => t.includes(state.node));
  const groups = new Map();
  for (const t of found) {
    const same = t.every((i) => label(i) === label(t[0]));
    const colour = same ? colourOf(label(t[0])) : '#8a97a8';
    const p = t.map((i) => [data.position[2 * i], data.position[2 * i + 1]]);
    const turn = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);
    if (turn < 0) p.reverse(); // all one way round: overlapping triangles leave no holes
    const group = groups.get(colour) ?? {x: [], y: []};
    group.x.push(...p.map((q) => q[0]), p[0][0], null);
    group.y.push(...p.map((q) => q[1]), p[0][1], null);
    groups.set(colour, group);
  }
  return [...groups].map(([colour, {x, y}]) => ({type: 'scatter', mode: 'lines', x, y, fill: 'toself', fillcolor: `${colour}40`,
    line: {width: 0.6, color: `${colour}90`}, hoverinfo: 'skip'}));
}
function focused() {
  const i = state.node ?? state.hover;
  return i === null ? [] : around(i).slice(0, 200).map(([j]) => [i, j]);
}
function plain(text) { // Plotly reads a few HTML tags in its texts
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
const sizeOf = (some) => Math.max(2.2, Math.min(11, 130 / Math.sqrt(Math.max(some, 1)) + 2)); // of so many nodes in view
function nodeTraces() {
  const kept = visible();
  state.kept = kept;
  const size = sizeOf(zoomed() ? inView(kept).length : kept.length);
  const pairs = tiesToDraw(kept);
  const strength = Math.max(0.06, Math.min(0.4, 12 / Math.sqrt(Math.max(pairs.length, 1))));
  const picked = [state.node, state.other].filter((i) => i !== null);
  const written = kept.length <= WRITTEN;
  return Object.assign([
    {type: kind, mode: 'lines', ...lines(focused()), line: {width: 1.6, color: ink()}, hoverinfo: 'skip'},
    {type: kind, mode: 'lines', ...lines(pairs), line: {width: 0.8, color: lineInk(strength)}, hoverinfo: 'skip'},
    ...filledTriangles(kept),
    {type: kind, mode: 'markers', x: at(kept, 0), y: at(kept, 1), customdata: kept,
      text: written ? kept.map((i) => `${plain(names[i].slice(0, 120))}<br>community ${label(i)}`) : undefined, hoverinfo: written ? 'text' : 'none',
      marker: {size, ...shades(kept), opacity: strengths(kept), line: {width: isSmall ? 0.5 : 0, color: dark() ? '#10161d' : '#fff'}}},
    {type: 'scatter', mode: 'markers', x: at(picked, 0), y: at(picked, 1), hoverinfo: 'skip',
      marker: {size: size + 9, color: 'rgba(0,0,0,0)', line: {width: 3, color: ink()}}},
  ], {size});
}
function strengths(kept) { // the chosen community stands out
  return state.community === null || state.node !== null || state.shown !== null ? 1 : kept.map((i) => (label(i) === state.community ? 1 : 0.2));
}
function communityTraces() { // the coarsened graph: a disc for every community, where its nodes are
  const shown = current().communities.filter((c) => c.size >= state.smallest).slice(0, 400);
  const number = new Map(shown.map((c, k) => [c.number, k]));
  const x = shown.map(() => 0), y = shown.map(() => 0);
  for (let i = 0; i < n; i++) {
    const k = number.get(label(i));
    if (k !== undefined) { x[k] += data.position[2 * i] / shown[k].size; y[k] += data.position[2 * i + 1] / shown[k].size; }
  }
  const drawn = [];
  shown.forEach((c, k) => c.ties.forEach(([other, part]) => { if (number.has(other)) drawn.push([k, number.get(other), part]); }));
  const widths = [1, 3, 6].map((width, step) => {
    const mine = drawn.filter(([, , part]) => (part < 0.05 ? 0 : part < 0.15 ? 1 : 2) === step);
    return {type: 'scatter', mode: 'lines', hoverinfo: 'skip', line: {width, color: lineInk(0.4)},
      x: mine.flatMap(([a, b]) => [x[a], x[b], null]), y: mine.flatMap(([a, b]) => [y[a], y[b], null])};
  });
  state.kept = [];
  const most = Math.max(...shown.map((c) => c.size), 1);
  return [...widths, {type: 'scatter', mode: 'markers', x, y, customdata: shown.map((c) => ({community: c.number})), hoverinfo: 'text',
    text: shown.map((c) => `${plain(title(c))}<br>${count(c.size)} nodes`),
    marker: {size: shown.map((c) => 10 + 46 * Math.sqrt(c.size / most)), color: shown.map((c) => colourOf(c.number)), opacity: 1,
      line: {width: shown.map((c) => (c.number === state.community ? 4 : 1)), color: ink()}}}];
}
const layout = () => ({margin: {l: 0, r: 0, t: 0, b: 0}, showlegend: false, hovermode: 'closest', dragmode: 'pan',
  paper_bgcolor: 'rgba(0,0,0,0)', plot_bgcolor: 'rgba(0,0,0,0)', modebar: {bgcolor: 'rgba(0,0,0,0)', color: '#8a97a8', activecolor: ink()},
  uirevision: 'keep', xaxis: {visible: false}, yaxis: {visible: false, scaleanchor: 'x'}});
const config = {displaylogo: false, responsive: true, scrollZoom: true, modeBarButtons: [['toImage', 'zoom2d', 'pan2d', 'resetScale2d']]};
function draw() {
  plot.shownTraces = state.view === 'communities' ? communityTraces() : nodeTraces(); // before the layout, which names what is shown
  Plotly.react(plot, plot.shownTraces, layout(), config);
  plot.wholeRange ??= [...plot._fullLayout.xaxis.range];
  writeNames();
  $('notice').textContent = notice();
  showLegend();
}
function notice() {
  const parts = [];
  if (state.view === 'nodes' && state.kept.length < n) parts.push(`${count(state.kept.length)} of ${count(n)} nodes are shown.`);
  if (!isSmall && !hasWebGL) parts.push(`This browser has no WebGL, so at most ${count(WITHOUT_WEBGL)} nodes are drawn.`);
  if (texts.sampled) parts.push(`The page holds ${count(data.motifOnEdge.length)} of ${count(texts.numEdges)} ties, the heaviest of every node and a sample of the others.`);
  if (state.ties === 'filled') parts.push('Click a node or a community to see its triangles only.');
  return parts.join(' ');
}
function showLegend() {
  const box = $('legend');
  box.replaceChildren();
  if (!words() || state.view === 'communities') return;
  const {values} = words();
  values.slice(0, 24).forEach((name, k) => {
    const item = make('span');
    item.append(dot(k), document.createTextNode(name));
    box.append(item);
  });
  if (values.length > 24) box.append(make('span', `… and ${count(values.length - 24)} more`, {class: 'quiet'}));
}
