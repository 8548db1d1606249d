'use strict';
// The page of one reviewer. The server holds what was decided; what is here is
// what one tab sees of it. Note text only ever becomes text nodes.

const $ = id => document.getElementById(id);
const text = $('text');

let review;            // of all notes: who, types, which are finished
let note;              // the one that is shown
let current = -1;      // index in note.items
let pieces = [];       // {start, end, node}: the note's text nodes, in order
let originals = null;  // of the spans of this note, once asked for
let showOriginals = false;
let selecting = null;  // {anchor, focus, column}: the words taken in while selecting by keys
let working = 0;       // steps that are not done yet
let queue = Promise.resolve();
let recent = [];       // types chosen lately

const VERDICTS = { right: 'right', wrong_type: 'wrong type', needless: 'needless', undecided: 'undecided', missed: 'missed',
  rejected: 'not an identifier', agreed: 'missed, as both reviewers say' };

async function call(path, body) {
  const options = body === undefined ? {} : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(path, options);
  const known = answer.headers.get('Content-Type') === 'application/json';
  const value = known ? await answer.json() : { problem: 'The program does not know this page. Open the address that it printed.' };
  return { ok: answer.ok, value };
}

// perform does a step when those before it are done: who is quick loses none.
function perform(step) {
  working++;
  queue = queue.then(step).catch(e => {
    console.error(e);
    say('Something went wrong in this page. Load it again: every decision is kept.');
  }).finally(() => { working--; });
}

// say tells the reviewer something, and screen readers too.
function say(message) { $('status').textContent = message; }

function element(name, content, attributes = {}) {
  const e = document.createElement(name);
  if (content !== undefined) e.textContent = content;
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  return e;
}

/* ---- showing ---- */

async function open(at, keep) {
  const { ok, value } = await call('api/note?note=' + at);
  if (!ok) { say(value.problem); return; }
  const other = !note || note.note !== value.note;
  note = value;
  if (other) { originals = null; showOriginals = false; history.replaceState(null, '', '#' + (at + 1)); }
  if (showOriginals) await loadOriginals();
  leaveSelecting();
  if (other) current = nextOpen(-1);
  else if (!keep) current = Math.min(current, note.items.length - 1);
  show();
  if (other) { window.scrollTo(0, 0); point(false); }
}

function show() {
  render();
  const n = review.finished.length, done = review.finished.filter(Boolean).length;
  $('title').textContent = review.adjudicates ? 'Adjudication' : 'Review';
  $('who').textContent = review.reviewer;
  $('progress').max = n;
  $('progress').value = done;
  $('done').textContent = `${done} of ${n} finished`;
  $('place').textContent = `${note.note + 1} / ${n}`;
  $('previous').disabled = note.note === 0;
  $('next').disabled = note.note === n - 1;
  $('heading').textContent = `Note ${note.note + 1}`;
  $('about').textContent = note.stratum + (note.finished ? ' · finished' : '');
  const asked = note.items.filter(i => i.ask), left = asked.filter(i => !i.what).length;
  const missed = note.items.filter(i => i.what === 'missed').length;
  const parts = [];
  if (note.marked) parts.push(left ? `${left} of ${asked.length} without a verdict` : `all ${asked.length} have a verdict`);
  if (missed || !note.marked) parts.push(`${missed} ${note.marked ? 'missed' : 'marked'}`);
  $('open').textContent = parts.join(' · ');
  $('all').disabled = !left || review.adjudicates;
  let finishing = left ? 'Next without a verdict' : 'Finish the note';
  if (!note.marked) finishing = 'Show the marks'; else if (note.finished) finishing = 'Next open note';
  $('finish-word').textContent = finishing;
  $('originals').setAttribute('aria-pressed', showOriginals);
  $('originals').disabled = !note.marked;
  banner();
  showItem();
}

function banner() {
  let message = '';
  if (selecting) message = 'Selecting: arrows move by words and lines, Shift takes in more, Enter chooses the type, Esc leaves.';
  else if (!note.marked) message = 'This note is without marks. Mark all that identifies anybody: press m, select, choose the type. ' +
    'Then press Enter to see what the job replaced.';
  $('banner').textContent = message;
  $('banner').hidden = !message;
}

