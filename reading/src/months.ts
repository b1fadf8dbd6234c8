/** The names of the months, the only list of them for both readers. */

/** In English, January first. */
export const monthNames: readonly string[] =
  'january february march april may june july august september october november december'.split(' ')

/** Abbreviations of them, which may end in a full stop: `Jan. 14` ends no sentence. */
export const shortMonths: readonly string[] = 'jan feb mar apr jun jul aug sep sept oct nov dec'.split(' ')

/** Also those of other languages that are spelled otherwise: `31. Dezember` opens no list. */
export const monthsOfAllLanguages: ReadonlySet<string> = new Set([
  ...monthNames,
  ...(
    'januar februar märz mai juni juli oktober dezember janvier février mars avril juin juillet août septembre octobre ' +
    'novembre décembre januari februari maart augustus enero febrero marzo abril mayo junio julio agosto octubre'
  ).split(' '),
])

/** The number of a month by its English name or abbreviation, from 1. */
export function monthNumber(word: string): number {
  return monthNames.findIndex((name) => name.startsWith(word.slice(0, 3))) + 1
}
