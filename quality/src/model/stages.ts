/** How far labelled pairs come through the steps of the model reader, and what the steps cost. */
import { MODEL_STEPS } from '@concord/service/src/domain/model.ts'
import type { GoldPair } from '../gold.ts'
import { showShare } from '../print.ts'
import type { Print } from '../print.ts'
import type { ScopeStages, Usage } from '../report.ts'
import { ratio, shareOf } from '../scores.ts'
import type { CaseResult, Share } from '../scores.ts'
import { addUsage } from './asking.ts'

interface StagedCase {
  readonly findings: readonly GoldPair[]
  readonly stages: ScopeStages
}

/** Prints the stages of a set that a model read, and returns their figures; null where another reader read it. */
export function printStages(
  print: Print,
  results: readonly CaseResult[],
): Readonly<Record<string, number | null>> | null {
  const cases = results.flatMap(({ gold, reading }): StagedCase[] =>
    reading.stages === undefined ? [] : [{ findings: gold.findings, stages: reading.stages }],
  )
  if (cases.length === 0) return null
  const coverage = coverageOf(cases)
  const [within20, within8] = [candidateRecall(cases, 20), candidateRecall(cases, 8)]
  const sum = (of: (stages: ScopeStages) => number) => cases.reduce((all, { stages }) => all + of(stages), 0)
  const words = sum((stages) => stages.words)
  const usage = addUsage(cases.map(({ stages }) => stages.usage))
  print(
    `  extraction: labelled quotes with a claim ${showShare(coverage)}, quotes dropped ${sum((stages) => stages.quotesDropped)}, windows unread ${sum((stages) => stages.unread)}`,
  )
  print(`  candidate recall within 20 (and 8): ${showShare(within20)} (${showShare(within8)})`)
  print(
    `  comparison: ${sum((stages) => stages.proposals)} pairs proposed, ${sum((stages) => stages.dropped)} refused, ${sum((stages) => stages.unanswered)} requests unanswered`,
  )
  print(
    `  verification: ${sum((stages) => stages.kept)} kept, ${sum((stages) => stages.proposals - stages.kept)} rejected`,
  )
  print(`  tokens per 1,000 words: ${showUsage(usage, words)}`)
  return {
    coverage: ratio(coverage),
    candidates_at_20: ratio(within20),
    tokens_per_1000_words: Math.round(tokensIn(usage) / (words / 1000)),
  }
}

function coverageOf(cases: readonly StagedCase[]): Share {
  const sides = cases.flatMap(({ findings, stages }) =>
    findings.flatMap(({ a, b }) => [a, b]).map(({ places }) => ({ places, stages })),
  )
  return shareOf(sides, ({ places, stages }) => stages.hasClaim(places))
}

/** The recall among pairs of which both sides have a claim. */
function candidateRecall(cases: readonly StagedCase[], limit: number): Share {
  const pairs = cases.flatMap(({ findings, stages }) =>
    findings
      .filter(({ a, b }) => stages.hasClaim(a.places) && stages.hasClaim(b.places))
      .map((pair) => ({ pair, stages })),
  )
  return shareOf(pairs, ({ pair, stages }) => stages.isCandidate(pair.a.places, pair.b.places, limit))
}

function tokensIn(usage: Usage): number {
  return MODEL_STEPS.reduce((sum, step) => sum + usage[step].inputTokens + usage[step].outputTokens, 0)
}

function showUsage(usage: Usage, words: number): string {
  const per = (tokens: number) => `${(tokens / words).toFixed(1)}k`
  const steps = MODEL_STEPS.map((step) => {
    const { requests, inputTokens, outputTokens } = usage[step]
    return `${step} ${per(inputTokens)} in, ${per(outputTokens)} out (${requests} requests)`
  })
  return `${per(tokensIn(usage))}: ${steps.join('; ')}`
}
