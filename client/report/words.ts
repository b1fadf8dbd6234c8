/** Words of others on a terminal and in reports. */

/**
 * Words of others must not steer the terminal, nor turn the direction of what stands beside them: control characters (C0, DEL,
 * C1) become spaces, characters that are not seen go. Line feeds stay.
 */
export function stripControls(text: string): string {
  return text.replaceAll(/\p{Cf}/gu, '').replaceAll(/[^\P{Cc}\n]/gu, ' ')
}

export function oneLine(text: string): string {
  return stripControls(text).replaceAll(/\s+/gu, ' ').trim()
}

/** JSON that a terminal may show: it escapes C0 by itself; DEL, C1 and characters that are not seen are escaped here. */
export function toPlainJson(value: unknown): string {
  return escapeJson(JSON.stringify(value))
}

/** The same for text that is JSON already, in one line or in several. */
export function escapeJson(json: string): string {
  return json.replaceAll(/[^\P{Cc}\n]|\p{Cf}/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}

export function plural(count: number, one: string): string {
  return `${inThousands(count)} ${one}${count === 1 ? '' : 's'}`
}

export function inThousands(count: number): string {
  return count.toLocaleString('en-US')
}

/** A share with two decimals, rounded down: 1.00 means all. */
export function shareText(share: number): string {
  return (Math.floor(share * 100 + 1e-9) / 100).toFixed(2)
}
