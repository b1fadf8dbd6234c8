/** The commands to type after the demo; each can be pasted as it is. */
import { dirname } from 'node:path'
import type { Contradiction } from '@concord/client'
import { launcherPath } from '../launcher.ts'
import type { Profile } from '../profile.ts'
import type { DemoCase } from './cases.ts'

export function describeNextSteps(
  { url, tenantId, tenantKey }: Profile,
  { scopeId, trusted }: DemoCase,
  found: readonly Contradiction[],
  startAgain: string | undefined,
): string[] {
  const isTrusted = ({ source }: Contradiction['a']) => source.includes(trusted.document)
  const example = found.find(({ a, b }) => isTrusted(a) || isTrusted(b)) ?? found[0]
  const id = example?.contradiction_id ?? 'ID'
  const holds = example && isTrusted(example.a) ? 'a' : 'b'
  const start =
    startAgain === undefined
      ? ['To go on:']
      : [
          'The service stops with this demo; what it found is kept. To go on, start it in a second terminal:',
          '',
          `  ${startAgain}`,
          '',
          'and then, in this one:',
        ]
  return [
    ...start,
    '',
    `  export CONCORD_URL=${url} TENANT_ID=${tenantId} CONCORD_SCOPE=${scopeId}`,
    `  export TENANT_KEY=${tenantKey}`,
    `  export PATH="${dirname(launcherPath())}:$PATH"`,
    '  concord summary',
    `  concord contradictions show ${id}`,
    `  concord contradictions resolve ${id} --holds ${holds} --reason "${trusted.reason}"`,
  ]
}
