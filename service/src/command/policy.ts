/** `concord policy`: checks, tests and explains policies before and after they are in force. */
import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { getPolicy } from '../app/access/policies.ts'
import type { PolicyEngine } from '../app/access/policies.ts'
import type { PolicyDecision, PolicyTexts } from '../domain/policy.ts'
import { actFor } from './acting.ts'
import type { WithOperator } from './operator.ts'
import { oneLine, printJson, printTable } from '@concord/cli/terminal'
import type { OutputOptions } from '@concord/cli/terminal'
import { readSituation, readSituationTable } from './policy-situations.ts'
import type { Situation } from './policy-situations.ts'

interface ExplainOptions extends OutputOptions {
  readonly request: string
  readonly scopePolicy?: string
  readonly tenant?: string
  readonly scope?: string
}

interface TestOptions extends OutputOptions {
  readonly times?: string
}

type EngineOf = () => PolicyEngine

export function addPolicyCommands(program: Command, engineOf: EngineOf, withOperator: WithOperator): void {
  const policy = program.command('policy').alias('policies').description('check, test and explain policies')
  policy
    .command('check <file>')
    .description(
      'print the errors that would prevent a text of policies from being put in force; needs no service',
    )
    .action((file: string) => checkFile(engineOf(), file))
  policy
    .command('test <file>')
    .description(
      'evaluate a table of situations in JSON, and compare with the expected results; needs no service',
    )
    .option('--times <n>', 'evaluate each situation this many times, and print the processor time')
    .option('--json', 'print JSON')
    .action((file: string, options: TestOptions) => testFile(engineOf(), file, options))
  policy
    .command('explain [file]')
    .description('print the decision in a situation, and the result of each policy')
    .requiredOption('--request <file>', 'the situation, in JSON')
    .option('--scope-policy <file>', 'policies of a scope, beside those in the file')
    .option('--tenant <id>', 'ask the policies that this tenant has in force, instead of a file')
    .option('--scope <id>', 'and those of this scope of the tenant')
    .option('--json', 'print JSON')
    .action((file: string | undefined, options: ExplainOptions) =>
      explain(engineOf(), file, options, withOperator),
    )
}

async function checkFile(engine: PolicyEngine, file: string): Promise<void> {
  const problems = engine.check(await readFile(file, 'utf8'))
  const name = oneLine(file)
  if (problems.length === 0) return void process.stdout.write(`${name}: can be put in force\n`)
  for (const { line, column, message, help } of problems) {
    const advice = help === null ? '' : `\n  ${oneLine(help)}`
    process.stdout.write(`${name}:${line}:${column}: ${oneLine(message)}${advice}\n`)
  }
  throw new Error(`${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} found`)
}

async function testFile(engine: PolicyEngine, file: string, options: TestOptions): Promise<void> {
  const { texts, situations } = await readSituationTable(file)
  requireSound(engine, texts)
  const set = engine.load(texts)
  const times = Number(options.times ?? 0)
  const rows = situations.map((situation) => ({
    ...toRow(situation, set.decide(situation.question)),
    ...(times > 0 && timesOf(() => set.decideAnew(situation.question), times)),
  }))
  printTable(rows, options)
  const wrong = rows.filter(({ result }) => result !== 'ok').length
  if (wrong > 0) throw new Error(`${wrong} of ${rows.length} situations are not decided as expected`)
}

/** Measures the minimum CPU time of three runs, so that other processes do not distort it. */
function timesOf(work: () => unknown, times: number) {
  const took = Array.from({ length: times }, () => {
    const tries = [0, 1, 2].map(() => {
      const before = process.cpuUsage()
      work()
      const { user, system } = process.cpuUsage(before)
      return (user + system) / MICROSECONDS
    })
    return Math.min(...tries)
  }).toSorted((a, b) => a - b)
  const at = (share: number) => took[Math.min(times - 1, Math.floor(share * times))] ?? 0
  return { p50_ms: Number(at(0.5).toFixed(3)), p99_ms: Number(at(0.99).toFixed(3)) }
}

const MICROSECONDS = 1_000

function requireSound(engine: PolicyEngine, { tenant, scope }: PolicyTexts): void {
  const [problem] = [...engine.check(tenant), ...engine.check(scope)]
  if (problem) throw new Error(`line ${problem.line}, column ${problem.column}: ${problem.message}`)
}

function toRow({ name, question, expected }: Situation, { allowed, reason, policies }: PolicyDecision) {
  const asExpected =
    (expected.allowed === undefined || expected.allowed === allowed) &&
    (expected.policies === undefined || expected.policies.toSorted().join() === policies.join())
  return {
    result: asExpected ? 'ok' : 'WRONG',
    situation: name,
    point: question.point,
    decision: allowed ? 'allow' : 'deny',
    reason,
    policies: policies.join(' '),
  }
}

const read = (path: string) => readFile(path, 'utf8')

async function explain(
  engine: PolicyEngine,
  file: string | undefined,
  options: ExplainOptions,
  withOperator: WithOperator,
): Promise<void> {
  const situation = await readSituation(options.request)
  if (options.tenant === undefined) {
    if (file === undefined) throw new Error('Say which policies: a file, or --tenant')
    const scope = options.scopePolicy === undefined ? '' : await read(options.scopePolicy)
    return printExplanation(engine, { tenant: await read(file), scope }, situation, options)
  }
  return withOperator(async (operator) => {
    const who = await actFor(operator, options.tenant ?? '')
    const scoped = options.scope === undefined ? undefined : await getPolicy(operator, who, options.scope)
    const texts = { tenant: (await getPolicy(operator, who, null)).text, scope: scoped?.text ?? '' }
    const { question } = situation
    const { tenantId } = who
    const there = { ...question, tenantId, scopeId: options.scope ?? question.scopeId }
    printExplanation(engine, texts, { ...situation, question: there }, options)
  })
}

function printExplanation(
  engine: PolicyEngine,
  texts: PolicyTexts,
  { question }: Situation,
  options: OutputOptions,
): void {
  requireSound(engine, texts)
  const { decision, policies } = engine.explain(texts, question)
  if (options.json) return printJson({ ...decision, said: policies })
  const by = decision.policies.length > 0 ? ` by ${decision.policies.join(', ')}` : ''
  process.stdout.write(
    `${oneLine(`${question.point}: ${decision.allowed ? 'allow' : 'deny'}, ${decision.reason}${by}`)}\n\n`,
  )
  printTable(
    policies.map(({ id, effect, says }) => ({ policy: id, effect, says })),
    options,
  )
}
