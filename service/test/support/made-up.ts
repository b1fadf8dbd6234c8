/** Operations that exist in no contract, for tests of what the server does with any operation. */
import { z } from 'zod'
import type { Operation } from '@concord/contract'
import type { RouteAnswer, RequiredAuth, RouteInput, Route } from '../../src/http/route.ts'

export type MadeUp = Partial<Operation> & Pick<Operation, 'path'>

export interface MadeUpRoute {
  readonly operation: Operation
  readonly auth: RequiredAuth
  readonly answer: (input: RouteInput<Operation, unknown>) => Promise<RouteAnswer> | RouteAnswer
}

export function madeUpOperation(parts: MadeUp): Operation {
  return {
    name: 'madeUp',
    method: 'GET',
    tier: 'open',
    served: false,
    summary: 'Made up',
    description: 'For a test.',
    answers: { 200: z.looseObject({}) },
    problems: [],
    ...parts,
  }
}

export function madeUpRoute(
  parts: MadeUp,
  auth: RequiredAuth = 'none',
  answer: MadeUpRoute['answer'] = () => ({ status: 200, body: {} }),
): Route {
  return { operation: madeUpOperation(parts), auth, answer: async (input) => answer(input) }
}
