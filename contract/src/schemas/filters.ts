/** Filters of lists: query strings carry text only, so several values stand in one parameter separated by commas. */
import { z } from 'zod'
import { text } from '../text.ts'
import { Timestamp } from './identity.ts'

interface Named<Value extends string> {
  readonly id: string
  readonly options: readonly Value[]
  readonly description: string
}

/** One or several values of a closed list. `wire` is what the OpenAPI document says of it. */
export function listOf<const Value extends string>({ id, options, description }: Named<Value>) {
  const one = { $ref: `#/$defs/${id}` }
  return z
    .string()
    .transform((sent, context): readonly Value[] => {
      const values = new Set(sent.split(','))
      const known = options.filter((value) => values.has(value))
      if (known.length === values.size) return known
      context.issues.push({
        code: 'custom',
        input: sent,
        params: { code: 'not_allowed' },
        message: `Send one or several of ${options.join(', ')}, separated by commas.`,
      })
      return z.NEVER
    })
    .meta({
      description: `${description} One or several of ${options.join(', ')}, separated by commas.`,
      wire: {
        description,
        anyOf: [one, { type: 'array', minItems: 1, items: one }],
      },
    })
}

/** The beginning of a text field. */
export function beginningOf(field: string, max: number) {
  return text({
    min: 1,
    max,
    description: `Only documents whose ${field} starts with this text, ignoring case.`,
    example: 'annual report',
  })
}

/** Words that are looked for, each of which must begin a word of the text. */
export function wordsIn(what: string, example: string) {
  const description = `Only claims where each of these words is the beginning of a word of ${what}, ignoring case and accents.`
  return text({ min: 1, max: 200, description, example })
}

/** A month or a day with its zero; a second part names the last day. */
const PERIOD =
  /^[12][0-9]{3}(?:-(?:H[12]|Q[1-4]|(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?))?(?:\/[12][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01]))?$/

export const PeriodFilter = text({
  min: 4,
  max: 21,
  pattern: PERIOD,
  description:
    'Only claims about a period that overlaps this one: a year, a half, a quarter, a month, a day, or the first ' +
    'and the last day separated by a slash.',
  example: '2025-Q3',
})

export const UpdatedSince = Timestamp.meta({
  description: 'Only documents that changed at this instant or later.',
  examples: ['2026-11-15T09:30:00.000Z'],
})
