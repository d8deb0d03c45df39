/** What elements of one kind may differ in: what they name, point at or count. */
const varying =
  'id for name href src value d title datetime alt transform points aria-label aria-labelledby aria-describedby aria-controls aria-owns aria-activedescendant aria-rowindex aria-colindex aria-posinset aria-setsize aria-valuenow aria-valuetext data-row data-column data-index data-event data-label'.split(
    ' ',
  );

/**
 * A text, as the page runs it: elements of a table or list that are built as two before them, in tags, classes, roles, states and colours,
 * their own and those of what they lie in, with other words. What is wrong with one is wrong with the two that are left.
 */
export const repeatedSource = `(() => {
  const varying = new Set(${JSON.stringify(varying)});
  const list = 'table, [role=grid], ul, ol, dl, select';
  const looks = /color|background|border|fill|stroke|opacity|visibility|display|font/u;
  const styleOf = ({ style }) => [...style].filter((name) => looks.test(name)).map((name) => name + ':' + style.getPropertyValue(name)).join(';');
  const valueOf = (element, { name, value }) => {
    if (name === 'style') return styleOf(element);
    return varying.has(name) ? String(value === '') : value;
  };
  const numbers = new Map();
  const numberOf = (text) => {
    if (!numbers.has(text)) numbers.set(text, numbers.size);
    return numbers.get(text);
  };
  const all = [...document.body.querySelectorAll('*')];
  const shells = new Map();
  const kinds = new Map();
  const partOf = (node) => (node.nodeType === Node.TEXT_NODE && node.data.trim() !== '' ? 'text' : (kinds.get(node) ?? ''));
  for (const element of all.toReversed()) {
    const attributes = [...element.attributes].map((one) => one.name + '=' + valueOf(element, one)).sort();
    shells.set(element, numberOf([element.localName, ...attributes, element.disabled, element.checked, element.open].join(' ')));
    kinds.set(element, numberOf([shells.get(element), '>', ...[...element.childNodes].map(partOf)].join(' ')));
  }
  const focused = document.activeElement;
  const places = new Map();
  const counts = new Map();
  return all.filter((element) => {
    const around = element.parentElement;
    if (!places.has(around)) places.set(around, 'of ' + places.size);
    const isInList = around.closest(list) !== null;
    places.set(element, element.matches(list) || !isInList ? 'of ' + places.size : places.get(around) + '/' + shells.get(element));
    const key = places.get(around) + '>' + kinds.get(element);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return isInList && count >= 2 && !element.contains(focused);
  });
})()`;
