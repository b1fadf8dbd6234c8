/** Every served route, with every kind of credential, in every way of authenticating: one cell each. */
import { credentialKinds, REPLAYED } from './credentials.ts'
import { authModes } from './auth-modes.ts'
import type { Outcome } from './expectations.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import { attack, castOf, describeAttempt, provenTenant } from './requests.ts'
import type { Attempt, Values } from './requests.ts'
import type { ServedRoute } from './routes.ts'
import type { Stage } from './stage.ts'
import {
  existingValues,
  expendableContradiction,
  expendableDocument,
  expendableScope,
  expendableTenant,
} from './valid-values.ts'

export interface MatrixFindings {
  readonly cells: number
  /** Each a sentence with the request in it. */
  readonly deviations: readonly string[]
  readonly foreignBytes: number
}

const AT_ONCE = 8

export interface MatrixOptions {
  /**
   * Leaves out, of the second and third mode, the routes on which a mode makes no difference; and of every route but
   * the first of its class two thirds of the refusals, which thirds the seed decides.
   */
  readonly short: boolean
  readonly seed: number
}

export async function runMatrix(stage: Stage, options: MatrixOptions): Promise<MatrixFindings> {
  const cells = authModes
    .flatMap((mode) =>
      stage.routes.flatMap((route) => credentialKinds.map((kind) => ({ mode, route, kind }))),
    )
    .filter((cell, at) => !options.short || isInShort(stage, cell, at + options.seed))
  const { left } = stage.twins
  const deviations: string[] = []
  let foreignBytes = 0
  await inParallel(cells, AT_ONCE, async (cell, replica) => {
    const expected = stage.expectations.outcome(cell.kind, { class: cell.route.class, mode: cell.mode })
    // What is replayed was admitted the first time.
    const admits = typeof expected !== 'number' || cell.kind === REPLAYED
    const values = admits ? await valuesFor(stage, cell.route, expected) : existingValues(cell.route, left)
    const attempt: Attempt = { ...cell, values, own: 'left', replica }
    const { answer, foreign } = await attack(stage, attempt)
    foreignBytes += foreign.bytes
    const wanted = typeof expected === 'number' ? [expected] : successesOf(cell.route)
    if (!wanted.includes(answer.status))
      deviations.push(
        `${describeAttempt(attempt)} answered ${answer.status} instead of ${wanted.join(' or ')}`,
      )
    if (foreign.bytes > 0) deviations.push(`${describeAttempt(attempt)} showed ${foreign.marks.join(', ')}`)
  })
  return { cells: cells.length, deviations, foreignBytes }
}

/** Policies are written meanwhile, and then the same declaration makes another certificate. */
function successesOf({ operation, success, otherSuccesses }: ServedRoute): readonly number[] {
  return operation === 'declareSettled' ? [success, ...otherSuccesses] : [success]
}

type Cell = Pick<Attempt, 'mode' | 'route' | 'kind'>

function isInShort({ routes, expectations }: Stage, { mode, route, kind }: Cell, at: number): boolean {
  if (mode !== 'key' && !route.class.startsWith('api')) return false
  const isFirst = routes.find((each) => each.class === route.class) === route
  const isAdmitted = typeof expectations.outcome(kind, { class: route.class, mode }) !== 'number'
  return isFirst || isAdmitted || at % 3 === 0
}

/** A refused request changes nothing, so only admitted ones need something to spend. */
async function valuesFor(stage: Stage, route: ServedRoute, expected: Outcome): Promise<Values> {
  const { left } = stage.twins
  const twin = provenTenant(castOf(stage, 'left'), expected) ?? left
  if (route.method === 'GET') return existingValues(route, twin)
  if (route.parameters.includes('tenantId')) return expendableTenant(stage, route)
  if (route.parameters.includes('documentId')) return expendableDocument(stage, route, twin)
  if (route.parameters.includes('contradictionId')) return expendableContradiction(stage, route, twin)
  if (route.operation === 'deleteScope') return expendableScope(stage, route, twin)
  return existingValues(route, left)
}
