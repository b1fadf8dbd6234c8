/** The judge of a measurement: the one that JUDGE_URL and the other settings in the environment name, if any. */
import type { createDeployment } from '@concord/tools/launch'
import { waitUntil } from '@concord/tools/launch'
import type { ServedClient } from './client.ts'

export interface ServedJudge {
  /** Until nothing that rules leave open waits to be asked. */
  untilAsked(): Promise<void>
  used(): Promise<{ readonly tokens: number; readonly verdicts: number }>
}

type Deployment = Awaited<ReturnType<typeof createDeployment>>

interface Standing {
  readonly waiting: number
  readonly verdicts: number
  readonly tokens_today: number
}

const PERMISSION = `@id("judge-of-this-measurement")
permit (principal, action == Concord::Action::"process_document", resource)
when { context.external && context.stage == "compare" };`

export function judgeSettings(): Readonly<Record<string, string>> {
  const own = Object.entries(process.env).filter(([name]) => name.startsWith('JUDGE_'))
  return Object.fromEntries(own.map(([name, value = '']) => [name, value]))
}

export async function permitJudge(
  deployment: Deployment,
  client: ServedClient,
): Promise<ServedJudge | undefined> {
  if (!judgeSettings()['JUDGE_URL']) return undefined
  const { tenantId } = client
  const standing = async () => deployment.concord<Standing>('judge', 'show', '--tenant', tenantId)
  await client.writePolicy(PERMISSION)
  await deployment.concord('judge', 'permit', '--tenant', tenantId)
  return {
    async untilAsked() {
      await waitUntil(async () => (await standing()).waiting === 0, {
        what: 'the judge being asked about all that is open',
        withinMs: 600_000,
        everyMs: 500,
      })
    },
    async used() {
      const { tokens_today: tokens, verdicts } = await standing()
      return { tokens, verdicts }
    },
  }
}
