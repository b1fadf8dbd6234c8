/** Names of months: `31. December` opens no list, `Jan. 14` ends no sentence. */

export const months: ReadonlySet<string> = new Set(
  (
    'january february march april may june july august september october november december ' +
    'januar februar märz mai juni juli oktober dezember janvier février mars avril juin juillet août septembre octobre ' +
    'novembre décembre januari februari maart augustus enero febrero marzo abril mayo junio julio agosto octubre'
  ).split(' '),
)

export const shortMonths = 'jan feb mar apr jun jul aug sep sept oct nov dec'.split(' ')
