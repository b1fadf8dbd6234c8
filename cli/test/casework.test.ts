/** A tenant at a terminal: makes a scope, takes a document out, and decides what is open. */
import { describe, expect, it, vi } from 'vitest'
import { openPseudoTerminal } from './support/pseudo-terminal.ts'
import { COMMAND, useWorld } from './support/service.ts'

vi.setConfig({ testTimeout: 60_000 })

const world = useWorld()
const run = (...args: string[]) => world().run(args)

interface Listed {
  readonly severity: string
  readonly status: string
}

async function report(scopeId: string, severity: 'low' | 'critical', about: string): Promise<void> {
  await world().concord.reportContradiction({
    scope_id: scopeId,
    source_a: `${about} memo`,
    source_b: `${about} report`,
    claim_a: `${about} is due in May.`,
    claim_b: `${about} is due in June.`,
    severity,
  })
}

describe('concord scopes', () => {
  it('makes a scope with the key of the tenant, and lists it', async () => {
    const made = await run('scopes', 'create', 'harbour', '--display-name', 'Harbour office', '--json')
    expect(JSON.parse(made.stdout)).toMatchObject({ scope_id: 'harbour', display_name: 'Harbour office' })
    const listed = await run('scopes', 'list')
    expect(listed.stdout).toMatch(/^SCOPE +NAME +DOCUMENTS +WAITING +FAILED +SETTLED$/m)
    expect(listed.stdout).toMatch(/^harbour +Harbour office +0 +0 +0 +empty$/m)
    const again = await run('scopes', 'create', 'harbour')
    expect([again.code, again.output]).toEqual([1, expect.stringMatching(/scope/i)])
  })
})

describe('concord documents', () => {
  it('removes a document only when it is told to', async () => {
    const { concord } = world()
    await concord.createOwnScope({ scope_id: 'removals' })
    await concord.registerDocument({ scope_id: 'removals', document_id: 'sent by mistake', name: 'x.txt' })
    const asked = await run('documents', 'remove', 'removals', 'sent by mistake')
    expect([asked.code, asked.output]).toEqual([1, expect.stringMatching(/--yes/)])
    const removed = await run('documents', 'remove', 'removals', 'sent by mistake', '--yes')
    expect([removed.code, removed.stdout]).toEqual([0, '1 document removed.\n'])
    await concord.registerDocument({ scope_id: 'removals', document_id: 'b', name: 'b' })
    const some = await run('documents', 'remove', 'removals', 'sent by mistake', 'b', '--yes')
    expect([some.code, some.stdout]).toEqual([1, '1 document removed.\n'])
    expect(some.output).toMatch(/sent by mistake: No such document/)
    expect((await run('documents', 'list', 'removals')).stdout).toMatch(/sent by mistake +removed/)
  })

  it('lists those that are asked for, in the order that is asked for', async () => {
    const { concord } = world()
    await concord.createOwnScope({ scope_id: 'filters' })
    await concord.registerDocument({ scope_id: 'filters', document_id: 'b', name: 'Annual report' })
    await concord.registerDocument({ scope_id: 'filters', document_id: 'a', name: 'ANNUAL accounts' })
    await concord.registerDocument({ scope_id: 'filters', document_id: 'c', name: 'Minutes', text: 'Words.' })
    const idsOf = async (...args: string[]) => {
      const { stdout } = await run('documents', 'list', 'filters', '--json', ...args)
      return (JSON.parse(stdout) as { document_id: string }[]).map((each) => each.document_id)
    }
    expect(await idsOf('--name', 'annual')).toEqual(['a', 'b'])
    expect(await idsOf('--order', 'updated')).toEqual(['b', 'a', 'c'])
    expect(await idsOf('--status', 'attached,failed')).toEqual(['c'])
    expect(await idsOf('--since', '2100-01-01')).toEqual([])
    const refused = await run('documents', 'list', 'filters', '--status', 'attached,done')
    expect([refused.code, refused.output]).toEqual([1, expect.stringMatching(/attached/)])
  })

  it('sets tags and metadata, shows them, and lists by them', async () => {
    const { concord } = world()
    await concord.createOwnScope({ scope_id: 'labels' })
    for (const id of ['a', 'b'])
      await concord.registerDocument({ scope_id: 'labels', document_id: id, name: id })
    const pairs = ['--metadata', 'matter=7/2025', '--metadata', 'owner=Ada']
    const set = await run('documents', 'set', 'labels', 'a', '--tags', 'lease, 2025', ...pairs)
    expect(set.stdout).toBe('tags      lease, 2025\nmetadata  matter=7/2025\n          owner=Ada\n')
    await run('documents', 'set', 'labels', 'a', '--metadata', 'owner=')
    expect((await run('documents', 'show', 'labels', 'a')).stdout).toMatch(
      /^metadata  matter=7\/2025\nversion/m,
    )
    for (const filter of [
      ['--tag', '2025'],
      ['--metadata', 'matter:7/2025'],
    ])
      expect((await run('documents', 'list', 'labels', ...filter)).stdout).toMatch(/^DOCUMENT.*\na .*\n$/)
    const unsaid = await run('documents', 'set', 'labels', 'a')
    expect([unsaid.code, unsaid.output]).toEqual([1, expect.stringMatching(/--tags/)])
  })

  it('retries nothing where nothing failed, and asks which one is meant', async () => {
    await world().concord.createOwnScope({ scope_id: 'retries' })
    expect((await run('documents', 'retry', 'retries', '--failed')).stdout).toBe(
      '0 documents queued again.\n',
    )
    await world().concord.registerDocument({ scope_id: 'retries', document_id: 'a', name: 'a' })
    const refused = await run('documents', 'retry', 'retries', 'a', 'nobody')
    expect([refused.code, refused.stdout]).toEqual([1, '0 documents queued again.\n'])
    expect(refused.output).toMatch(/^a: .*\nnobody: No such document/m)
    const unsaid = await run('documents', 'retry', 'retries')
    expect([unsaid.code, unsaid.output]).toEqual([1, expect.stringMatching(/--failed/)])
  })
})

