import { expect, sceneOf, test } from './demo.ts';

test('QUAL-18 the sign-in asks for no chunk of what comes after it', async ({ viewOf }) => {
  const { page, goTo } = await viewOf('nobody');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await goTo(sceneOf('login'));
  expect(asked).toContainEqual(expect.stringMatching(/\/login-page|\/index/u));
  expect(asked.filter((path) => /shell|dashboard|placements|recharts|chart/u.test(path))).toEqual([]);
});
