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
  summary: 'Is the process alive',
  description: 'Asks nothing of any dependency. Restart the process when this stops answering.',
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
  summary: 'May traffic be sent here',
  description: 'Answers 503 while a part the service cannot do without is missing, and while it drains.',
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
  summary: 'This document',
  description: 'The contract of exactly the routes that this process serves.',
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
  summary: 'The contract as a page for people',
  description: 'Rendered from /openapi.json; loads nothing from elsewhere.',
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
  summary: 'What a problem code means and what to do about it',
  description: 'The address in the `type` of every problem document leads here.',
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