describe('concord export', () => {
  it('prints the lines of the export of the service', async () => {
    const { concord } = world()
    await concord.createOwnScope({ scope_id: 'exports' })
    await concord.registerDocument({ scope_id: 'exports', document_id: 'a', name: 'a' })
    await report('exports', 'low', 'Rent')
    const { stdout } = await run('export', 'exports')
    expect(stdout).toBe(await (await concord.exportScope({ scopeId: 'exports' })).text())
    expect(stdout.trimEnd().split('\n')).toHaveLength(3)
  })
})

describe('concord documents text', () => {
  it('prints the whole text byte by byte, or a part of it counted in code points', async () => {
    const { concord } = world()
    await concord.createOwnScope({ scope_id: 'texts' })
    const text = `💠 ${'Nothing of note. '.repeat(2_500)}\u001b]0;owned\u0007 End.`
    await concord.ingestDocument({ scope_id: 'texts', document_id: 'long', name: 'long.txt', text })
    expect((await run('documents', 'text', 'texts', 'long')).stdout).toBe(text)
    const part = await run('documents', 'text', 'texts', 'long', '--start', '2', '--end', '9')
    expect(part.stdout).toBe('Nothing')
    const unknown = await run('documents', 'text', 'texts', 'long', '--doc-version', '3')
    expect([unknown.code, unknown.output]).toEqual([1, expect.stringMatching(/no such text/)])
  })
})

describe('concord contradictions', () => {
  it('shows the sentence before and after each quote', async () => {
    const { concord } = world()
    await concord.createOwnScope({ scope_id: 'contexts' })
    const around = (value: string) =>
      `The board met in May. Borealis Ltd had revenue of EUR ${value} in 2025. Nothing else was said.`
    for (const value of ['12.4m', '11.9m'])
      await concord.ingestAndWait({ scope_id: 'contexts', name: value, text: around(value) })
    const { items } = await concord.listContradictions({ scopeId: 'contexts' })
    const id = items[0]?.contradiction_id ?? ''
    const shown = await run('contradictions', 'show', id, '--scope', 'contexts')
    expect(shown.stdout.match(/The board met in May\./g)).toHaveLength(2)
    expect(shown.stdout.match(/Nothing else was said\./g)).toHaveLength(2)
    await concord.removeDocument({ scopeId: 'contexts', documentId: items[0]?.a.document_id ?? '' })
  })

  it('lists what is open and heavy before the rest', async () => {
    await world().concord.createOwnScope({ scope_id: 'weights' })
    await report('weights', 'critical', 'Rent')
    await report('weights', 'low', 'Notice')
    const listed = await run('contradictions', 'list', 'weights', '--json')
    const items = JSON.parse(listed.stdout) as Listed[]
    expect(items.map(({ severity }) => severity)).toEqual(['critical', 'low'])
  })

  it('walks through what is open at a terminal, and keeps each decision', async () => {
    const { home, env, concord } = world()
    await concord.createOwnScope({ scope_id: 'walk' })
    await report('walk', 'critical', 'Rent')
    await report('walk', 'low', 'Notice')
    const session = openPseudoTerminal(
      [process.execPath, COMMAND, 'contradictions', 'next', 'walk', '--by', 'Ada'],
      {
        env: { HOME: home, ...env },
        cwd: home,
      },
    )
    await session.answer('Your decision [s]: ', 'x\r')
    await session.answer('Answer a, b, c, n, d, s or q.', 'b\r')
    await session.answer('Reason: ', 'The signed copy.\r')
    await session.answer('2 of 2', 's\r')
    expect(await session.exited).toBe(0)
    expect(session.screen()).toContain('1 contradiction decided, 1 still open.')
    const { items } = await concord.listContradictions({ scopeId: 'walk', status: 'resolved' })
    expect(items).toMatchObject([{ severity: 'critical', resolution: { holds: 'b' } }])
  })

  it('needs a terminal for the walk', async () => {
    const walked = await run('contradictions', 'next', 'acme')
    expect([walked.code, walked.output]).toEqual([1, expect.stringMatching(/needs a terminal/)])
  })
})