// render makes the note's text of text nodes, cut where an item begins or ends.
function render() {
  pieces = [];
  const fragment = document.createDocumentFragment(), cuts = new Set([0, note.text.length]);
  for (const i of note.items) { cuts.add(i.start); cuts.add(i.end); }
  const at = [...cuts].sort((a, b) => a - b);
  const starts = new Map(), live = new Set();
  note.items.forEach((item, i) => { if (!starts.has(item.start)) starts.set(item.start, []); starts.get(item.start).push(i); });
  for (let k = 0; k + 1 < at.length || k === 0; k++) {
    const [from, to] = [at[k], at[k + 1] ?? at[k]];
    for (const i of live) if (note.items[i].end <= from) live.delete(i);
    for (const i of starts.get(from) ?? []) live.add(i);
    const node = document.createTextNode(note.text.slice(from, to));
    pieces.push({ start: from, end: to, node });
    if (!live.size) { fragment.append(node); continue; }
    const i = Math.max(...live), item = note.items[i], mark = element('mark'); // of two, that which begins later
    mark.dataset.item = i;
    mark.className = item.what || (item.span < 0 ? 'proposed' : 'open');
    if (!item.ask && item.what !== 'missed') mark.classList.add('settled');
    if (item.end === to) mark.dataset.label = label(item);
    mark.append(node);
    fragment.append(mark);
  }
  text.replaceChildren(fragment);
}

function label(item) {
  const sign = { right: ' ✓', wrong_type: ' ≠', needless: ' ✕', undecided: ' ?', missed: ' +', agreed: ' +', rejected: ' ✕' }[item.what] ?? '';
  return (item.what === 'wrong_type' ? item.as : item.type) + sign;
}

function showItem() {
  for (const m of text.querySelectorAll('mark.current')) m.classList.remove('current');
  const item = note.items[current], box = $('item');
  const stops = walkable(), at = stops.indexOf(current);
  $('item-title').textContent = item ? `${item.span < 0 ? 'Mark' : 'Replacement'} ${at + 1} of ${stops.length}` : 'Replacement';
  document.querySelector('[data-do=accept]').disabled = !item || (item.span < 0 && item.what === 'missed');
  for (const b of document.querySelectorAll('[data-do=type],[data-do=needless]')) b.disabled = !item;
  document.querySelector('[data-do=undecided]').disabled = !item || item.span < 0;
  document.querySelector('[data-do=needless]').lastChild.textContent = item?.what === 'missed' ? ' Take back' : ' Needless';
  for (const name of ['accept', 'type', 'needless', 'undecided']) {
    const b = document.querySelector(`[data-do=${name}]`), what = { accept: 'right', type: 'wrong_type' }[name] ?? name;
    b.setAttribute('aria-pressed', !!item && item.what === what);
  }
  if (!item) {
    box.replaceChildren(element('p', note.marked ? 'Nothing was replaced in this note.' : 'Nothing is marked yet.', { class: 'hint' }));
    return;
  }
  for (const m of text.querySelectorAll(`mark[data-item="${current}"]`)) m.classList.add('current');
  const facts = element('dl', undefined, { class: 'facts' });
  const fact = (name, value) => { const d = element('div'); d.append(element('dt', name), element('dd', value)); facts.append(d); };
  fact('Released', note.text.slice(item.start, item.end));
  if (item.kept) fact('Replaced', 'no, it was left as it is');
  if (item.span >= 0 && originals && showOriginals) fact('Original', originals[item.span]);
  if (item.what) fact('Verdict', VERDICTS[item.what] + (item.what === 'wrong_type' ? ': ' + item.as : ''));
  for (const s of item.says ?? []) { const [who, ...rest] = s.split(': '); fact(who, rest.join(': ')); }
  if (item.source) fact('Found by', item.source);
  box.replaceChildren(element('p', item.type, { class: 'kind' }), facts);
}

