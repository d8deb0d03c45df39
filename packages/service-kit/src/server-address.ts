/** Where a connection string leads, `host:port` or several with commas, without name, password, database and options. */
export const serverAddress = (url: string): string => {
  const beyondScheme = url.slice(url.indexOf('://') + 3);
  // A password may hold any character, so everything up to the last `@` counts as one.
  const beyondPassword = beyondScheme.slice(beyondScheme.lastIndexOf('@') + 1);
  return beyondPassword.split(/[/?]/u, 1)[0] ?? '';
};

/** A text in which the connection string, and the name and password in it, are replaced. */
export const withoutSecrets = (text: string, url: string): string => {
  const host = serverAddress(url);
  const beyondScheme = url.slice(url.indexOf('://') + 3);
  const person = beyondScheme.slice(0, Math.max(0, beyondScheme.lastIndexOf('@')));
  const password = person.slice(person.indexOf(':') + 1);
  const hidden = [url, person, password, decoded(password)].filter((secret) => secret !== '');
  return hidden.reduce((clean, secret) => clean.replaceAll(secret, secret === url ? host : '***'), text);
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
