import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { openBureau, statement } from '../support/claims.ts'
import { useDatabase } from '../support/database.ts'
import { makeScope, makeTenant } from '../support/people.ts'
import type { TestTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { processEnv, runConcord } from '../support/process.ts'

vi.setConfig({ testTimeout: 60_000 })

const database = useDatabase()
const pools = usePools(database)
const worker = usePools(database, 2, 'worker')
let tenant: TestTenant

beforeAll(async () => {
  tenant = await makeTenant(pools())
  for (const scopeId of ['default', 'empty']) await makeScope(pools(), tenant, scopeId)
  await openBureau(pools(), worker(), tenant).process([
    { documentId: 'report', claims: [statement(10)] },
    { documentId: 'memo', claims: [statement(12)] },
  ])
})

const contradictions = (...args: string[]) =>
  runConcord(processEnv(database()), 'contradictions', ...args, '--tenant', tenant.tenantId)

interface Row {
  readonly contradiction_id: string
}

describe('concord contradictions', () => {
  it('lists them as a table, and shows one with both quotes beside each other', async () => {
    const listed = await contradictions('list', '--scope', 'default', '--json')
    const rows = JSON.parse(listed.stdout) as Row[]
    const id = rows[0]?.contradiction_id ?? ''
    expect(rows).toEqual([
      expect.objectContaining({ relation: 'conflict', kind: 'money', about: 'Borealis: revenue' }),
    ])
    const [table, shown] = await Promise.all([
      contradictions('list', '--scope', 'default', '--document', 'memo'),
      contradictions('show', id, '--scope', 'default'),
    ])
    expect(table.stdout.split('\n')).toEqual([
      expect.stringMatching(/^contradiction_id +severity +relation +kind +about +a +b +confidence +status$/),
      expect.stringMatching(
        new RegExp(`^${id} +\\w+ +conflict +money +Borealis: revenue +EUR 1.m +EUR 1.m +0\\.\\d+ +open$`),
      ),
      '',
    ])
    expect(shown.stdout).toMatch(
      /^"The revenue of Borealis in 2025 is {4,}\| "The revenue of Borealis in 2025 is$/m,
    )
    expect(shown.stdout).toMatch(/^difference: 2,000,000 EUR \(16\.7 % of the larger\)$/m)
    expect(shown.stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
    const json = await contradictions('show', id, '--scope', 'default', '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({ contradiction_id: id, status: 'open', further: 0 })
  })

  it('resolves one, prints that, and shows the decision', async () => {
    const { stdout } = await contradictions('list', '--scope', 'default', '--json')
    const id = (JSON.parse(stdout) as Row[])[0]?.contradiction_id ?? ''
    const place = [id, '--scope', 'default']
    const why = ['--reason', 'The audited figure.', '--by', 'Ada Lund']
    const resolved = await contradictions('resolve', ...place, '--holds', 'b', ...why, '--json')
    expect(JSON.parse(resolved.stdout)).toMatchObject({
      contradiction_id: id,
      status: 'resolved',
      holds: 'b',
    })
    const twice = await contradictions('dismiss', ...place, '--reason', 'x')
    expect([twice.code, twice.output]).toEqual([1, expect.stringMatching(/state/)])
    expect((await contradictions('reopen', ...place, '--reason', 'Not yet.')).stdout).toMatch(
      /^status +open$/m,
    )
    expect((await contradictions('dismiss', ...place, '--reason', 'None.')).stdout).toMatch(/dismissed/)
    const shown = (await contradictions('show', ...place)).stdout
    expect(shown).toMatch(
      /dismissed, by operator:.*\nNone\.\n\n.* reopened, by operator:.*\nNot yet\.\n\n.* resolved,\s\S+\sholds:\s"EUR\s\d+m",\sby\sAda\sLund,\soperator:/,
    )
    const { history } = JSON.parse((await contradictions('show', ...place, '--json')).stdout) as {
      history: { result: string; by: string | null }[]
    }
    expect(history.map(({ result, by }) => [result, by])).toEqual([
      ['dismissed', null],
      ['reopened', null],
      ['resolved', 'Ada Lund'],
    ])
  })

  it('prints that there are none', async () => {
    expect((await contradictions('list', '--scope', 'empty')).stdout).toBe('(none)\n')
  })

  it.each([
    ['a scope that is not there', ['list', '--scope', 'nowhere'], /No such scope/],
    [
      'a contradiction that is not there',
      ['show', randomUUID(), '--scope', 'default'],
      /No such contradiction/,
    ],
    ['an id of another form', ['show', 'x', '--scope', 'default'], /No such contradiction/],
    ['no scope', ['list'], /--scope/],
    ['no reason', ['dismiss', randomUUID(), '--scope', 'default'], /--reason/],
    [
      'no such side',
      ['resolve', randomUUID(), '--scope', 'default', '--reason', 'x', '--holds', 'c'],
      /--holds/,
    ],
    ['an empty reason', ['dismiss', randomUUID(), '--scope', 'default', '--reason', ''], /--reason/],
    [
      'nothing to settle',
      ['dismiss', randomUUID(), '--scope', 'default', '--reason', 'x'],
      /No such contradiction/,
    ],
  ])('ends with 1 and says what to do: %s', async (_, args, hint) => {
    const { code, output } = await contradictions(...args)
    expect(code).toBe(1)
    expect(output).toMatch(hint)
  })
})
