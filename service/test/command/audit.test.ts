import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { chainAudit, recordAudit } from '../../src/app/audit/audit.ts'
import { createAuditor } from '../../src/platform/audit-key.ts'
import { parseConfig } from '../../src/platform/config.ts'
import { useDatabase } from '../support/database.ts'
import { look } from '../support/documents.ts'
import { silentLog } from '../support/log.ts'
import { operator } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { processEnv, runConcord } from '../support/process.ts'

vi.setConfig({ testTimeout: 60_000 })

const ENTRIES = 1_203

const database = useDatabase()
const pools = usePools(database)
let env: Readonly<Record<string, string>>
let folder: string

const audit = (...args: string[]) => runConcord(env, 'audit', ...args)

beforeAll(async () => {
  env = processEnv(database())
  folder = await mkdtemp(join(tmpdir(), 'concord-audit-'))
  const auditor = createAuditor(parseConfig(env).MASTER_KEY)
  const event = { action: 'runtime.changed', who: operator, details: { op: 'pause' } } as const
  await recordAudit(
    pools().tenant,
    auditor,
    Array.from({ length: ENTRIES }, () => event),
  )
  await chainAudit({ kernel: pools().kernel, auditor, log: silentLog })
  await recordAudit(pools().tenant, auditor, [event])
})

afterAll(() => rm(folder, { recursive: true, force: true }))

async function exported(name: string, ...args: string[]) {
  const { code, stdout } = await audit('export', ...args)
  expect(code).toBe(0)
  const path = join(folder, name)
  const lines = stdout.trimEnd().split('\n')
  return { path, lines, write: (changed: readonly string[]) => writeFile(path, `${changed.join('\n')}\n`) }
}

/** Past the triggers, as only a superuser can. */
const tamper = (statement: string) => look(database(), `set session_replication_role = replica; ${statement}`)

describe('concord audit', () => {
  it('reports an intact log, for people and for programs', async () => {
    const told = await audit('verify')
    expect([told.code, told.stdout]).toEqual([
      0,
      `${ENTRIES} entries, chain whole up to ${ENTRIES}, 1 not in it yet\n`,
    ])
    const { stdout } = await audit('verify', '--json')
    expect(JSON.parse(stdout)).toEqual({ entries: ENTRIES, seq: ENTRIES, unchained: 1, fault: null })
  })

  it('exports the whole log or the entries after one, and verifies exports, also against an anchor', async () => {
    const whole = await exported('whole.jsonl')
    const rest = await exported('rest.jsonl', '--after', '1100')
    expect([whole.lines.length, rest.lines.length]).toEqual([ENTRIES + 2, ENTRIES - 1_100 + 2])
    await whole.write(whole.lines)
    await rest.write(rest.lines)
    const head = JSON.parse(whole.lines.at(-1) ?? '') as { seq: number; chain_mac: string }
    const anchor = `${head.seq}:${head.chain_mac}`
    const both = await audit('verify', '--anchor', anchor, '--file', whole.path, rest.path)
    expect([both.code, both.stdout.trimEnd().split('\n')]).toEqual([
      0,
      [
        `${whole.path}: ${ENTRIES} entries, chain whole up to ${ENTRIES}`,
        `${rest.path}: ${ENTRIES - 1_100} entries, chain whole up to ${ENTRIES}`,
      ],
    ])
    expect((await audit('verify', '--anchor', anchor)).code).toBe(0)
    const later = await audit('verify', '--anchor', `${head.seq + 1}:${head.chain_mac}`)
    expect([later.code, later.stdout]).toEqual([
      1,
      expect.stringContaining(`entry ${ENTRIES + 1}: truncated`),
    ])
  })

  it('names the first bad line of an export', async () => {
    const { path, lines, write } = await exported('bad.jsonl')
    await write(lines.with(1_050, (lines[1_050] ?? '').replace('pause', 'start')))
    const edited = await audit('verify', '--json', '--file', path)
    expect([edited.code, JSON.parse(edited.stdout)]).toEqual([
      1,
      [
        expect.objectContaining({
          file: path,
          seq: 1_049,
          fault: expect.objectContaining({ index: 1_050, kind: 'edited' }),
        }),
      ],
    ])
    await write(lines.slice(0, 900))
    expect((await audit('verify', '--file', path)).stdout).toContain('entry 900: truncated')
    await write(lines.with(10, 'not JSON'))
    expect((await audit('verify', '--file', path)).stdout).toContain('entry 10: edited')
  })

  it('names the first bad entry of the database, with the reason', async () => {
    await tamper(`create table kept as select * from audit_log where seq in (7, 1100)`)
    await tamper(`delete from audit_log where seq = 1100`)
    const missing = await audit('verify')
    expect([missing.code, missing.output]).toEqual([
      1,
      expect.stringMatching(/^entry 1100: missing[^]*not as it was written/),
    ])
    await tamper(`update audit_log set actor = 'nobody' where seq = 7`)
    expect((await audit('verify')).stdout).toContain('entry 7: edited')
    await tamper(
      `delete from audit_log where seq = 7; insert into audit_log select * from kept; drop table kept`,
    )
    expect((await audit('verify')).code).toBe(0)
  })

  it('states which arguments are missing', async () => {
    const anchor = await audit('verify', '--anchor', '12')
    expect([anchor.code, anchor.output]).toEqual([1, expect.stringContaining('number and MAC')])
    const after = await audit('export', '--after', '99999')
    expect([after.code, after.output]).toEqual([1, expect.stringContaining(`ends at ${ENTRIES}`)])
  })
})