// point scrolls to the current item and tells what it is.
function point(aloud = true) {
  showItem();
  const item = note.items[current];
  if (!item) return;
  text.querySelector('mark.current')?.scrollIntoView({ block: 'nearest' });
  if (aloud) say(`${item.type}, ${VERDICTS[item.what] ?? 'no verdict'}`);
}

/* ---- walking ---- */

// walkable are the items that something is to be said of.
function walkable() { return note.items.map((_, i) => i).filter(i => note.items[i].ask || note.items[i].what === 'missed'); }

function nextOpen(from) {
  const stops = walkable(), open = stops.filter(i => !note.items[i].what);
  return open.find(i => i > from) ?? open[0] ?? stops.find(i => i > from) ?? stops.at(-1) ?? -1;
}

function step(by) {
  const stops = walkable();
  if (!stops.length) return;
  const at = stops.indexOf(current);
  current = stops[Math.max(0, Math.min(stops.length - 1, at + by))];
  point();
}

function turn(by) {
  const at = note.note + by;
  if (at >= 0 && at < review.finished.length) return open(at);
  say(by > 0 ? 'This is the last note.' : 'This is the first note.');
}

/* ---- deciding ---- */

// send does an event to the note. It returns whether the note took it.
async function send(event) {
  try {
    const { ok, value } = await call('api/event', { note: note.note, version: note.version, ...event });
    if (!ok) {
      say(value.problem);
      if (value.note) {
        note = value.note;
        review.finished[note.note] = note.finished;
        current = Math.min(current, note.items.length - 1);
        show();
      }
      return false;
    }
    note = value;
    review.finished[note.note] = note.finished;
    return true;
  } catch {
    say('The program does not answer: was it ended? What was decided before is kept. Start it again and open the new address.');
    return false;
  }
}

async function judge(verdict, type) {
  const item = note.items[current];
  if (!item) return;
  if (item.span < 0) return judgeMark(item, verdict, type);
  if (!item.ask) { say('The reviewers agree on this one.'); return; }
  const done = await send({ kind: 'judge', span: item.span, verdict, type: type ?? '' });
  if (done) advance(i => i.span === item.span, `${item.type}: ${VERDICTS[verdict]}`);
}

// judgeMark says something of a mark: of one's own, or of a reviewer's to decide on.
async function judgeMark(item, verdict, type) {
  const at = { start: item.start, end: item.end }, same = i => i.span < 0 && i.start === item.start && i.end === item.end;
  let done = false;
  if (verdict === 'needless') done = await send({ kind: review.adjudicates ? 'reject' : 'clear', ...at });
  else if (verdict === 'wrong_type') done = await send({ kind: 'missed', type, ...at });
  else if (verdict === 'right' && item.what !== 'missed') done = await send({ kind: 'missed', type: item.type, ...at });
  if (done) advance(same, verdict === 'needless' ? 'Taken back' : 'Marked as missed');
}

// advance goes to the next item without a verdict behind the one just judged.
function advance(isThat, message) {
  const at = note.items.findIndex(isThat);
  current = nextOpen(at < 0 ? current - 1 : at);
  show();
  point(false);
  say(message);
}

async function acceptRest() {
  if (review.adjudicates) return;
  let n = 0;
  for (;;) {
    const item = note.items.find(i => i.ask && !i.what);
    if (!item || !await send({ kind: 'judge', span: item.span, verdict: 'right' })) break;
    n++;
  }
  current = nextOpen(-1);
  show();
  if (n) say(`${n} accepted`);
}

async function finish() {
  if (!note.marked) { $('reveal').showModal(); return; }
  if (!note.finished) {
    if (note.items.some(i => i.ask && !i.what)) {
      current = nextOpen(current);
      point(false);
      say(`${note.items.filter(i => i.ask && !i.what).length} have no verdict yet`);
      return;
    }
    if (!await send({ kind: 'finish' })) return;
  }
  const n = review.finished.length, later = [...Array(n).keys()].map(i => (note.note + 1 + i) % n).find(i => !review.finished[i]);
  if (later === undefined) { show(); say('All notes are finished. Thank you.'); return; }
  await open(later);
  say(`Note ${later + 1}`);
}

