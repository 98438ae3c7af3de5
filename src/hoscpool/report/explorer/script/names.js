// Names on the map. A name stands above, below or beside its node: where it hides no other name and the fewest nodes.
const NAMED = 24, FEW = 80; // so many names of central nodes are tried, and so many of all nodes in view
const LETTERS = 28, LINE = 15, CROWDED = 4000; // longest name, height of a line in pixels, nodes up to which hiding counts
const pen = document.createElement('canvas').getContext('2d');
function axes() { // from a place on the map to pixels, and the size of the map
  const {xaxis, yaxis} = plot._fullLayout;
  return {x: (v) => xaxis.d2p(v), y: (v) => yaxis.d2p(v), width: xaxis._length, height: yaxis._length};
}
const shortened = (text) => (text.length > LETTERS ? `${text.slice(0, LETTERS - 1).trimEnd()}…` : text);
function placeNames(wanted, marks, {width, height}) { // wanted: [{x, y, text, short, must, bears, r}], marks: [x, y, r], all in pixels
  pen.font = "12px 'Open Sans', verdana, arial, sans-serif";
  const placed = [];
  const place = (one, text) => {
    const w = pen.measureText(text).width + 4, away = one.r + LINE / 2 + 1;
    const ways = [['center', 0, -away], ['center', 0, away], ['left', one.r + 3, 0], ['right', -one.r - 3, 0]];
    let best = null;
    for (const [anchor, dx, dy] of ways) {
      const left = one.x + dx - {center: w / 2, left: 0, right: w}[anchor], top = one.y + dy - LINE / 2;
      const inside = left > 0 && left + w < width && top > 0 && top + LINE < height;
      const free = placed.every((p) => p.left > left + w || p.left + p.w < left || p.top > top + LINE || p.top + LINE < top);
      if (!free || !(inside || one.must)) continue;
      const hidden = marks.reduce((sum, [x, y, r]) => sum + (x > left - r && x < left + w + r && y > top - r + 2 && y < top + LINE + r - 2), 0);
      const cost = hidden + (inside ? 0 : 1000);
      if (best === null || cost < best.cost) best = {left, top, w, cost, dx, dy, anchor, one, text};
    }
    const fits = best !== null && (one.must || best.cost <= one.bears);
    if (fits) placed.push(best);
    return fits;
  };
  for (const one of wanted) place(one, one.text) || (one.short && place(one, one.short));
  return placed;
}
function tags() { // names of the most central nodes, or of the communities, and of all nodes where there is room
  if (!plot._fullLayout?.xaxis?._length) return [];
  const scale = axes();
  let wanted, marks;
  if (state.view === 'communities') {
    const discs = plot.shownTraces.at(-1);
    const places = discs.customdata.map((c, k) => ({x: scale.x(discs.x[k]), y: scale.y(discs.y[k]), at: [discs.x[k], discs.y[k]], r: discs.marker.size[k] / 2,
      text: `${c.community}: ${shortened(names[community(c.community).central[0]])}`, short: String(c.community), must: c.community === state.community, bears: k < NAMED / 2 ? 2 : 0}));
    marks = places.map(({x, y, r}) => [x, y, r]);
    wanted = places.slice(0, 60);
  } else {
    const r = plot.shownTraces.size / 2;
    const place = (i, must, bears) => ({i, x: scale.x(data.position[2 * i]), y: scale.y(data.position[2 * i + 1]), at: [data.position[2 * i], data.position[2 * i + 1]],
      r: must ? r + 6 : r, text: shortened(names[i]), must, bears});
    const near = zoomed(), shown = current().communities.slice(0, near ? 400 : NAMED);
    const each = near ? 8 : Math.max(1, Math.round(NAMED / Math.max(shown.length, 1)));
    const ranked = Array.from({length: 8}, (_, rank) => shown.filter((c) => rank < each || state.shown === c.number).map((c) => c.central[rank])).flat();
    const picked = [state.node, state.other].filter((i) => i !== null);
    const visible = new Set(state.kept.length <= CROWDED || near ? inView(state.kept) : state.kept);
    const seen = visible.size <= CROWDED ? [...visible].map((i) => place(i, false, 0)) : [];
    marks = seen.map(({x, y}) => [x, y, r]);
    const rest = seen.length <= FEW ? seen : near ? seen.sort((a, b) => data.degree[b.i] - data.degree[a.i]).slice(0, FEW) : [];
    const heads = new Set(shown.map((c) => c.central[0])); // of small graphs, only these may hide a node or two
    const bears = (i) => (state.kept.length > CROWDED ? Infinity : heads.has(i) ? 2 : 0);
    const first = [...new Set([...picked, ...ranked])].filter((i) => i !== undefined && visible.has(i)).map((i) => place(i, picked.includes(i), bears(i)));
    const known = new Set(first.map(({i}) => i));
    wanted = [...first, ...rest.filter(({i}) => !known.has(i))];
  }
  return placeNames(wanted, marks, scale).map(({one, text, dx, dy, anchor}) => ({x: one.at[0], y: one.at[1], text: plain(text), showarrow: false,
    xanchor: anchor, yanchor: 'middle', xshift: dx, yshift: -dy, borderpad: 0, font: {size: 12, color: ink()}, captureevents: false}));
}
const zoomed = () => Boolean(plot.wholeRange) && plot._fullLayout.xaxis.range.some((v, k) => Math.abs(v - plot.wholeRange[k]) > 1e-6);
function inView(nodes) { // those of the nodes that lie in the part of the map that is seen
  const [[left, right], [low, high]] = [plot._fullLayout.xaxis.range, plot._fullLayout.yaxis.range];
  return nodes.filter((i) => {
    const x = data.position[2 * i], y = data.position[2 * i + 1];
    return x >= left && x <= right && y >= low && y <= high;
  });
}
function lookAgain() { // after zooming or moving: nodes grow where few are in view, and there may be room for more names
  const size = state.view === 'nodes' && sizeOf(zoomed() ? inView(state.kept).length : state.kept.length);
  if (size && Math.abs(size / plot.shownTraces.size - 1) > 0.25) draw();
  else writeNames();
}
function bringIntoView(i) { // moves the map if the node lies outside what a reader has zoomed to
  if (state.view !== 'nodes' || !plot._fullLayout?.xaxis?._length) return;
  const {xaxis, yaxis} = plot._fullLayout, change = {};
  for (const [name, axis, at] of [['xaxis', xaxis, data.position[2 * i]], ['yaxis', yaxis, data.position[2 * i + 1]]]) {
    const [low, high] = axis.range, half = (high - low) / 2;
    if (at < low || at > high) change[`${name}.range`] = [at - half, at + half];
  }
  if (Object.keys(change).length) Plotly.relayout(plot, change);
}
function writeNames() {
  Plotly.relayout(plot, {annotations: tags()});
}
