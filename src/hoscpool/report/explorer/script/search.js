// Type ahead: names that begin with the text come first.
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
  [...results.children].forEach((item, place) => item.setAttribute('aria-selected', String(place === chosen)));
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