async function reveal() {
  if (!await send({ kind: 'reveal' })) return;
  current = nextOpen(-1);
  show();
  point(false);
  say('These are the marks. Judge each of them, and mark what is still missing.');
}

async function undo() {
  if (!await send({ kind: 'undo' })) return;
  current = Math.min(Math.max(current, 0), note.items.length - 1);
  if (!walkable().includes(current)) current = nextOpen(-1);
  show();
  say('Undone');
}

async function loadOriginals() {
  const { ok, value } = await call('api/originals?note=' + note.note);
  if (ok) originals = value; else say(value.problem);
}

async function toggleOriginals() {
  if (!note.marked) { say('This note is without marks: show them first.'); return; }
  showOriginals = !showOriginals;
  if (showOriginals && !originals) await loadOriginals();
  show();
}

/* ---- selecting ---- */

// Words are runs of letters and digits; any other character but a blank is one.
const WORD = /[\p{L}\p{N}]+|[^\p{L}\p{N}\s]/gu;
let words = { of: null, list: [] };

function wordList() {
  if (words.of !== note.text) words = { of: note.text, list: [...note.text.matchAll(WORD)].map(m => [m.index, m.index + m[0].length]) };
  return words.list;
}

// wordAt returns the index of the first word that ends behind an offset.
function wordAt(offset) {
  const list = wordList();
  let low = 0, high = list.length - 1;
  while (low < high) { const mid = (low + high) >> 1; if (list[mid][1] > offset) high = mid; else low = mid + 1; }
  return low;
}

function place(offset, end) {
  let low = 0, high = pieces.length - 1;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (pieces[mid].start < offset || pieces[mid].start === offset && !end) low = mid; else high = mid - 1;
  }
  return [pieces[low].node, offset - pieces[low].start];
}

function chosen() {
  const list = wordList(), a = Math.min(selecting.anchor, selecting.focus), b = Math.max(selecting.anchor, selecting.focus);
  return [list[a][0], list[b][1]];
}

function paint() {
  const [start, end] = chosen();
  getSelection().setBaseAndExtent(...place(start, false), ...place(end, true));
  const focus = wordList()[selecting.focus], range = document.createRange();
  range.setStart(...place(focus[0], false));
  range.setEnd(...place(focus[1], true));
  const box = range.getBoundingClientRect(), top = 130, bottom = innerHeight - (innerWidth <= 860 ? 340 : 90);
  if (box.top < top) scrollBy(0, box.top - top); else if (box.bottom > bottom) scrollBy(0, box.bottom - bottom);
}

// selected returns what the mouse or the keys have selected of the text, or null.
function selected() {
  if (selecting) return chosen();
  const s = getSelection();
  if (!s.rangeCount || s.isCollapsed) return null;
  const range = s.getRangeAt(0);
  if (!text.contains(range.startContainer) || !text.contains(range.endContainer)) return null;
  const before = document.createRange();
  before.selectNodeContents(text);
  before.setEnd(range.startContainer, range.startOffset);
  const start = before.toString().length, end = start + range.toString().length, part = note.text.slice(start, end);
  return part.trim() ? [start + part.length - part.trimStart().length, end - part.length + part.trimEnd().length] : null;
}

async function missed() {
  let range = selected();
  if (!range) {
    if (!wordList().length) { say('There is no text to select.'); return; }
    let from = wordAt(note.items[current] ? note.items[current].end : 0);
    while (from + 1 < wordList().length && !/[\p{L}\p{N}]/u.test(note.text[wordList()[from][0]])) from++;
    selecting = { anchor: from, focus: from };
    text.focus({ preventScroll: true });
    banner();
    paint();
    return;
  }
  const [start, end] = range, type = await choose('Which type is it?', note.text.slice(start, end));
  if (!type) { if (selecting) paint(); return; }
  if (!await send({ kind: 'missed', start, end, type })) { if (selecting) paint(); return; }
  leaveSelecting();
  current = note.items.findIndex(i => i.span < 0 && i.start === start && i.end === end);
  show();
  point(false);
  say(`Marked as ${note.marked ? 'missed' : 'an identifier'}: ${type}`);
}

