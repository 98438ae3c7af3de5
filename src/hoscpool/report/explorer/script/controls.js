// What the reader sets: colouring, ties, view, clustering, filters, theme; clicks and keys on the map.
function options(name, pairs, key) {
  const select = $(name);
  for (const [value, text] of pairs) select.append(make('option', text, {value}));
  select.value = state[key];
  select.addEventListener('change', () => { state[key] = select.value; draw(); });
}
options('view', [['nodes', 'nodes'], ['communities', 'communities']], 'view');
options('colour', [['community', 'community'], ['sure', texts.anyConfidence ? 'confidence' : 'share of ties inside'], ...(classNames ? [['class', 'class']] : []),
  ...categories.map((one, k) => [`category-${k}`, one.name]),
  ...featureNames.map((name, f) => [`feature-${f}`, name.startsWith('feature ') ? name : `feature: ${name}`])], 'colour');
options('ties', [['none', 'none'], ['ties', 'ties'], ...(motif === 'edge' ? [] : [['motifs', `ties in ${motifs}`]]),
  ...(motif === 'triangle' ? [['filled', 'triangles']] : [])], 'ties');
const level = $('level');
level.max = String(clusterings.length - 1);
level.value = String(state.at);
$('levels').hidden = clusterings.length < 2;
function showLevel() {
  $('level-name').textContent = current().name;
  level.setAttribute('aria-valuetext', current().name);
  $('sure-word').textContent = `${sureWord()[0].toUpperCase()}${sureWord().slice(1)}`;
}
level.addEventListener('input', () => { // a node stays chosen, a community does not: it may not exist
  Object.assign(state, {at: Number(level.value), shown: null, page: 0});
  state.community = state.node === null ? null : label(state.node);
  showAll();
});
function slide(name, key, words, scale = 1) {
  const input = $(name), said = $(`${name}-value`);
  const show = () => { said.textContent = words(Number(input.value)); };
  show();
  input.addEventListener('input', () => { state[key] = Number(input.value) * scale; show(); draw(); });
}
$('smallest').max = String(Math.max(1, Math.min(200, Math.max(...clusterings.map((c) => c.communities[0]?.size ?? 1)))));
slide('smallest', 'smallest', (v) => (v === 1 ? '1 node' : `${v} nodes`));
slide('sure', 'sure', (v) => `${v}%`, 0.01);
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
function takePoint(point) {
  if (point?.customdata === undefined) return;
  if (typeof point.customdata === 'number') selectNode(point.customdata);
  else selectCommunity(point.customdata.community);
}
let naming = null;
plot.on('plotly_relayout', (change) => {
  if ('annotations' in change) return;
  clearTimeout(naming);
  naming = setTimeout(lookAgain, 150);
});
plot.on('plotly_click', (event) => takePoint(event.points[0]));
function showFocus(i) {
  state.hover = i;
  Plotly.restyle(plot, Object.fromEntries(Object.entries(lines(focused())).map(([k, v]) => [k, [v]])), [0]);
}
const canHover = () => state.view === 'nodes' && state.node === null && n <= 20000;
plot.on('plotly_hover', (event) => { if (typeof event.points[0]?.customdata === 'number' && canHover()) showFocus(event.points[0].customdata); });
plot.on('plotly_unhover', () => { if (canHover()) showFocus(null); });
plot.addEventListener('keydown', (event) => { // an arrow goes to the neighbour that lies that way
  const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
  if (event.key === 'Escape') clearChoice();
  if (!step || !n || state.view !== 'nodes') return;
  event.preventDefault();
  if (state.node === null) { selectNode(current().communities[0].central[0]); return; }
  const place = (i, axis) => data.position[2 * i + axis];
  const way = (j) => {
    const arrow = [0, 1].map((axis) => place(j, axis) - place(state.node, axis));
    return (arrow[0] * step[0] + arrow[1] * step[1]) / (Math.hypot(...arrow) || 1);
  };
  const best = around(state.node).map(([j]) => j).sort((a, b) => way(b) - way(a))[0];
  if (best !== undefined && way(best) > 0) { state.comparing = false; selectNode(best); }
});
root.dataset.ready = 'yes';
