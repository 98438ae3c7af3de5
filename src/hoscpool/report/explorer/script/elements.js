// Small makers of elements.
function make(tag, text, options = {}) {
  const element = document.createElement(tag);
  if (text !== undefined && text !== null) element.textContent = text;
  for (const [key, value] of Object.entries(options)) {
    if (key === 'onclick') element.addEventListener('click', value);
    else element.setAttribute(key, value);
  }
  return element;
}
function dot(number) {
  return make('span', '', {class: 'dot', style: `background:${colourOf(number)}`, 'aria-hidden': 'true'});
}
function nodeButton(i, then = () => {}) {
  return make('button', names[i], {type: 'button', class: 'link', onclick: () => { selectNode(i); then(); }});
}
function line(number, link, note) {
  const item = make('li');
  item.append(entry(number, link, note));
  return item;
}
function entry(number, link, note) { // a dot, and beside it a link with a note
  const box = make('span', '', {class: 'entry'}), words = make('span');
  words.append(link);
  if (note) words.append(' ', make('span', note, {class: 'quiet'}));
  box.append(dot(number), words);
  return box;
}
const nodeLink = (i, note) => line(label(i), nodeButton(i), note);
const inWords = (number) => (community(number) ? `: ${names[community(number).central[0]].slice(0, 40)}` : '');
const communityButton = (number) => make('button', `community ${number}${inWords(number)}`, {type: 'button', class: 'link', onclick: () => selectCommunity(number)});
const communityLink = (number, note) => line(number, communityButton(number), note);
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
