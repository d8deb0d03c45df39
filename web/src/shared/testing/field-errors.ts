const described = (element: Element): readonly (Element | null)[] =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .filter((id) => id !== '')
    .map((id) => element.ownerDocument.getElementById(id));

/** Errors below the element that no wrong field names as its description, and wrong fields that name no error; a line for each. */
export const untiedErrors = (root: ParentNode): readonly string[] => {
  const wrong = [...root.querySelectorAll('[aria-invalid="true"]')];
  const named = new Set(wrong.flatMap(described));
  const texts = [...root.querySelectorAll('.z-field-error')].filter((error) => !named.has(error));
  const fields = wrong.filter((field) => !described(field).some((message) => message?.textContent?.trim()));
  return [
    ...texts.map((error) => `no field names the error «${error.textContent}»`),
    ...fields.map((field) => `no error is named by ${field.outerHTML.slice(0, 120)}`),
  ];
};
