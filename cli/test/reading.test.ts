/** Tests the reading views: the contract's shapes for programs, and lines that fit for people. */
import { stripVTControlCharacters } from 'node:util'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { faultsOf } from './support/contract.ts'
import { useWorld } from './support/service.ts'

vi.setConfig({ testTimeout: 60_000 })

const world = useWorld()
const scope = { scopeId: 'acme' }

beforeAll(async () => {
  const { concord } = world()
  const send = (id: string, name: string, text: string) =>
    concord.ingestAndWait({ scope_id: 'acme', document_id: id, name, text })
  await send('report', 'Annual report', 'Borealis Ltd had revenue of EUR 12.4m in 2025.')
  await send('memo', 'Board memo', 'The revenue of Borealis Ltd in 2025 was EUR 11.9m.')
  await send('list', 'Staff list', 'Borealis Ltd had 240 employees in 2025.')
}, 60_000)

const run = (...args: string[]) => world().run(args, { ...world().env, CONCORD_SCOPE: 'acme' })

async function json<Value>(...args: string[]): Promise<Value> {
  const { stdout, output, code } = await run(...args, '--json')
  if (code !== 0) throw new Error(output)
  return JSON.parse(stdout) as Value
}

interface Listed {
  readonly contradiction_id: string
  readonly status: string
}

async function onlyId(): Promise<string> {
  const [first] = await json<Listed[]>('contradictions', 'list')
  return first?.contradiction_id ?? ''
}

describe('concord contradictions', () => {
  it('lists them in the shape of the contract, and by what is asked for', async () => {
    const found = await json<Listed[]>('contradictions', 'list', 'acme')
    expect(found).toHaveLength(1)
    expect(found.flatMap((each) => faultsOf('Contradiction', each))).toEqual([])
    expect(await json('contradictions', 'list', '--status', 'open', '--kind', 'money')).toHaveLength(1)
    expect(await json('contradictions', 'list', '--severity', 'low')).toEqual([])
    expect(await json('contradictions', 'list', '--document', 'list')).toEqual([])
  })

  it('lists them for people in lines that fit', async () => {
    const { stdout } = await run('contradictions', 'list')
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(
        /^(low|medium|high|critical) +Borealis Ltd: revenue, 2025 {2}conflict, 0\.\d\d, open$/,
      ),
      expect.stringMatching(/^ {10}Board memo: EUR 11\.9m {2}\| {2}Annual report: EUR 12\.4m$/),
      expect.stringMatching(/^ {10}[0-9a-f-]{36}$/),
      '',
    ])
  })

  it('shows one by the beginning of its id, both quotes beside each other and the values marked', async () => {
    const id = await onlyId()
    const { stdout } = await run('contradictions', 'show', id.slice(0, 8))
    expect(stdout).toMatch(/^"The revenue of Borealis Ltd in 2025 +\| "Borealis Ltd had revenue of \[EUR$/m)
    expect(stdout).toMatch(/^was \[EUR 11\.9m\]\." +\| 12\.4m\] in 2025\."$/m)
    expect(stdout).toMatch(/^difference: 500,000 EUR \(4\.0 % of the larger\)$/m)
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(stdout).toBe(stripVTControlCharacters(stdout))
  })

  it('shows colour where it is asked for, and none where NO_COLOR says so', async () => {
    const id = await onlyId()
    const show = (env: Record<string, string>) =>
      world().run(['contradictions', 'show', id], { ...world().env, CONCORD_SCOPE: 'acme', ...env })
    const coloured = await show({ FORCE_COLOR: '1' })
    expect(coloured.stdout).toContain('\u001B[1m\u001B[33mEUR')
    for (const line of stripVTControlCharacters(coloured.stdout).split('\n'))
      expect(line.length).toBeLessThanOrEqual(80)
    expect((await show({ NO_COLOR: '1' })).stdout).not.toContain('\u001B')
  })

  it('settles one, and shows what was decided', async () => {
    const id = await onlyId()
    const why = ['--reason', 'The audited figure.', '--by', 'Ada Lund']
    const settled = await json<Listed>('contradictions', 'resolve', id, '--holds', 'b', ...why)
    expect([settled.status, faultsOf('Contradiction', settled)]).toEqual(['resolved', []])
    const shown = await json<{ contradiction: unknown; decisions: unknown[] }>('contradictions', 'show', id)
    expect(faultsOf('Contradiction', shown.contradiction)).toEqual([])
    expect(shown.decisions.map((each) => faultsOf('Decision', each))).toEqual([[]])
    expect((await run('contradictions', 'show', id)).stdout).toMatch(
      /resolved, report holds: "EUR 12\.4m", by Ada\sLund,\s.*\nThe audited figure\./,
    )
    const reopened = await run('contradictions', 'reopen', id, '--reason', 'Not yet.')
    expect(reopened.stdout).toMatch(/^status +open$/m)
  })

  it.each([
    ['an id of nobody', ['show', 'ffffffff'], /begins with ffffffff/],
    ['too little of an id', ['show', 'f'], /at least 4/],
    ['no reason', ['dismiss', 'ffffffff'], /--reason/],
    ['no such side', ['resolve', 'ffffffff', '--reason', 'x', '--holds', 'c'], /--holds/],
    ['a tenant, where there is no database', ['list', '--tenant', 'x'], /unknown option '--tenant'/],
  ])('ends with 1 and says what to do: %s', async (_, args, why) => {
    const { code, output } = await run('contradictions', ...args)
    expect([code, output]).toEqual([1, expect.stringMatching(why)])
  })
})

