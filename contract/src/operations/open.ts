/** The operations for anyone, without a credential: is it alive, is it ready, what does it offer. */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { Liveness, Readiness } from '../schemas/health.ts'
import { text } from '../text.ts'

export const getLiveness = operation({
  name: 'getLiveness',
  method: 'GET',
  path: '/livez',
  tier: 'open',
  served: true,
  extension: true,
  summary: 'Check that the process is alive',
  description: 'Checks no dependency. Restart the process if this route stops answering.',
  answers: { 200: Liveness },
  problems: [],
  noStore: true,
})

export const getReadiness = operation({
  name: 'getReadiness',
  method: 'GET',
  path: '/readyz',
  tier: 'open',
  served: true,
  extension: true,
  summary: 'Check that the process is ready',
  description: 'Answers 503 while a required dependency is unavailable, and while the process drains.',
  answers: { 200: Readiness, 503: Readiness },
  problems: [],
  noStore: true,
})

export const getOpenApi = operation({
  name: 'getOpenApi',
  method: 'GET',
  path: '/openapi.json',
  tier: 'open',
  served: true,
  extension: true,
  summary: 'Read the OpenAPI document',
  description: 'The contract of the routes that this process serves.',
  answers: {
    200: z.looseObject({
      openapi: z
        .string()
        .meta({ description: 'The version of the OpenAPI specification that the document follows.' }),
    }),
  },
  problems: [],
})

export const getReference = operation({
  name: 'getReference',
  method: 'GET',
  path: '/docs',
  tier: 'open',
  served: true,
  extension: true,
  summary: 'Read the API reference as HTML',
  description: 'Rendered from /openapi.json. The page loads no external resources.',
  answers: { 200: 'html' },
  problems: [],
})

export const describeProblem = operation({
  name: 'describeProblem',
  method: 'GET',
  path: '/problems/{code}',
  tier: 'open',
  served: true,
  extension: true,
  summary: 'Explain a problem code',
  description: 'The `type` of every problem document is the address of this route.',
  params: z.strictObject({
    code: text({
      min: 1,
      max: 60,
      pattern: /^[a-z_]+$/,
      description: 'The `code` of the problem.',
      example: 'scope_not_found',
    }),
  }),
  answers: {
    200: z.strictObject({
      code: z.string().meta({ description: 'The `code` of the problem.' }),
      status: z.int().meta({ description: 'The HTTP status of the problem.' }),
      title: z.string().meta({ description: 'What went wrong, in a few words.' }),
      detail: z.string().meta({ description: 'What to do about it.' }),
    }),
  },
  problems: ['problem_not_found'],
})
