// What the page holds, and what follows from it. Names of the user reach the page as text only, never as HTML.
const root = document.getElementById('explorer');
const $ = (name) => root.querySelector(`[data-part="${name}"]`);
const data = await unpack(document.getElementById('explorer-data').textContent);
const {texts} = data;
const {names, ids, motif, palette, clusterings, classNames, featureNames, categories} = texts;
const n = names.length;
const folded = names.map((name, i) => (ids ? `${name} ${ids[i]}` : name).toLowerCase());
const motifs = texts.plural;
const state = {at: texts.start, colour: 'community', view: 'nodes', node: null, other: null, hover: null, community: null, query: '',
  sort: 'degree', down: true, page: 0, smallest: 1, sure: 0, ties: n > 20000 ? 'none' : 'ties', shown: null, kept: []};
const around = neighbourLists();

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
const confidence = (i) => data[`confidence${state.at}`]?.[i] / 255;
const hasConfidence = () => data[`confidence${state.at}`] !== undefined;
const sure = (i) => (hasConfidence() ? confidence(i) : share(i));
const sureWord = () => (hasConfidence() ? 'confidence' : 'ties inside');
const between = (i) => data[`between${state.at}`][i] === 1;
const current = () => clusterings[state.at];
const community = (number) => current().communities.find((c) => c.number === number);
const colourOf = (number) => palette[number % palette.length];
const title = (c) => `Community ${c.number}: ${names[c.central[0]].slice(0, 40)}${c.size > 1 ? ' and others' : ''}`;
const percent = (x) => (x === null || x === undefined || Number.isNaN(x) ? '–' : `${Math.round(100 * x)}%`);
const count = (x) => Math.round(x).toLocaleString('en');

function communitiesAround(i) { // [community, neighbours in it], most first
  const found = new Map();
  for (const [j] of around(i)) found.set(label(j), (found.get(label(j)) ?? 0) + 1);
  return [...found].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
}
function trianglesOf(nodes, most) { // triangles [i, j, k] among nodes, those on the edges with most triangles first
  const there = new Set(nodes), pairs = [];
  for (const i of nodes) for (const [j, w] of around(i)) if (i < j && w > 0 && there.has(j)) pairs.push([i, j, w]);
  pairs.sort((a, b) => b[2] - a[2]);
  const found = new Map(), limit = 20 * most;
  for (const [i, j, w] of pairs) {
    if (found.size >= limit) break;
    const mine = new Map(around(i));
    for (const [k, v] of around(j)) {
      if (!there.has(k) || !mine.has(k) || found.size >= limit) continue;
      const key = [i, j, k].sort((a, b) => a - b);
      if (!found.has(key.join())) found.set(key.join(), [key, w + v + mine.get(k)]);
    }
  }
  return [...found.values()].sort((a, b) => b[1] - a[1]).slice(0, most).map(([key]) => key);
}
