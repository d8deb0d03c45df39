// The yardstick of P10: a list written by hand. As many rows as fit stand in the page, absolutely positioned, and are filled anew as it is
// scrolled; a change that arrives replaces its row, and the texts of it where it is in sight.

const rowHeight = 32;
const overscan = 6;
const months = 'января февраля марта апреля мая июня июля августа сентября октября ноября декабря'.split(' ');
const weekdays = 'воскресенье понедельник вторник среда четверг пятница суббота'.split(' ');
const grouped = (value) => value.toFixed(value % 1 === 0 ? 0 : 2).replace(/\B(?=(?:\d{3})+(?!\d))/g, '\u00a0');
const dayText = (date) => {
  const day = new Date(`${date}T00:00:00Z`);
  return `${day.getUTCDate()} ${months[day.getUTCMonth()]} | ${weekdays[day.getUTCDay()]}`.toUpperCase();
};
const textsOf = (row, index) => [
  String(index + 1),
  dayText(row.date),
  row.nick,
  `${grouped(row.price)} ₽`,
  grouped(row.leads),
  row.leads === 0 ? '—' : `${grouped(row.price / row.leads)} ₽`,
  row.creative,
  row.topic,
  row.format,
  row.buyer,
  row.paid ? 'Оплачено' : 'Не оплачено',
];

const asked = new URLSearchParams(location.search);
const list = document.querySelector('#list');
list.style.width = `${asked.get('width')}px`;
list.style.height = `${asked.get('height')}px`;
const rows = await (await fetch('rows.json')).json();
const places = new Map(rows.map((row, index) => [row.id, index]));
const body = document.querySelector('#rows');
body.style.height = `${rows.length * rowHeight}px`;

const pool = Array.from({ length: Math.ceil(list.clientHeight / rowHeight) + 2 * overscan + 1 }, () => {
  const element = document.createElement('div');
  element.className = 'row';
  const cells = textsOf(rows[0], 0).map(() => element.appendChild(document.createElement('span')));
  body.append(element);
  return { element, cells, index: -1 };
});
const fill = (slot) => {
  for (const [column, text] of textsOf(rows[slot.index], slot.index).entries())
    if (slot.cells[column].textContent !== text) slot.cells[column].textContent = text;
};
const show = () => {
  const first = Math.max(0, Math.floor(list.scrollTop / rowHeight) - overscan);
  for (let index = first; index < Math.min(rows.length, first + pool.length); index += 1) {
    const slot = pool[index % pool.length];
    if (slot.index === index) continue;
    slot.index = index;
    slot.element.style.transform = `translateY(${index * rowHeight}px)`;
    fill(slot);
  }
};
list.addEventListener('scroll', show);
show();

new WebSocket(`ws://127.0.0.1:${asked.get('feed')}`).addEventListener('message', ({ data }) => {
  const { id, price } = JSON.parse(data);
  const index = places.get(id);
  rows[index] = { ...rows[index], price };
  const slot = pool[index % pool.length];
  if (slot.index === index) fill(slot);
});
document.documentElement.dataset.ready = '';
