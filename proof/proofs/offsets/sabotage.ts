/** The mutations that each part of the proof must notice. */
import { always, rewrite, rewriteValue } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'

export interface Sabotage {
  readonly mutation: Mutation
  /** The part that has to notice it. */
  readonly part: 'quotes' | 'time' | 'service'
}

/** The text and the beginning of the line are what signs are counted in. What is added up is used, or it would not be. */
function lookBack(counting: string): string {
  const [text, from] = /\((.*)\)/.exec(counting)?.[1]?.split(', ') ?? []
  return `let behind = 0
  for (let at = 0; at < ${from}; at += 2) behind += ${text}.charCodeAt(at)
  ${counting.replace(/(\w+)\)$/, `behind < 0 ? ${from} : $1)`)}`
}

export const SABOTAGES: readonly Sabotage[] = [
  {
    part: 'quotes',
    mutation: {
      name: 'claims are quoted without their last character',
      at: 'reading.quote',
      change: rewriteValue((quote) => `${quote}.slice(0, -1)`),
    },
  },
  {
    part: 'time',
    mutation: {
      name: 'every line looks back at all lines before it',
      at: 'reading.line',
      change: rewrite(lookBack),
    },
  },
  {
    part: 'service',
    mutation: {
      name: 'offsets leave the service in UTF-16 units',
      at: 'reading.offsets',
      change: always,
    },
  },
]
