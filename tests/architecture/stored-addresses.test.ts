import { expect, test } from 'vitest';
import { repositoryFiles, textOf } from './repository-files.ts';

/** What in the pages may stand where a browser reads an address, and why it cannot be a program that somebody stored. */
const addresses: Readonly<Record<string, readonly string[]>> = {
  // As `parsePostUrl` gives it: https://t.me/ and nothing else.
  'web/src/features/placements/columns/placement-columns.tsx': ["window.open(post, '_blank', 'noreferrer')"],
  'web/src/features/placements/columns/placement-marks.tsx': ['href={post}'],
  // Only when `isPictureInText` says so.
  'web/src/features/settings/channel-avatar.tsx': ['src={avatar}'],
  // `URL.createObjectURL` of what is drawn here.
  'web/src/shared/export/picture.ts': ['.src = address'],
  // `URL.createObjectURL` of a file that was fetched.
  'web/src/shared/export/save-file.ts': ['.href = address'],
};
const place =
  /\b(?:href|src|srcSet|srcDoc|formAction|xlinkHref)=\{[^}]*\}|\.(?:href|src|srcdoc) = [^;]+|window\.open\([^)]*\)|dangerouslySetInnerHTML|\.innerHTML = [^;]+/gu;

test('CHN-1415 no stored text becomes an address in the pages without being looked at', () => {
  const found = Object.fromEntries(
    repositoryFiles()
      .filter((path) => path.startsWith('web/src/') && /\.tsx?$/u.test(path) && !path.includes('.test.'))
      .flatMap((path) => {
        const places = [...textOf(path).matchAll(place)].map(([text]) => text);
        return places.length === 0 ? [] : [[path, places]];
      }),
  );
  expect(found).toEqual(addresses);
});
