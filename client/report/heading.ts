/** The subject of a contradiction, in one line. */
import type { Contradiction } from '../src/index.ts'
import { oneLine } from './words.ts'

export function headingOf({ title, kind, entity, attribute, period, a, b }: Contradiction): string {
  if (title !== null) return oneLine(title)
  if (kind === 'reported') return oneLine(`${a.source} and ${b.source}`)
  const about = [entity, attribute].filter((each) => each !== null && each !== '').join(': ')
  return oneLine(period === null ? about : `${about}, ${period}`)
}