describe('concord claims', () => {
  it('lists them in the shape of the contract, and by what is asked for', async () => {
    const claims = await json<unknown[]>('claims')
    expect(claims.length).toBeGreaterThanOrEqual(3)
    expect(claims.flatMap((each) => faultsOf('Claim', each))).toEqual([])
    expect((await json<unknown[]>('claims', '--document', 'list')).length).toBeLessThan(claims.length)
    expect(await json<unknown[]>('claims', '--kind', 'money')).toHaveLength(2)
    expect(await json<unknown[]>('claims', '--limit', '1')).toHaveLength(1)
  })

  it('shows them to people, and says where there are more', async () => {
    const { stdout, output } = await run('claims', '--kind', 'money', '--quotes', '--limit', '1')
    expect(stdout).toMatch(
      /^DOCUMENT +KIND +ABOUT +PERIOD +SAYS +PLACE +SURE\n.*money +Borealis Ltd: revenue +2025/,
    )
    expect(stdout).toMatch(/^ {4}".*EUR 1.\..m.*"$/m)
    expect(output).toContain('These are the first 1;')
  })
})

describe('concord summary', () => {
  it('is the contract’s for programs', async () => {
    const { summary, convergence } = await json<{ summary: unknown; convergence: unknown }>('summary', 'acme')
    expect(faultsOf('ScopeSummary', summary)).toEqual([])
    expect(faultsOf('Convergence', convergence)).toEqual([])
  })

  it('is a page for people, with how it went', async () => {
    const { stdout } = await run('summary')
    expect(stdout).toMatch(/^documents +3: 3 processed$/m)
    expect(stdout).toMatch(/^read +(\d+) of \1 characters \(100 %\)$/m)
    expect(stdout).toMatch(/^claims +\d+, \d+ compared$/m)
    expect(stdout).toMatch(/^convergence +contested, 0\.\d\d, /m)
    expect(stdout).toMatch(/^ {16}1\.0 ┤.*\n( {16} {4}│.*\n){3} {16}0\.0 ┤[▁-█]+$/m)
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })
})

