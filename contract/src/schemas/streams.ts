/** How a client takes up an event stream where it left it. */
import { z } from 'zod'

/** Fifteen digits: every position that fits is an exact number. */
const position = /^(?:0|[1-9][0-9]{0,14})$/

/** Query strings carry text only; `wire` is the value as the caller thinks of it. */
const After = z
  .string()
  .regex(position, 'Send a whole number of at most 15 digits.')
  .transform(Number)
  .meta({
    wire: {
      type: 'integer',
      minimum: 0,
      maximum: 999_999_999_999_999,
      description: 'Begin after this position. Last-Event-ID takes precedence if you send both.',
    },
  })

export const streamQuery = z.strictObject({ after: After.optional() })

/** A client that reconnects sends its last position here, while its address still carries the first one. */
export const streamHeaders = {
  'Last-Event-ID': z
    .string()
    .regex(position, 'Send the `id` of an event of this stream.')
    .meta({ description: 'The `id` of the last event that was received.', examples: ['42'] }),
} as const

/** On the stream of all scopes a position is opaque: it names what was written together and a place in it. */
const kernelPosition = /^[0-9a-z.-]{1,200}$/

const KernelPosition = z
  .string()
  .regex(kernelPosition, 'Send the `id` of an event of this stream.')
  .meta({ description: 'The `id` of an event of this stream, unchanged.' })

export const kernelStreamQuery = z.strictObject({ after: KernelPosition.optional() })

export const kernelStreamHeaders = { 'Last-Event-ID': KernelPosition } as const