function leaveSelecting() {
  if (!selecting) return;
  selecting = null;
  getSelection().removeAllRanges();
  banner();
}

// line moves a word up or down by lines, keeping to the column.
function line(word, by) {
  const list = wordList(), at = list[word][0], start = note.text.lastIndexOf('\n', at - 1) + 1;
  selecting.column ??= at - start;
  let from = start;
  for (let k = 0; k < Math.abs(by); k++) {
    const next = by > 0 ? note.text.indexOf('\n', from) + 1 : from > 0 ? note.text.lastIndexOf('\n', from - 2) + 1 : -1;
    if (by > 0 ? next === 0 : next < 0) break;
    from = next;
  }
  if (from === start) return by > 0 ? list.length - 1 : 0;
  let stop = note.text.indexOf('\n', from);
  if (stop < 0) stop = note.text.length;
  const to = wordAt(Math.min(from + selecting.column, stop));
  return list[to][0] < stop || by > 0 ? to : Math.max(0, to - 1);
}

function selectKey(e) {
  const list = wordList(), f = selecting.focus;
  let to;
  if (!['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'].includes(e.key)) selecting.column = undefined;
  switch (e.key) {
  case 'ArrowRight': to = f + 1; break;
  case 'ArrowLeft': to = f - 1; break;
  case 'ArrowDown': to = line(f, 1); break;
  case 'ArrowUp': to = line(f, -1); break;
  case 'PageDown': to = line(f, 10); break;
  case 'PageUp': to = line(f, -10); break;
  case 'Home': to = 0; break;
  case 'End': to = list.length - 1; break;
  case 'Enter': case 'm': e.preventDefault(); perform(missed); return true;
  case 'Escape': leaveSelecting(); say(''); return true;
  default: return e.key.length === 1 && !e.ctrlKey && !e.metaKey;
  }
  e.preventDefault();
  selecting.focus = Math.max(0, Math.min(list.length - 1, to));
  if (!e.shiftKey) selecting.anchor = selecting.focus;
  paint();
  return true;
}

/* ---- choosing a type ---- */

let picked = null; // resolves the choice that is being made

function choose(title, quoted) {
  $('types-title').textContent = title;
  $('quoted').textContent = quoted;
  $('filter').value = '';
  list();
  $('types').showModal();
  $('filter').focus();
  return new Promise(resolve => { picked = resolve; });
}

