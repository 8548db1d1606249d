'use strict';
// The browser of errors. All note text goes into the page as text nodes.
(() => {
  const pageSize = 50;
  const data = JSON.parse(document.getElementById('data').textContent);
  const rows = data.rows;
  // Columns of a row.
  const KIND = 0, CAUSE = 1, GOLD = 2, SYSTEM = 3, TAGGER = 4, DOCUMENT = 5, AT = 6, SCORE = 7, FLAGS = 8,
    TEXT = 9, GOLD_FROM = 10, GOLD_TO = 11, SYSTEM_FROM = 12, SYSTEM_TO = 13;
  const EXPOSED = 1, CUT_BEFORE = 2, CUT_AFTER = 4;

  const by = id => document.getElementById(id);
  const element = (name, className, ...children) => {
    const e = document.createElement(name);
    if (className) e.className = className;
    e.append(...children);
    return e;
  };
  const number = n => n.toLocaleString('en');

  // Filters.
  const lists = [['gold', GOLD, data.labels], ['system', SYSTEM, data.labels], ['cause', CAUSE, data.causes], ['tagger', TAGGER, data.taggers]];
  for (const [id, column, names] of lists) {
    const counts = new Array(names.length).fill(0);
    for (const r of rows) counts[r[column]]++;
    by(id).append(new Option('any', '', true, true));
    names.map((name, i) => [name, i]).filter(([, i]) => counts[i] > 0)
      .sort((a, b) => (a[0] > b[0]) - (a[0] < b[0]))
      .forEach(([name, i]) => by(id).append(new Option(`${name} (${number(counts[i])})`, String(i))));
  }
  const boxes = data.kinds.map((name, i) => {
    const box = element('input');
    box.type = 'checkbox';
    box.defaultChecked = true; // so that a reset sets it again
    box.dataset.kind = String(i);
    const count = element('span', 'dim');
    by('kind').append(element('label', '', box, ` ${name} `, count));
    return { box, count };
  });
  by('documents').append(...data.documents.slice(0, 2000).map(d => { const o = element('option'); o.value = d; return o; }));

  let lower; // texts in lower case, made at the first search
  let found = rows;
  let page = 0;

  function filter() {
    const chosen = lists.map(([id, column]) => [column, by(id).value]).filter(([, v]) => v !== '').map(([c, v]) => [c, Number(v)]);
    const name = by('document').value.trim();
    // A whole id picks one document, anything else those that hold it.
    const exact = data.documents.indexOf(name);
    const documents = name === '' ? null
      : new Set(exact >= 0 ? [exact] : data.documents.map((d, i) => d.includes(name) ? i : -1).filter(i => i >= 0));
    const query = by('search').value.toLowerCase();
    if (query && !lower) lower = rows.map(r => r[TEXT].toLowerCase());
    const exposed = by('exposed').checked;
    const counts = new Array(boxes.length).fill(0);
    found = [];
    for (let i = 0; i < rows.length; i++) {
      const r = rows[i];
      if (documents && !documents.has(r[DOCUMENT]) || exposed && !(r[FLAGS] & EXPOSED)) continue;
      if (chosen.some(([column, value]) => r[column] !== value)) continue;
      if (query && !lower[i].includes(query)) continue;
      counts[r[KIND]]++;
      if (boxes[r[KIND]].box.checked) found.push(r);
    }
    boxes.forEach((b, i) => { b.count.textContent = number(counts[i]); });
    page = 0;
    show();
  }

  // context appends the text with its spans marked; line ends are shown as signs.
  function context(parent, r) {
    const text = r[TEXT];
    const cuts = [0, text.length, r[GOLD_FROM], r[GOLD_TO], r[SYSTEM_FROM], r[SYSTEM_TO]].filter(c => c >= 0).sort((a, b) => a - b);
    if (r[FLAGS] & CUT_BEFORE) parent.append('… ');
    let before = -1;
    for (let i = 0; i + 1 < cuts.length; i++) {
      const [from, to] = [cuts[i], cuts[i + 1]];
      if (from === to) {
        // An empty span has no text, but must be seen.
        const empty = r[GOLD_FROM] === from && r[GOLD_TO] === from ? 'g' : r[SYSTEM_FROM] === from && r[SYSTEM_TO] === from ? 's' : '';
        if (empty && before !== from) parent.append(element('mark', empty, '\u2009'));
        before = from;
        continue;
      }
      const names = [];
      if (from >= r[GOLD_FROM] && to <= r[GOLD_TO]) names.push('g');
      if (from >= r[SYSTEM_FROM] && to <= r[SYSTEM_TO]) names.push('s');
      const into = names.length ? element('mark', names.join(' ')) : parent;
      text.slice(from, to).split(/\r\n|\n|\r/).forEach((line, k) => {
        if (k > 0) into.append(element('span', 'end', '\u21b5 '));
        into.append(line);
      });
      if (into !== parent) parent.append(into);
    }
    if (r[FLAGS] & CUT_AFTER) parent.append(' …');
  }

  function item(r) {
    const gold = data.labels[r[GOLD]], system = data.labels[r[SYSTEM]];
    const what = element('div', 'what', element('b', '', data.kinds[r[KIND]]));
    const types = r[GOLD_FROM] < 0 ? system : r[SYSTEM_FROM] < 0 || gold === system ? gold : `${gold} \u2192 ${system}`;
    what.append(types);
    if (data.causes[r[CAUSE]] !== 'other') what.append(element('span', 'dim', ` \u00b7 ${data.causes[r[CAUSE]]}`));
    if (r[FLAGS] & EXPOSED) what.append(element('div', 'harm', 'text left exposed'));
    const text = element('p', 'text');
    text.dir = 'auto';
    const said = [];
    if (r[GOLD_FROM] >= 0) said.push(`Gold: ${r[TEXT].slice(r[GOLD_FROM], r[GOLD_TO])}.`);
    if (r[SYSTEM_FROM] >= 0) said.push(`System: ${r[TEXT].slice(r[SYSTEM_FROM], r[SYSTEM_TO])}.`);
    text.append(element('span', 'hidden', said.join(' ') + ' In context: '));
    context(text, r);
    const where = element('div', 'where', element('bdi', '', data.documents[r[DOCUMENT]]), ` at ${number(r[AT])}`);
    if (r[TAGGER] > 0) where.append(element('br'), data.taggers[r[TAGGER]] + (r[SCORE] > 0 ? ` ${r[SCORE].toFixed(3)}` : ''));
    return element('li', '', what, text, where);
  }

  function show() {
    const pages = Math.max(1, Math.ceil(found.length / pageSize));
    page = Math.min(Math.max(page, 0), pages - 1);
    const from = page * pageSize, to = Math.min(from + pageSize, found.length);
    by('list').replaceChildren(...found.slice(from, to).map(item));
    by('count').textContent = rows.length === 0 ? 'There are no errors.'
      : found.length === 0 ? `No error of ${number(rows.length)} fits.`
      : `Errors ${number(from + 1)} to ${number(to)} of ${number(found.length)}` + (found.length < rows.length ? ` (${number(rows.length)} in all)` : '');
    by('page').textContent = `${number(page + 1)} / ${number(pages)}`;
    by('first').disabled = by('previous').disabled = page === 0;
    by('next').disabled = by('last').disabled = page === pages - 1;
  }

  function turn(to) {
    page = to;
    show();
    by('errors').scrollIntoView();
    by('list').focus({ preventScroll: true });
  }

  // A cell of the confusion matrix leads to #errors?gold=DOCTOR&system=PATIENT.
  function follow() {
    if (!location.hash.startsWith('#errors?')) return;
    const wanted = new URLSearchParams(location.hash.slice('#errors?'.length));
    by('filters').reset();
    for (const id of ['gold', 'system']) {
      const i = data.labels.indexOf(wanted.get(id));
      if (i >= 0) by(id).value = String(i);
    }
    filter();
    by('errors').scrollIntoView();
    by('list').focus({ preventScroll: true });
  }

  let waiting = 0;
  const soon = () => { clearTimeout(waiting); waiting = setTimeout(filter, 150); };
  by('filters').addEventListener('submit', e => e.preventDefault());
  by('filters').addEventListener('change', filter);
  by('clear').addEventListener('click', () => { by('filters').reset(); filter(); });
  by('search').addEventListener('input', soon);
  by('document').addEventListener('input', soon);
  by('first').addEventListener('click', () => turn(0));
  by('previous').addEventListener('click', () => turn(page - 1));
  by('next').addEventListener('click', () => turn(page + 1));
  by('last').addEventListener('click', () => turn(Infinity));
  addEventListener('hashchange', follow);
  // The same cell again changes no hash.
  document.addEventListener('click', e => {
    const cell = e.target.closest('.heat a');
    if (cell && cell.getAttribute('href') === location.hash) follow();
  });

  filter();
  follow();
})();
