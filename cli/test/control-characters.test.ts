/** Words that a tenant chooses are printed by every command, and none of them can steer the terminal of the person who reads. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { asSuperuser, startChild, waitUntil } from '@concord/tools/launch'
import { testServices } from '@concord/tools/testing'
import { useWorld } from './support/service.ts'
import type { Ended } from './support/service.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

/** A title (OSC 0), the clipboard (OSC 52), a colour and the cursor (CSI), the same by C1, DEL, and two that turn the text. */
const STEERING =
  '\u001B]0;owned\u0007\u001B]52;c;b3duZWQ=\u001B\\\u001B[2J\u001B[31m\u009B2J\u009D0;owned\u009C\u007F\u202E\u2066'
const id = (name: string) => `${STEERING}${name}`

/** With fewer words around them, a text with such characters is taken for binary and not read. */
const PROSE =
  '\n\nPlease read the general terms and conditions carefully, and please quote our reference in any reply. Thank you for looking into this.'

const world = useWorld()
const place = { scopeId: 'acme' }
let contradictionId: string

beforeAll(async () => {
  const { concord, tenantId } = world()
  const send = (document: string, text: string) =>
    concord.ingestAndWait({
      scope_id: 'acme',
      document_id: id(document),
      name: id(document),
      text: `${text}${PROSE}`,
    })
  await send('report', `Borealis ${STEERING} Ltd had revenue of EUR 12.4m in 2025.`)
  await send('memo', `The revenue of Borealis ${STEERING} Ltd in 2025 was EUR 11.9m.`)
  const { items } = await concord.listContradictions(place)
  contradictionId = items[0]?.contradiction_id ?? ''
  await concord.createTenant({ name: id('tenant') })
  await concord.issueTenantKey({ tenantId, name: id('key') })
  await concord.createScope({ scope_id: 'second', display_name: id('scope') })
})

const asTenant = (...args: string[]) => world().run(args, { ...world().env, CONCORD_SCOPE: 'acme' })

async function asOperator(...args: string[]): Promise<Ended> {
  const entry = join(import.meta.dirname, '..', '..', 'service', 'src', 'main', 'concord.ts')
  const child = startChild({
    command: process.execPath,
    args: [entry, ...args],
    env: { ...world().serverEnv, ...world().env },
  })
  const { code } = await child.exited
  return { code, stdout: child.stdout(), output: child.output() }
}

/** C0 without the line feed, DEL, C1, and characters that turn or hide text. */
function steeringIn(output: string): string[] {
  return Array.from(output.matchAll(/[^\P{Cc}\n]|\p{Cf}/gu), ([character]) =>
    (character.codePointAt(0) ?? 0).toString(16),
  )
}

const plain = { code: 0, steering: [], isShown: true }

function lookAt({ code, output }: Ended, shown: string) {
  return { code, steering: steeringIn(output), isShown: output.includes(shown) }
}

