import type { Page } from '@playwright/test';

/** A picture of the page as it is, so many pixels wide, as WebP: the browser itself packs what it painted. */
export const webpOf = async (packer: Page, page: Page, width: number): Promise<Buffer> => {
  const painted = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const packed = await packer.evaluate<string>(`(async () => {
    const bytes = Uint8Array.from(atob('${painted.toString('base64')}'), (sign) => sign.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }), { resizeWidth: ${width}, resizeQuality: 'high' });
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d').drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.6 });
    return new Promise((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result.split(',')[1]);
      reader.readAsDataURL(blob);
    });
  })()`);
  return Buffer.from(packed, 'base64');
};