describe('concord reread', () => {
  it('has documents read again, waits for them, and shows how far it has come', async () => {
    expect((await run('reread', 'acme', '--status')).stdout).toBe(
      'No document of acme was ever asked to be read again.\n',
    )
    const { stdout } = await run('reread', '--document', 'report', 'memo', '--wait')
    expect(stdout).toMatch(/^Ended\. Read again: 2 documents \(2 named\)\.$/m)
    const shown = await json<Record<string, unknown>>('reread', '--status')
    expect(faultsOf('Reread', shown)).toEqual([])
    expect(shown).toMatchObject({ state: 'ended', documents_named: 2, documents_read: 2 })
    expect((await run('reread', '--read-by', 'nobody', '--wait')).stdout).toBe(
      'Ended. Read again: 0 documents that nobody had read.\n',
    )
    expect(await json<Listed[]>('contradictions', 'list')).toHaveLength(1)
  })
})

describe('concord documents', () => {
  it('lists them in the shape of the contract, and for people with how much was read', async () => {
    const listed = await json<unknown[]>('documents', 'list')
    expect(listed.flatMap((each) => faultsOf('Document', each))).toEqual([])
    expect(await json('documents', 'list', 'acme', '--status', 'failed')).toEqual([])
    const { stdout } = await run('documents', 'list')
    expect(stdout.split('\n')[0]).toMatch(/^DOCUMENT +NAME +STATUS +READ +CLAIMS +COMPARED$/)
    expect(stdout).toMatch(/^list +Staff list +processed +read 100 % +\d+ +\d+$/m)
  })

  it('shows one with its whole reading report', async () => {
    const shown = await json<unknown>('documents', 'show', 'acme', 'report')
    expect(faultsOf('DocumentDetail', shown)).toEqual([])
    const { stdout } = await run('documents', 'show', 'acme', 'report')
    expect(stdout).toMatch(/^name +Annual report$/m)
    expect(stdout).toMatch(/^Read whole: 46 of 46 characters \(100 %\), 1 of 1 passage\.$/m)
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  it('ends with 1 for a document that is not there', async () => {
    const { code, output } = await run('documents', 'show', 'acme', 'nothing')
    expect([code, output]).toEqual([1, expect.stringMatching(/No such document/)])
  })
})

describe('concord watch', () => {
  it('tells what was and what comes, and goes on where it was', async () => {
    const watching = world().start(['watch', 'acme', '--after', '0', '--json'], world().env)
    await waitUntil(() => watching.stdout().includes('convergence.changed'), {
      what: 'events',
      withinMs: 20_000,
    })
    await world().concord.ingestAndWait({
      scope_id: 'acme',
      document_id: 'note',
      name: 'Note',
      text: 'A note.',
    })
    await waitUntil(() => watching.stdout().includes('"subject":"note"'), { what: 'news', withinMs: 20_000 })
    watching.signal('SIGINT')
    expect((await watching.exited).code).toBe(0)
    const events = watching
      .stdout()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; type: string })
    expect(events.map(({ id }) => Number(id))).toEqual(events.map((_, at) => at + 1))
    for (const event of events) expect(faultsOf(event.type, event)).toEqual([])
    const position = /--after (\d+) goes on/.exec(watching.output())?.[1] ?? ''
    expect(Number(position)).toBe(events.length)
    const again = world().start(['watch', 'acme', '--after', String(Number(position) - 1)], world().env)
    await waitUntil(() => again.stdout().includes('\n'), { what: 'the last one', withinMs: 20_000 })
    again.signal('SIGINT')
    await again.exited
    expect(again.stdout().split('\n')[0]).toMatch(new RegExp(`^\\d\\d:\\d\\d:\\d\\d +${position}  [a-z.]+ `))
  })

  it('says that there is no such scope', async () => {
    const { code, output } = await run('watch', 'nowhere')
    expect([code, output]).toEqual([1, expect.stringMatching(/No such scope/)])
  })
})

it('knows the scope only where it is told one', async () => {
  const { code, output } = await world().run(['summary'], world().env)
  expect([code, output]).toEqual([1, expect.stringMatching(/Say which scope/)])
  expect(await world().concord.getOwnScope(scope)).toMatchObject({ scope_id: 'acme' })
})
