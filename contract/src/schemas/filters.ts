/** Filters of lists: query strings carry text only, so several values stand in one parameter with commas between. */
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
        message: `Send one or several of ${options.join(', ')}, with commas between.`,
      })
      return z.NEVER
    })
    .meta({
      description: `${description} One or several of ${options.join(', ')}, with commas between.`,
      wire: {
        description,
        anyOf: [one, { type: 'array', minItems: 1, items: one }],
      },
    })
}

/** What a text field begins with. */
export function beginningOf(field: string, max: number) {
  return text({
    min: 1,
    max,
    description: `Only those whose ${field} begins with this, in upper or lower case.`,
    example: 'annual report',
  })
}

export const UpdatedSince = Timestamp.meta({
  description: 'Only those that changed at this instant or later.',
  examples: ['2026-11-15T09:30:00.000Z'],
})
