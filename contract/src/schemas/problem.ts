/** The problem document (RFC 9457): the one shape of everything that goes wrong. */
import { z } from 'zod'
import { problemCodes } from '../problems.ts'

const Fault = z.strictObject({
  pointer: z.string().meta({
    description:
      'JSON Pointer to the faulty value: `#/…` in the body, `path#/…`, `query#/…` and `header#/…` elsewhere. For ' +
      'blockers in the scope: `/documents/…`, `/contradictions/…`, `/policies/…`.',
    examples: ['#/text', 'query#/limit'],
  }),
  code: z.string().meta({ description: 'The rule that was broken.', examples: ['too_long'] }),
  message: z.string().meta({ description: 'What to send instead.' }),
})

export const Problem = z
  .strictObject({
    type: z.string().meta({ description: 'Address of the explanation of the code: /problems/{code}.' }),
    title: z.string().meta({
      description: 'What went wrong, in a few words that are the same for every problem with this code.',
    }),
    status: z.int().min(400).max(599).meta({ description: 'The HTTP status of the answer.' }),
    detail: z.string().meta({ description: 'What to do next.' }),
    instance: z.string().meta({ description: 'Names this occurrence, by its request_id.' }),
    code: z.enum(problemCodes).meta({ description: 'A stable code of what went wrong; branch on it.' }),
    request_id: z
      .string()
      .meta({ description: 'The same as X-Request-Id; include it when you report a fault.' }),
    errors: z.array(Fault).optional().meta({ description: 'Details, if `code` covers several faults.' }),
  })
  .meta({ id: 'Problem' })
