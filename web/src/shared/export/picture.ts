const background = '--card';

/** Values of the page's own properties, which a picture taken out of the page no longer has. */
const withColours = (markup: string, style: CSSStyleDeclaration): string =>
  markup.replaceAll(/var\((--[\w-]+)\)/gu, (_, name: string) => style.getPropertyValue(name).trim());

const loaded = (address: string): Promise<HTMLImageElement> =>
  new Promise((resolve, reject) => {
    const image = new Image();
    image.addEventListener('load', () => resolve(image), { once: true });
    image.addEventListener('error', () => reject(new Error('Картинка не нарисовалась')), { once: true });
    image.src = address;
  });

/** A drawn chart as PNG in twice its size on the colour of its card. */
export const pngOf = async (chart: SVGSVGElement): Promise<Blob> => {
  const { width, height } = chart.getBoundingClientRect();
  const style = getComputedStyle(document.documentElement);
  const copy = chart.cloneNode(true) as SVGSVGElement;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  copy.style.fontFamily = style.fontFamily;
  const markup = withColours(new XMLSerializer().serializeToString(copy), style);
  const image = await loaded(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(markup)}`);
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width * 2);
  canvas.height = Math.ceil(height * 2);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('Браузер не рисует картинок');
  context.fillStyle = style.getPropertyValue(background).trim();
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('Картинка не получилась'))), 'image/png');
  });
};
