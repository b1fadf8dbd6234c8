/** The case that ships with the project: what a newcomer is shown is found, and is right. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runChild, startChild } from '@concord/tools/launch'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Contradiction } from '@concord/client'
import { faultsOf } from './support/contract.ts'
import { useWorld } from './support/service.ts'

vi.setConfig({ testTimeout: 60_000 })

const world = useWorld()
const server = join(import.meta.dirname, '..', '..', 'service', 'src', 'main', 'concord.ts')
const documents = readdirSync(join(import.meta.dirname, '..', 'demo'))

async function demo(...args: string[]) {
  const child = startChild({
    command: process.execPath,
    args: [server, 'demo', ...args],
    env: world().serverEnv,
  })
  const { code } = await child.exited
  return { code, stdout: child.stdout(), output: child.output() }
}

const withoutIds = (text: string) => text.replaceAll(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'ID')

/** What the last paragraph says to do, done in a shell in another folder that knows nothing of the clone. */
async function pasteCommands(stdout: string): Promise<string> {
  const commands = stdout.slice(stdout.indexOf('To go on:\n') + 'To go on:\n'.length)
  return runChild({
    command: 'sh',
    args: ['-ec', commands],
    env: { PATH: '/usr/bin:/bin', HOME: world().home },
    cwd: world().home,
  })
}

let shown: {
  readonly summary: { readonly processed: number }
  readonly contradictions: readonly Contradiction[]
}

beforeAll(async () => {
  const { code, stdout, output } = await demo('--url', world().url, '--json')
  if (code !== 0) throw new Error(output)
  shown = JSON.parse(stdout) as typeof shown
}, 60_000)

const values = ({ a, b }: Contradiction) => [a.value?.text ?? '', b.value?.text ?? ''].toSorted().join(' | ')

describe('concord demo', () => {
  it('has a dozen documents processed', () => {
    expect(documents).toHaveLength(12)
    expect(shown.summary.processed).toBe(12)
  })

  it('finds what the case was written to hold, and nothing else', () => {
    expect(shown.contradictions.flatMap((each) => faultsOf('Contradiction', each))).toEqual([])
    const byRelation = Object.groupBy(shown.contradictions, ({ relation }) => relation)
    expect(byRelation.conflict?.map(values).toSorted()).toEqual([
      '1,050 cubic metres | 900 cubic metres',
      '214 | 231',
      '30 June 2028 | 30 June 2031',
      '30 September 2026 | 31 March 2027',
      '5,400 | 6,200',
      '5.25 % | 6.75 %',
      'GBP 4.3m | GBP 5.1m',
      'GBP 46.9m | GBP 48.2m',
      'GBP 50,000 | GBP 75,000',
    ])
    expect(byRelation.restatement?.map(values)).toEqual(['214 | 231'])
    expect(byRelation.change?.map(values)).toEqual(['GBP 7.4m | GBP 8.9m'])
  })

  it('shows what weighs most first, with both quotes, and what to do next', async () => {
    const { code, stdout } = await demo('--url', world().url)
    expect(code).toBe(0)
    expect(stdout).toContain('12 accepted, 0 repeated, 12 processed')
    expect(stdout).toMatch(/^characters \d+ to \d+ +\| characters \d+ to \d+$/m)
    expect(stdout.indexOf('Larkfield Dairy Ltd: operating profit, 2025')).toBeLessThan(
      stdout.indexOf('Larkfield Dairy Ltd: employees, 2025-12-31'),
    )
    expect(stdout).toContain(`To go on:\n\n  export CONCORD_URL=${world().url} TENANT_ID=`)
    expect(await pasteCommands(stdout)).toContain('resolved')
  })

  it('prints what the README shows of it', async () => {
    const readme = readFileSync(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8')
    const [, sample = 'no sample'] = /npm run demo[^]*?```\n\n```\n([^]*?)```/.exec(readme) ?? []
    const { stdout } = await demo('--url', world().url)
    expect(withoutIds(stdout)).toContain(withoutIds(sample))
  })

  it('says how to start the service again first where that stops with the demo', async () => {
    const { stdout } = await demo('--url', world().url, '--start-again', 'PORT=9000 npm run dev')
    expect(stdout).toMatch(
      /start it in a second terminal:\n\n {2}PORT=9000 npm run dev\n[^]*export CONCORD_URL=/,
    )
  })

  it('says so where no service answers', async () => {
    const { code, output } = await demo('--url', 'http://127.0.0.1:1')
    expect(code).toBe(1)
    expect(output).toContain('Nothing answers at http://127.0.0.1:1; start the service with concord up')
  })
})
