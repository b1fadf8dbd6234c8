import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { putPolicy } from '../../src/app/access/policies.ts'
import { useDatabase } from '../support/database.ts'
import { auditor, makeTenant } from '../support/people.ts'
import { noDocuments, policyEngine } from '../support/policies.ts'
import { usePools } from '../support/pools.ts'
import { processEnv, runConcord } from '../support/process.ts'

vi.setConfig({ testTimeout: 60_000 })

const database = useDatabase()
const pools = usePools(database)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'concord-policy-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function write(name: string, content: string | object): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const policy = (...args: string[]) => runConcord(processEnv(database()), 'policy', ...args)
const draft = { point: 'admit_document', document: { type: 'draft' } }

describe('concord policy', () => {
  it('check prints the positions of errors, and exits with 1 if there are any', async () => {
    const good = await policy('check', await write('good.cedar', noDocuments('draft')))
    expect([good.code, good.stdout]).toEqual([0, expect.stringContaining('can be put in force')])
    const bad = await policy(
      'check',
      await write('bad.cedar', `\n${noDocuments('draft').replace('type', 'typ')}`),
    )
    expect(bad.code).toBe(1)
    expect(bad.stdout).toMatch(/bad\.cedar:4:8: no-draft: attribute `typ`/)
  })

  it('test compares a table of situations with the expected results', async () => {
    await write('house.cedar', noDocuments('draft'))
    const held = { ...draft, expect: 'deny', policies: ['tenant/no-draft'] }
    const table = {
      policy_file: 'house.cedar',
      situations: [held, { ...draft, document: {}, expect: 'allow' }],
    }
    const right = await policy('test', await write('right.json', table), '--json')
    expect([right.code, JSON.parse(right.stdout)]).toMatchObject([0, [{ result: 'ok' }, { result: 'ok' }]])
    const wrong = await policy(
      'test',
      await write('wrong.json', { ...table, situations: [{ ...held, expect: 'allow' }] }),
    )
    expect(wrong.code).toBe(1)
    expect(wrong.stdout).toMatch(/^WRONG/m)
    const typo = await policy('test', await write('typo.json', { situations: [{ point: 'admit' }] }))
    expect(typo.code).toBe(1)
  })

  it('explain prints the result of each policy, of a file or of the policies of a tenant in force', async () => {
    const request = await write('request.json', draft)
    const file = await policy('explain', await write('own.cedar', noDocuments('draft')), '--request', request)
    expect(file.stdout).toMatch(/^admit_document: deny, forbidden by tenant\/no-draft$/m)
    expect(file.stdout).toMatch(/^default\/admit +permit +applies$/m)
    const tenant = await makeTenant(pools())
    await putPolicy(
      { pools: pools(), policyEngine, auditor },
      tenant.caller,
      null,
      noDocuments('draft', 'stored'),
    )
    const stored = await policy('explain', '--tenant', tenant.tenantId, '--request', request, '--json')
    expect(JSON.parse(stored.stdout)).toMatchObject({ allowed: false, policies: ['tenant/stored'] })
  })
})
