/** A short name for a requirement: two to four telling words. Pure; any text gives a usable name. */
const fillers = new Set(
  'a an and are as at be by can could do does for from get has have i if in into is it its let lets make me my of on or our please should so some that the then there this to us use want we when which will with would you your'.split(
    ' ',
  ),
);

export function makeSlug(requirement: string): string {
  const words = requirement
    .normalize('NFKD')
    .replaceAll(/\p{Mark}+/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && word.length <= 20);
  const telling = words.filter((word) => !fillers.has(word));
  const chosen = (telling.length >= 2 ? telling : words).slice(0, 4);
  return chosen.join('-').slice(0, 40).replace(/-$/, '') || 'run';
}
