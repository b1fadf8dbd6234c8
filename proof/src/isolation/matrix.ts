/** Every served route, with every kind of credential, in every way of authenticating: one cell each. */
import { credentialKinds } from './credentials.ts'
import { authModes } from './expectations.ts'
import type { Outcome } from './expectations.ts'
import { inParallel } from './in-parallel.ts'
import { attack, describeAttempt } from './requests.ts'
import type { Attempt } from './requests.ts'
import type { ServedRoute } from './routes.ts'
import type { Stage } from './stage.ts'
import { existingValues, expendableValues } from './valid-values.ts'

export interface MatrixFindings {
  readonly cells: number
  /** Each a sentence with the request in it. */
  readonly deviations: readonly string[]
  readonly foreignBytes: number
}

const AT_ONCE = 8

/** `short` leaves out, of the second and third mode, the routes on which a mode makes no difference. */
export async function runMatrix(
  stage: Stage,
  { short }: { readonly short: boolean },
): Promise<MatrixFindings> {
  const cells = authModes.flatMap((mode) =>
    stage.routes
      .filter((route) => !short || mode === 'key' || route.class === 'api')
      .flatMap((route) => credentialKinds.map((kind) => ({ mode, route, kind }))),
  )
  const deviations: string[] = []
  let foreignBytes = 0
  await inParallel(cells, AT_ONCE, async (cell, replica) => {
    const expected = stage.expectations.outcome(cell.kind, { class: cell.route.class, mode: cell.mode })
    const values = changesTenant(cell.route, expected)
      ? await expendableValues(stage, cell.route)
      : existingValues(cell.route, stage.twins.left)
    const attempt: Attempt = { ...cell, values, own: 'left', replica }
    const { answer, foreign } = await attack(stage, attempt)
    foreignBytes += foreign.bytes
    const wanted = typeof expected === 'number' ? expected : cell.route.success
    if (answer.status !== wanted)
      deviations.push(`${describeAttempt(attempt)} answered ${answer.status} instead of ${wanted}`)
    if (foreign.bytes > 0) deviations.push(`${describeAttempt(attempt)} showed ${foreign.marks.join(', ')}`)
  })
  return { cells: cells.length, deviations, foreignBytes }
}

/** A refused request changes nothing, so only admitted ones need something to spend. */
function changesTenant(route: ServedRoute, expected: Outcome): boolean {
  return typeof expected !== 'number' && route.method !== 'GET' && route.parameters.includes('tenantId')
}
