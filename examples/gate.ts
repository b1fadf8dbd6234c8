/**
 * A gate in a build: fails while a scope has open contradictions that are too severe.
 *
 *     node gate.ts SCOPE [low|medium|high|critical]
 *
 * Ends with 0 when there is none, with 1 when there are some, and with 2 when it could not find out.
 */
import { ConcordError, createClient } from '@concord/client'
import type { Contradiction, Severity } from '@concord/client'

const severities: readonly Severity[] = ['low', 'medium', 'high', 'critical']

function say({ severity, entity, attribute, explanation, a, b }: Contradiction): void {
  console.log(`${severity}: ${entity ?? ''} ${attribute ?? ''} ${explanation}`)
  for (const { source, quote } of [a, b]) console.log(`  ${source}: ${JSON.stringify(quote)}`)
}

async function gate(scopeId: string, least: Severity): Promise<number> {
  const { CONCORD_URL = '', TENANT_ID, TENANT_KEY } = process.env
  const concord = createClient({
    baseUrl: CONCORD_URL,
    tenantId: TENANT_ID,
    tenantKey: TENANT_KEY,
  })
  // A document that still waits to be read may contradict anything, so a verdict before that would be worth nothing.
  const { documents, convergence } = await concord.getOwnScope({ scopeId })
  const waiting = documents.by_status.queued + documents.by_status.processing
  const { comparisons_pending, comparisons_held } = convergence
  const uncompared = comparisons_pending + comparisons_held.not_permitted + comparisons_held.over_budget
  if (waiting + uncompared > 0) {
    console.log(
      `${waiting} documents are not read yet, ${uncompared} comparisons are not made yet; try again`,
    )
    return 2
  }
  let found = 0
  for (const severity of severities.slice(severities.indexOf(least))) {
    for await (const one of concord.listContradictions.all({ scopeId, status: 'open', severity })) {
      say(one)
      found += 1
    }
  }
  console.log(`${found} open contradictions of severity ${least} or worse in ${scopeId}`)
  return found > 0 ? 1 : 0
}

const [scopeId, least = 'critical'] = process.argv.slice(2)
const severity = severities.find((each) => each === least)
if (scopeId === undefined || severity === undefined) {
  console.error('Usage: node gate.ts SCOPE [low|medium|high|critical]')
  process.exitCode = 2
} else {
  try {
    process.exitCode = await gate(scopeId, severity)
  } catch (error) {
    if (!(error instanceof ConcordError)) throw error
    console.error(error.message)
    process.exitCode = 2
  }
}
