/** Every served route, with every kind of credential, in every way of authenticating: one cell each. */
import { REPLAYED } from './credentials.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import { attack, castOf, describeAttempt, provenTenant } from './requests.ts'
import type { Attempt } from './requests.ts'
import type { ServedRoute } from './routes.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { authModes } from './service.ts'
import type { IsolationStage } from './stage.ts'
import { existingValues, expendableValues } from './valid-values.ts'

const AT_ONCE = 8

/**
 * A short run leaves out, of the second and third mode, the routes on which a mode makes no difference; and of every
 * route but the first of its class all but a ninth of the refusals, which the seed decides.
 */
export async function proveMatrix({ figures, short, seed }: ProofRun, stage: IsolationStage): Promise<void> {
  const { expectations, routes, twins } = stage
  const cells = authModes
    .flatMap((mode) => routes.flatMap((route) => expectations.kinds.map((kind) => ({ mode, route, kind }))))
    .filter((cell, at) => !short || isInShort(stage, cell, at + seed))
  const deviations: string[] = []
  let foreignBytes = 0
  await inParallel(cells, AT_ONCE, async (cell, replica) => {
    const expected = expectations.outcome(cell.kind, { class: cell.route.class, mode: cell.mode })
    // A replayed request was admitted the first time.
    const admits = typeof expected !== 'number' || cell.kind === REPLAYED
    const values = admits
      ? await expendableValues(stage, cell.route, provenTenant(castOf(stage, 'left'), expected) ?? twins.left)
      : existingValues(cell.route, twins.left)
    const attempt: Attempt = { ...cell, values, own: 'left', replica }
    const { response, foreign } = await attack(stage, attempt)
    foreignBytes += foreign.bytes
    const wanted = typeof expected === 'number' ? [expected] : successesOf(cell.route)
    if (!wanted.includes(response.status))
      deviations.push(
        `${describeAttempt(attempt)} answered ${response.status} instead of ${wanted.join(' or ')}`,
      )
    if (foreign.bytes > 0) deviations.push(`${describeAttempt(attempt)} showed ${foreign.marks.join(', ')}`)
  })
  figures.atLeast('matrix cells', cells.length, short ? 2_000 : 8_000)
  figures.none('deviations', deviations)
  figures.exactly('foreign bytes in the matrix', foreignBytes, 0)
}

/** Policies are written meanwhile, and then the same declaration makes another certificate. */
function successesOf({ operation, success, otherSuccesses }: ServedRoute): readonly number[] {
  return operation === 'declareSettled' ? [success, ...otherSuccesses] : [success]
}

type Cell = Pick<Attempt, 'mode' | 'route' | 'kind'>

function isInShort(
  { routes, expectations }: IsolationStage,
  { mode, route, kind }: Cell,
  at: number,
): boolean {
  if (mode !== 'key' && !route.class.startsWith('api')) return false
  const isFirst = routes.find((each) => each.class === route.class) === route
  const isAdmitted = typeof expectations.outcome(kind, { class: route.class, mode }) !== 'number'
  return isFirst || isAdmitted || at % 9 === 0
}
