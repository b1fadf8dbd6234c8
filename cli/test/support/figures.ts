/** More figures than the reader takes from one document. */
export function manyFigures(count: number): string {
  const lines = Array.from({ length: count }, (_, at) => `Site ${at} had ${at + 10} employees in 2025.`)
  return `${lines.join('\n\n')}\n`
}
