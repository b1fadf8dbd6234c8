import { isProblemCode, operations, problems } from '@concord/contract'
import { Fault } from '../../domain/fault.ts'
import { openRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function describeProblem(): Route {
  return openRoute(operations.describeProblem, ({ params: { code } }) => {
    if (!isProblemCode(code)) throw new Fault('problem_not_found')
    return { status: 200, body: { code, ...problems[code] } }
  })
}