function list() {
  const wanted = $('filter').value.trim().toUpperCase();
  const rank = t => (recent.includes(t.name) && !wanted ? recent.indexOf(t.name) : 99);
  const begin = review.types.filter(t => t.name.startsWith(wanted));
  const fitting = begin.concat(review.types.filter(t => !begin.includes(t) && t.name.includes(wanted)));
  const all = fitting.map((t, i) => [rank(t), i, t]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(x => x[2]);
  $('choices').replaceChildren(...all.map((t, i) => {
    const li = element('li', t.name, { role: 'option', id: 'type-' + t.name, 'aria-selected': i === 0 });
    if (t.category !== t.name) li.append(element('span', t.category.toLowerCase()));
    li.dataset.type = t.name;
    return li;
  }));
  mark(0);
}

function mark(i) {
  const all = [...$('choices').children];
  all.forEach((li, k) => li.setAttribute('aria-selected', k === i));
  if (!all[i]) { $('filter').removeAttribute('aria-activedescendant'); return; }
  $('filter').setAttribute('aria-activedescendant', all[i].id);
  all[i].scrollIntoView({ block: 'nearest' });
}

function take(type) {
  recent = [type, ...recent.filter(t => t !== type)].slice(0, 6);
  const resolve = picked;
  picked = null;
  $('types').close();
  resolve?.(type);
}

$('filter').addEventListener('input', list);
$('filter').addEventListener('keydown', e => {
  const all = [...$('choices').children], at = all.findIndex(li => li.getAttribute('aria-selected') === 'true');
  if (e.key === 'ArrowDown') mark(Math.min(at + 1, all.length - 1));
  else if (e.key === 'ArrowUp') mark(Math.max(at - 1, 0));
  else if (e.key === 'Enter') { if (all[at]) take(all[at].dataset.type); }
  else return;
  e.preventDefault();
  e.stopPropagation(); // once the dialog is closed, the key would count for the note
});
$('choices').addEventListener('click', e => { const li = e.target.closest('li'); if (li) take(li.dataset.type); });
$('types').addEventListener('close', () => { const resolve = picked; picked = null; resolve?.(null); });

/* ---- keys and buttons ---- */

const actions = {
  accept: () => judge('right'),
  needless: () => judge('needless'),
  undecided: () => (note.items[current]?.span >= 0 ? judge('undecided') : undefined),
  type: async () => {
    const item = note.items[current];
    if (!item) return;
    const type = await choose('Which type is it instead?', note.text.slice(item.start, item.end));
    if (type) await judge('wrong_type', type);
  },
  forward: () => step(1), back: () => step(-1), originals: toggleOriginals, missed, undo, all: acceptRest, finish,
};

const keys = {
  a: 'accept', x: 'needless', u: 'undecided', t: 'type', n: 'forward', p: 'back', j: 'forward', k: 'back', o: 'originals', m: 'missed',
  z: 'undo', A: 'all',
};

document.addEventListener('keydown', e => {
  if (document.querySelector('dialog[open]') || e.ctrlKey || e.metaKey || e.altKey || !note) return;
  if (selecting && (e.key !== 'Enter' || e.target.tagName !== 'BUTTON') && selectKey(e)) return;
  if (e.key === 'Enter' && ['BUTTON', 'A', 'INPUT'].includes(e.target.tagName)) return;
  const letter = $('letters').checked;
  let act;
  if (e.key === 'Enter') act = finish;
  else if (e.key === 'ArrowRight' || e.key === 'ArrowLeft') act = () => step(e.key === 'ArrowRight' ? 1 : -1);
  else if (letter && e.key === ']') act = () => turn(1);
  else if (letter && e.key === '[') act = () => turn(-1);
  else if (letter && e.key === '?') act = () => $('keys').showModal();
  else if (letter && keys[e.key]) act = actions[keys[e.key]];
  if (!act) return;
  e.preventDefault();
  perform(act);
});

for (const b of document.querySelectorAll('[data-do]')) {
  b.addEventListener('mousedown', e => e.preventDefault()); // a selection in the text stays
  b.addEventListener('click', () => perform(actions[b.dataset.do]));
}
$('previous').addEventListener('click', () => perform(() => turn(-1)));
$('next').addEventListener('click', () => perform(() => turn(1)));
$('help').addEventListener('click', () => $('keys').showModal());
$('keys-close').addEventListener('click', () => $('keys').close());
$('reveal-yes').addEventListener('click', () => { $('reveal').close(); perform(reveal); });
$('reveal-no').addEventListener('click', () => $('reveal').close());
text.addEventListener('click', e => {
  const m = e.target.closest('mark');
  if (!m || !getSelection().isCollapsed || m.classList.contains('settled')) return;
  current = Number(m.dataset.item);
  point();
});
text.addEventListener('mousedown', leaveSelecting);

// What another tab or the command decided in the meantime is seen on coming back.
document.addEventListener('visibilitychange', () => {
  if (document.hidden || !note || working || document.querySelector('dialog[open]')) return;
  perform(async () => {
    const { ok, value } = await call('api/review').catch(() => ({}));
    if (ok) { review = value; await open(note.note, true); }
  });
});

(async () => {
  const { ok, value } = await call('api/review').catch(() => ({ value: { problem: 'The program does not answer.' } }));
  if (!ok) { say(value.problem); return; }
  review = value;
  const asked = Number(location.hash.slice(1)) - 1, first = review.finished.indexOf(false);
  await open(asked >= 0 && asked < review.finished.length ? asked : Math.max(first, 0));
  document.body.dataset.ready = 'yes';
})();
