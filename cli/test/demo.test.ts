/** The cases that ship with the project: what a newcomer is shown is found, and is right. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runChild, startChild, waitUntil } from '@concord/tools/launch'
import type { Child } from '@concord/tools/launch'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Contradiction } from '@concord/client'
import { faultsOf } from './support/contract.ts'
import { isReported, readLabels } from './support/labels.ts'
import { useWorld } from './support/service.ts'
import type { CliWorld } from './support/service.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const ROOT = join(import.meta.dirname, '..', '..')
const SERVER = join(ROOT, 'service', 'src', 'main', 'concord.ts')
const MODEL = join(ROOT, 'tools', 'model.ts')
const ANSWERS = join(ROOT, 'tools', 'demo', 'answers')

interface Shown {
  readonly summary: { readonly processed: number }
  readonly contradictions: readonly Contradiction[]
}

async function runDemo({ serverEnv }: CliWorld, ...args: string[]) {
  const child = startChild({ command: process.execPath, args: [SERVER, 'demo', ...args], env: serverEnv })
  const { code } = await child.exited
  return { code, stdout: child.stdout(), output: child.output() }
}

async function readShown(world: CliWorld, ...args: string[]): Promise<Shown> {
  const { code, stdout, output } = await runDemo(world, '--url', world.url, '--json', ...args)
  if (code !== 0) throw new Error(output)
  return JSON.parse(stdout) as Shown
}

const withoutIds = (text: string) => text.replaceAll(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'ID')

/** Runs the commands of the last paragraph in a shell in another folder that knows nothing of the clone. */
async function pasteCommands({ home }: CliWorld, stdout: string): Promise<string> {
  const commands = stdout.slice(stdout.indexOf('To go on:\n') + 'To go on:\n'.length)
  const env = { PATH: '/usr/bin:/bin', HOME: home }
  return runChild({ command: 'sh', args: ['-ec', commands], env, cwd: home })
}

describe('concord demo with recorded answers of a language model', () => {
  let model: Child
  let modelUrl = ''
  beforeAll(async () => {
    const args = [MODEL, '--dir', ANSWERS, '--replay', '--port', '0']
    model = startChild({ command: process.execPath, args, env: process.env })
    const what = 'the address of recorded answers'
    modelUrl = await waitUntil(() => /MODEL_URL=(\S+)/.exec(model.stdout())?.[1], { what, withinMs: 60_000 })
  })
  afterAll(() => model.stop())
  const world = useWorld(() => ({ MODEL_URL: modelUrl, MODEL_NAME: 'recorded' }))
  const recorded = ['--recorded', 'November 2026']

  it('reports every contradiction that the case is labelled with, and none of its look-alikes', async () => {
    const { summary, contradictions } = await readShown(world(), ...recorded)
    const { findings, traps } = readLabels('tannery-bridge', 'natural-03')
    expect(summary.processed).toBe(8)
    expect(contradictions.flatMap((each) => faultsOf('Contradiction', each))).toEqual([])
    expect([findings.length, traps.length]).toEqual([15, 10])
    expect(findings.filter((pair) => !isReported(contradictions, pair))).toEqual([])
    expect(traps.filter((pair) => isReported(contradictions, pair))).toEqual([])
    const health = await fetch(new URL('/health', modelUrl))
    expect(await health.json()).toMatchObject({ answered: 37, unknown: 0 })
  })

  it('prints what the README shows of it, what is no contradiction, how settled the scope is, and what to do next', async () => {
    const { code, stdout } = await runDemo(world(), '--url', world().url, ...recorded)
    expect(code).toBe(0)
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
    const [, sample = 'no sample'] = /npm run demo[^]*?```\n\n```\n([^]*?)```/.exec(readme) ?? []
    expect(sample).toContain('answers of a language model, recorded November 2026')
    expect(withoutIds(stdout)).toContain(withoutIds(sample))
    expect(Math.max(...sample.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(stdout).toContain(
      'is none, and was not reported:\n  the same thickness\n    progress-meeting-9.md: ',
    )
    expect(stdout).toMatch(/^convergence +contested/m)
    expect(stdout).toContain('--holds a --reason "the contract decides"')
    const pasted = await pasteCommands(world(), stdout)
    expect(pasted).toContain('resolved')
    expect(pasted).toContain('contract-extract.txt holds: "£3,860,000"')
  })
})

describe('concord demo without a language model', () => {
  const world = useWorld()

  it('finds what the case was written to hold, and nothing else', async () => {
    const { summary, contradictions } = await readShown(world())
    expect(summary.processed).toBe(12)
    expect(contradictions.flatMap((each) => faultsOf('Contradiction', each))).toEqual([])
    const byRelation = Object.groupBy(contradictions, ({ relation }) => relation)
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
    const { code, stdout } = await runDemo(world(), '--url', world().url)
    expect(code).toBe(0)
    expect(stdout).toContain('Rules read them. In documents as people write them, rules miss most')
    expect(stdout).toContain('12 accepted, 0 repeated, 12 processed')
    expect(stdout).toMatch(/^characters \d+ to \d+ +\| characters \d+ to \d+$/m)
    expect(stdout.indexOf('Larkfield Dairy Ltd: operating profit, 2025')).toBeLessThan(
      stdout.indexOf('Larkfield Dairy Ltd: employees, 2025-12-31'),
    )
    expect(stdout).toContain(`To go on:\n\n  export CONCORD_URL=${world().url} TENANT_ID=`)
    expect(await pasteCommands(world(), stdout)).toContain('resolved')
  })

  it('says so where rules read what was meant for a language model', async () => {
    const { code, output } = await runDemo(world(), '--url', world().url, '--reader', 'model')
    expect(code).toBe(1)
    expect(output).toContain('Rules read 8 of 8 documents: the service has no language model. Set MODEL_URL')
  })

  it('says how to start the service again first where that stops with the demo', async () => {
    const { stdout } = await runDemo(world(), '--url', world().url, '--start-again', 'PORT=9000 npm run dev')
    expect(stdout).toMatch(
      /start it in a second terminal:\n\n {2}PORT=9000 npm run dev\n[^]*export CONCORD_URL=/,
    )
  })

  it('says so where no service answers', async () => {
    const { code, output } = await runDemo(world(), '--url', 'http://127.0.0.1:1')
    expect(code).toBe(1)
    expect(output).toContain('Nothing answers at http://127.0.0.1:1; start the service with concord up')
  })

  it('has the documents of both cases', () => {
    const count = (scope: string) => readdirSync(join(ROOT, 'cli', 'demo', scope)).length
    expect([count('tannery-bridge'), count('project-clover')]).toEqual([8, 12])
  })
})

function values({ a, b }: Contradiction): string {
  return [a.value?.text ?? '', b.value?.text ?? ''].toSorted().join(' | ')
}