describe('control characters in the words of a tenant do not reach the terminal', () => {
  it.each([
    ['documents', ['documents', 'list'], 'report'],
    ['a document', ['documents', 'show', 'acme', id('report')], 'Read whole'],
    ['claims', ['claims', '--quotes'], 'report'],
    ['claims as JSON', ['claims', '--json'], '\\u009b2J'],
    ['contradictions', ['contradictions', 'list'], 'memo'],
    ['contradictions as JSON', ['contradictions', 'list', '--json'], '\\u009b2J'],
    ['summary', ['summary'], 'contradictions'],
    ['summary of another name', ['summary', 'second'], 'scope'],
    ['summary as JSON', ['summary', '--json'], '\\u009b2J'],
  ])('%s', async (_, words, shown) => {
    expect(lookAt(await asTenant(...words), shown)).toEqual(plain)
  })

  it('show, before and after a decision', async () => {
    expect(lookAt(await asTenant('contradictions', 'show', contradictionId), 'memo')).toEqual(plain)
    const resolve = ['contradictions', 'resolve', contradictionId, '--holds', 'a']
    const why = ['--reason', id('reason'), '--by', id('person')]
    expect(lookAt(await asTenant(...resolve, ...why), 'resolved')).toEqual(plain)
    expect(lookAt(await asTenant('contradictions', 'show', contradictionId), 'person')).toEqual(plain)
    expect(lookAt(await asTenant('contradictions', 'show', contradictionId, '--json'), '\\u009b2J')).toEqual(
      plain,
    )
  })

  it.each([
    ['lines', []],
    ['JSON', ['--json']],
  ])('watch, as %s', async (_, more) => {
    const child = world().start(['watch', 'acme', '--after', '0', ...more])
    try {
      await waitUntil(() => child.output().includes('contradiction.opened'), {
        what: 'the event',
        withinMs: 20_000,
      })
    } finally {
      await child.stop()
    }
    expect(steeringIn(child.output())).toEqual([])
    expect(child.output()).toContain('memo')
  })

  it.each([
    ['tenants', ['tenants', 'list'], 'tenant'],
    ['tenants as JSON', ['tenants', 'list', '--json'], '\\u009b2J'],
    ['keys', ['keys', 'list', '--tenant', '$TENANT'], 'key'],
    ['scopes', ['scopes', 'list', '--tenant', '$TENANT'], 'second'],
    ['scopes as JSON', ['scopes', 'list', '--tenant', '$TENANT', '--json'], '\\u009b2J'],
    ['contradictions', ['contradictions', 'list', '--tenant', '$TENANT', '--scope', 'acme'], 'EUR 12.4m'],
    [
      'a contradiction',
      ['contradictions', 'show', '$ID', '--tenant', '$TENANT', '--scope', 'acme'],
      'EUR 12.4m',
    ],
  ])('%s of the operator', async (_, words, shown) => {
    const named = new Map([
      ['$TENANT', world().tenantId],
      ['$ID', contradictionId],
    ])
    expect(lookAt(await asOperator(...words.map((word) => named.get(word) ?? word)), shown)).toEqual(plain)
  })

  it('the audit log and certificates as they are exported', async () => {
    const { tenantId, concord } = world()
    const exported = await asOperator('audit', 'export')
    expect([exported.code, steeringIn(exported.output)]).toEqual([0, []])
    await concord
      .resolveContradiction({ ...place, contradictionId, outcome: 'dismissed', reason: 'None.' })
      .catch(() => undefined)
    const text = `@id("covered") permit (principal, action == Concord::Action::"settle_scope", resource);`
    await concord.putScopePolicy({ scopeId: 'acme', text })
    await concord.declareSettled({ scopeId: 'acme' })
    const certificate = await asOperator('certificate', 'export', 'acme', '--tenant', tenantId)
    expect(lookAt(certificate, '\\u009b2J')).toEqual(plain)
  })

  it('the name of a file that is checked, and what is wrong in it', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'concord-')), `\u009B2Jpolicy`)
    await writeFile(file, `@id("\u009B2J") permit (principal, action, resourc);`)
    const { code, output } = await asOperator('policy', 'check', file)
    expect([code, steeringIn(output)]).toEqual([1, []])
    expect(output).toContain('2Jpolicy:1:')
  })

  it('what the operator is asked before a tenant is deleted', async () => {
    const { code, output } = await asOperator('tenants', 'delete', await hostileTenant())
    expect([code, steeringIn(output)]).toEqual([2, []])
    expect(output).toContain('owned')
  })

  it('top, while a document with such an id is being read', async () => {
    await whileReading(id('slow'), async () => {
      expect(lookAt(await asOperator('top', '--once'), 'slow (attempt 1)')).toEqual(plain)
      expect(lookAt(await asOperator('top', '--json'), '\\u009b2J')).toEqual(plain)
    })
  })
})

async function hostileTenant(): Promise<string> {
  const { stdout } = await asOperator('tenants', 'list', '--json')
  const listed = JSON.parse(stdout) as { readonly tenant_id: string; readonly name: string }[]
  return listed.find(({ name }) => name === id('tenant'))?.tenant_id ?? ''
}

/** The worker has the document in hand for as long as it cannot write what it read. */
async function whileReading(documentId: string, look: () => Promise<void>): Promise<void> {
  const { pathname } = new URL(world().serverEnv['DATABASE_URL'] ?? '')
  const lock = async (client: { query(text: string): Promise<unknown> }) => {
    await client.query('begin; lock table claims in access exclusive mode')
    await world().concord.ingestDocument({
      scope_id: 'acme',
      document_id: documentId,
      name: 'Slow',
      text: 'Borealis Ltd had 240 employees in 2025.',
    })
    await look()
    await client.query('rollback')
  }
  await asSuperuser(testServices(), lock, pathname.slice(1))
}
