// The card of a node, of a community, and of two nodes.
const LISTED = 14; // communities that are listed before anything is chosen
function selectNode(i) {
  if (state.comparing && state.node !== null && i !== state.node) state.other = i;
  else Object.assign(state, {node: i, other: null});
  Object.assign(state, {comparing: false, hover: null, community: label(state.node)});
  showDetail();
  showMembers();
  draw();
  bringIntoView(i);
}
function selectCommunity(number) {
  Object.assign(state, {node: null, other: null, comparing: false, hover: null, community: number, page: 0});
  showDetail();
  showMembers();
  draw();
}
function clearChoice() {
  Object.assign(state, {node: null, other: null, comparing: false, hover: null, community: null, shown: null, page: 0});
  showDetail();
  showMembers();
  draw();
}
function showDetail() {
  const panel = $('detail');
  panel.replaceChildren();
  if (state.node !== null) nodeCard(panel, state.node);
  else if (state.community !== null && community(state.community)) communityCard(panel, community(state.community));
  else overview(panel);
  panel.scrollTop = state.other === null ? 0 : panel.scrollHeight; // the comparison stands at the end
}
function overview(panel) { // what the colours are, before anything is chosen
  panel.append(make('p', 'Click a node or a community, or search for a name.', {class: 'quiet'}));
  const found = current().communities;
  panel.append(list(found.slice(0, LISTED).map((c) => communityLink(c.number, `${count(c.size)} ${c.size === 1 ? 'node' : 'nodes'}`)), 'no community'));
  if (found.length > LISTED) panel.append(make('p', `… and ${count(found.length - LISTED)} smaller ones.`, {class: 'quiet'}));
}
function nodeCard(panel, i) {
  panel.append(make('h3', names[i]));
  const own = make('p');
  own.append(entry(label(i), communityButton(label(i))));
  panel.append(own);
  const pairs = [];
  if (ids && ids[i] !== names[i]) pairs.push(['node', ids[i]]);
  if (hasConfidence()) pairs.push(['confidence', percent(confidence(i))]);
  pairs.push(['ties that stay in the community', percent(share(i))]);
  if (second(i) >= 0) pairs.push(['next community', `community ${second(i)}, ${percent(secondShare(i))} of its ties`]);
  pairs.push(['neighbours', count(data.degree[i])]);
  if (motif !== 'edge') pairs.push([`${motifs} it is in`, count(data.motifAtNode[i])]);
  if (classNames) pairs.push(['class', classNames[data.classes[i]]]);
  categories.forEach((one, k) => pairs.push([one.name, one.values[data[`category${k}`][i]]]));
  featureNames.forEach((name, f) => { if (f < 6 && !isAbsent(f, i)) pairs.push([name, featureValue(f, i)]); });
  panel.append(facts(pairs));
  if (between(i)) panel.append(make('p', `This node is between community ${label(i)} and community ${second(i)}.`, {class: 'flag'}));
  panel.append(make('h4', motif === 'edge' ? 'Neighbours' : `Neighbours with the most common ${motifs}`));
  panel.append(list(around(i).slice(0, 8).map(([j, w]) => nodeLink(j, motif === 'edge' ? '' : `${count(w)} ${w === 1 ? motif : motifs}`)), 'none'));
  panel.append(make('h4', texts.sampled ? 'Its neighbours on this page are in' : 'Its neighbours are in'));
  panel.append(list(communitiesAround(i).slice(0, 5).map(([k, some]) => communityLink(k, `${count(some)} ${some === 1 ? 'neighbour' : 'neighbours'}`)), 'no community'));
  panel.append(make('h4', 'Together or apart?'));
  if (state.other === null) {
    panel.append(make('button', state.comparing ? 'Now click or search the other node …' : 'Compare with another node',
      {type: 'button', onclick: () => { state.comparing = true; showDetail(); $('search').focus(); }}));
  } else panel.append(...comparison(i, state.other));
}
function isAbsent(f, i) { // a word that a text does not have says little
  const [low, high] = texts.featureRanges[f];
  return low === 0 && high === 1 && data.features[f * n + i] === 0;
}
function featureValue(f, i) {
  const [low, high] = texts.featureRanges[f];
  const value = low + (high - low) * data.features[f * n + i] / 255;
  return Number.isInteger(low) && high - low <= 255 && Number.isInteger(high) ? String(Math.round(value)) : value.toPrecision(3);
}
function comparison(i, j) { // why two nodes are together, or apart: the motifs that they share, and those that each has on its own side
  const mine = new Map(around(i));
  const common = around(j).filter(([k]) => mine.has(k)).map(([k]) => k);
  const tie = mine.get(j);
  const same = label(i) === label(j);
  const said = [`${names[i]} and ${names[j]} are ${same ? `both in community ${label(i)}` : `in different communities (${label(i)} and ${label(j)})`}.`];
  if (tie === undefined) said.push('No tie joins them.');
  else said.push(motif === 'edge' ? 'A tie joins them.' : `A tie joins them, and ${count(tie)} ${tie === 1 ? motif : motifs} contain${tie === 1 ? 's' : ''} both.`);
  const inside = common.filter((k) => label(k) === label(i)).length;
  said.push(common.length ? `They have ${count(common.length)} ${common.length === 1 ? 'neighbour' : 'neighbours'} in common, ${count(inside)} of them in community ${label(i)}.` : 'They have no neighbour in common.');
  if (same) said.push(common.length && inside === common.length ? 'That is why they are together.' : 'Their neighbours hold them together.');
  else {
    const weightTo = (a, k) => around(a).reduce((sum, [b, w]) => sum + (label(b) === k ? (motif === 'edge' ? 1 : w) : 0), 0);
    const what = motif === 'edge' ? 'ties' : `${motifs} on its ties`;
    for (const [a, b] of [[i, j], [j, i]]) said.push(`${names[a]} has ${count(weightTo(a, label(a)))} ${what} to community ${label(a)}, and ${count(weightTo(a, label(b)))} to community ${label(b)}.`);
  }
  if (texts.sampled) said.push('Only the ties that the page holds are counted.');
  return [make('p', said.join(' ')), list(common.slice(0, 6).map((k) => nodeLink(k)), 'no common neighbours'),
    make('button', 'Compare with another node', {type: 'button', onclick: () => { state.comparing = true; state.other = null; showDetail(); $('search').focus(); }})];
}
function communityCard(panel, c) {
  const head = make('h3');
  head.append(dot(c.number), document.createTextNode(title(c)));
  panel.append(head, make('p', c.sentence));
  const pairs = [['nodes', count(c.size)], ['ties that stay inside', percent(c.inside)]];
  if (motif !== 'edge' && c.motifs !== null) pairs.push([`${motifs} that stay inside`, percent(c.motifs)]);
  if (c.inside !== null) pairs.push(['conductance', (1 - c.inside).toFixed(3)]);
  if (motif !== 'edge' && c.motifs !== null) pairs.push([`${motif} conductance`, (1 - c.motifs).toFixed(3)]);
  const [most, some] = classNames ? mainClass(c.number) : [null, 0];
  if (most !== null) pairs.push(['known classes', `${percent(some / c.size)} ${classNames[most]}`]);
  panel.append(facts(pairs));
  const only = state.shown === c.number;
  panel.append(make('button', only ? 'Show all communities' : 'Show only this community', {type: 'button', onclick: () => { state.shown = only ? null : c.number; showDetail(); draw(); }}));
  panel.append(make('h4', 'Most central'), list(c.central.map((i) => nodeLink(i, `${percent(share(i))} of ties inside`)), 'none'));
  if (c.traits.length) {
    panel.append(make('h4', 'What sets it apart'), facts(c.traits.map(([name, d]) => [name, `${d > 0 ? '+' : '−'}${Math.abs(d).toFixed(1)} standard deviations`])));
  }
  panel.append(make('h4', 'Tied most to'), list(c.ties.map(([k, s]) => communityLink(k, `${percent(s)} of its ties`)), 'no other community'));
  panel.append(...densest(c));
}
function mainClass(number) { // the class that most members have, and how many
  const seen = new Map();
  for (let i = 0; i < n; i++) if (label(i) === number) seen.set(data.classes[i], (seen.get(data.classes[i]) ?? 0) + 1);
  return [...seen].reduce((a, b) => (b[1] > a[1] ? b : a), [null, 0]);
}
function densest(c) {
  const members = [];
  for (let i = 0; i < n && members.length <= 20000; i++) if (label(i) === c.number) members.push(i);
  if (motif !== 'triangle' || members.length > 20000) return [];
  const found = trianglesOf(members, 5).map((t) => {
    const item = make('li');
    t.forEach((i, k) => item.append(...(k ? [' – '] : []), nodeButton(i)));
    return item;
  });
  return found.length ? [make('h4', 'Its densest triangles'), list(found, '')] : [];
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
