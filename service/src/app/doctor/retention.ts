/** Checks whether the sweeper deletes expired rows in time. */
import { warning, ok } from '../../domain/checkup.ts'
import type { Check } from '../../domain/checkup.ts'
import { LATE_AFTER_MS } from '../../domain/retention.ts'
import type { Walk } from '../../domain/retention.ts'
import type { Pools } from '../../store/pools.ts'
import { selectSweepAges } from '../../store/upkeep/retention.ts'
import { attempt } from './attempt.ts'

const ADVICE = 'start a dispatcher, or look at its log for "a sweep failed"'

export async function checkRetention({ kernel }: Pools, walks: readonly Walk[]): Promise<Check[]> {
  return attempt('retention', 'fix the failed checks of Postgres first', async () => {
    const ages = (await selectSweepAges(kernel)).filter(({ walk }) => walks.includes(walk))
    const ageMs = Math.max(0, ...ages.map((each) => each.ageMs))
    const found = `nothing has been overdue for longer than ${Math.ceil(ageMs / 60_000)} min`
    return [ageMs > LATE_AFTER_MS ? warning('retention', found, ADVICE) : ok('retention', found)]
  })
}
