/** From the offsets of the contract, which count code points, to those of strings here, which count UTF-16 units. */

export type ToUnits = (codePoints: number) => number

export function unitsOf(text: string): ToUnits {
  const starts: number[] = []
  let at = 0
  for (const character of text) {
    starts.push(at)
    at += character.length
  }
  return (codePoints) => starts[codePoints] ?? text.length
}
