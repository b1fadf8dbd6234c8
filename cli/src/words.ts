/** Words of others on our terminal. */

/** Words of a document must not steer the terminal, nor turn the direction of what stands beside them. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}

export function plural(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}
