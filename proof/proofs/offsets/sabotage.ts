/** What each part of the proof must notice. */
import type { Mutation } from '../../harness/mutation.ts'

export interface Sabotage {
  readonly mutation: Mutation
  /** What has to notice it. */
  readonly part: 'quotes' | 'time' | 'service'
}

export const SABOTAGES: readonly Sabotage[] = [
  {
    part: 'quotes',
    mutation: {
      name: 'claims are quoted without their last character',
      files: 'service/src/reading/claims/build.ts',
      find: 'quote: text.slice(span[0], span[1]),',
      replace: 'quote: text.slice(span[0], span[1] - 1),',
    },
  },
  {
    part: 'time',
    mutation: {
      name: 'every line looks back at all lines before it',
      files: 'service/src/reading/lines.ts',
      find: 'const counts = countSigns(text, from, to)',
      // What is added up is used, or nobody would take the trouble to add it up.
      replace: `let behind = 0
  for (let at = 0; at < from; at += 2) behind += text.charCodeAt(at)
  const counts = countSigns(text, from, behind < 0 ? from : to)`,
    },
  },
  {
    part: 'service',
    mutation: {
      name: 'offsets leave the service in UTF-16 units',
      files: 'service/src/reading/code-points.ts',
      find: 'if (!SURROGATE.test(text)) return claims',
      replace: 'if (SURROGATE.source !== text) return claims',
    },
  },
]
