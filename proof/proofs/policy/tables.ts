/** The tables of situations, and what the command of an operator says to each. What is expected it is not told. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withFolder } from '@concord/tools/launch'
import type { Deployment } from '@concord/tools/launch'

export interface ExpectedSituation {
  readonly name: string
  readonly point: string
  readonly expect: 'allow' | 'deny'
  /** All that decide; none where nothing permits it. */
  readonly policies: readonly string[]
}

export interface PolicyTable {
  readonly name: string
  readonly tenant: string
  readonly scope: string
  readonly situations: readonly ExpectedSituation[]
}

/** A row as the command prints it. */
export interface Answered {
  readonly situation: string
  readonly decision: string
  /** Separated by spaces. */
  readonly policies: string
  readonly p99_ms?: number
}

const FOLDER = join(import.meta.dirname, 'tables')
const NAMES = ['default', 'house', 'case'] as const

interface Stored {
  readonly policy_file?: string
  readonly scope_policy_file?: string
  readonly situations: readonly ExpectedSituation[]
}

export async function readTables(): Promise<PolicyTable[]> {
  return Promise.all(
    NAMES.map(async (name) => {
      const stored = JSON.parse(await readFile(join(FOLDER, `${name}.json`), 'utf8')) as Stored
      const textOf = async (file: string | undefined) =>
        file === undefined ? '' : readFile(join(FOLDER, file), 'utf8')
      const [tenant, scope] = await Promise.all([
        textOf(stored.policy_file),
        textOf(stored.scope_policy_file),
      ])
      return { name, tenant, scope, situations: stored.situations }
    }),
  )
}

/** `concord policy test` on a copy of the table, in its order. */
export async function answersTo(
  deployment: Deployment,
  { tenant, scope, situations }: PolicyTable,
  ...options: readonly string[]
): Promise<Answered[]> {
  return withFolder('situations', async (folder) => {
    const file = join(folder, 'table.json')
    const asked = situations.map((situation) => ({ ...situation, expect: undefined, policies: undefined }))
    await writeFile(file, JSON.stringify({ policy: tenant, scope_policy: scope, situations: asked }))
    return deployment.concord<Answered[]>('policy', 'test', file, ...options)
  })
}

/** Those that are decided otherwise than expected, or by others, in words. */
export function wrongAmong(
  situations: readonly ExpectedSituation[],
  answers: readonly Answered[],
): readonly string[] {
  return situations.flatMap(({ name, expect, policies }, index) => {
    const answer = answers[index]
    const expected = `${expect} by ${policies.toSorted().join(' ')}`
    const answered = answer?.situation === name ? `${answer.decision} by ${answer.policies}` : 'nothing'
    return answered === expected ? [] : [`${name}: ${answered}, expected ${expected}`]
  })
}
