import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AskModel, ModelRequest } from '@concord/service/src/domain/model.ts'
import { requestHash } from '@concord/service/src/model/request-hash.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { MissingAnswer, replayAnswers } from '../src/model/asking.ts'
import { planComparisons } from '../src/model/comparisons.ts'
import { readScope } from '../src/model/pipeline.ts'
import { createRankedIndex } from '../src/model/ranking.ts'
import { createModelReader } from '../src/model/reader.ts'
import { listFacts } from '../src/model/scope-facts.ts'
import type { ScopeText } from '../src/report.ts'

/** A model that takes every line for a claim, every pair of lines with the same first word for a conflict, and finds it true. */
function modelOfLines(): { readonly ask: AskModel; readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = []
  return {
    requests,
    async ask(request) {
      requests.push(request)
      const content = JSON.stringify(answerTo(request))
      return { content, model: 'lines', usage: { inputTokens: 100, outputTokens: 10 } }
    },
  }
}

function answerTo({ step, user }: ModelRequest): unknown {
  const asked = JSON.parse(user)
  if (step === 'extract') return { claims: linesOf(asked.text).map(claimOf) }
  if (step === 'verify') return verdict
  const earlier: string[] = asked.earlier.flatMap(({ claims }: { claims: string[] }) => claims)
  return { pairs: asked.new.claims.flatMap((own: string) => pairsOf(own, earlier)) }
}

const verdict = {
  verdict: 'conflict',
  title: 'Rent: EUR 900 or EUR 950?',
  explanation: 'The lease says EUR 900, the letter EUR 950.',
  period: null,
  severity: 'medium',
  confidence: 0.9,
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

function claimOf(q: string) {
  const [s = ''] = q.split(' ')
  return { q, s, a: 'amount', v: /EUR \d+/.exec(q)?.[0] ?? q, t: null, m: 'fact', p: q }
}

function pairsOf(own: string, earlier: readonly string[]) {
  const [number, , subject] = own.split(' ')
  return earlier
    .map((line) => line.split(' '))
    .filter(([, , other]) => other === subject)
    .map(([b]) => ({ a: number, b, relation: 'conflict', why: 'same subject', confidence: 0.8 }))
}

function scopeOf(...texts: string[]): ScopeText {
  return {
    name: 'mills',
    documents: texts.map((text, index) => ({ id: `D0${index + 1}`, name: `${index + 1}.txt`, text })),
  }
}

const lease = '# Lease of 3 May 2025\n\nRent is EUR 900 a month.\nStaff are four people.\n'
const letter = '# Letter of 1 May 2025\n\nRent is EUR 950 a month.\nStaff are four people.\n'

describe('ranking by words', () => {
  it('puts rare words before frequent ones and gives no more than asked for', () => {
    const index = createRankedIndex<string>()
    index.add('rent', ['mill', 'rent', 'month'])
    index.add('roof', ['mill', 'roof', 'leak'])
    index.add('staff', ['mill', 'staff'])
    expect(index.find(['mill', 'leak'], 2)[0]).toBe('roof')
    expect(index.find(['mill', 'leak'], 2)).toHaveLength(2)
    expect(index.find(['harvest'], 20)).toEqual([])
  })
})

describe('the model reader', () => {
  it('compares each document with the earlier ones, and a fact that is known already not again', async () => {
    const { ask, requests } = modelOfLines()
    const { pairs, facts } = await readScope(scopeOf(lease, letter), ask, 24_000)
    expect(facts.map((own) => own.length)).toEqual([2, 1])
    expect(pairs.map(({ a, b }) => [a.id, b.id])).toEqual([['D02#1', 'D01#1']])
    expect(requests.map(({ step }) => step)).toEqual(['extract', 'extract', 'compare', 'verify'])
  })

  it('shows the side of the earlier date first when a pair is verified', async () => {
    const { ask, requests } = modelOfLines()
    await readScope(scopeOf(lease, letter), ask, 24_000)
    const asked = JSON.parse(requests.at(-1)?.user ?? '')
    expect([asked.a.date, asked.b.date]).toEqual(['2025-05-01', '2025-05-03'])
    expect(asked.a.quote).toBe('Rent is EUR 950 a month.')
  })

  it('reports pairs with exact quotes, counts tokens by step and says where a pair was lost', async () => {
    const reader = createModelReader(modelOfLines().ask, 24_000)
    const scope = scopeOf(lease, letter)
    expect(await reader.readAhead([scope])).toEqual(new Map())
    const { reports, stages } = await reader.read(scope)
    const [report] = reports
    expect(report && lease.slice(report.b.start, report.b.end)).toBe('Rent is EUR 900 a month.')
    expect(stages?.usage.extract).toEqual({ requests: 2, inputTokens: 200, outputTokens: 20 })
    const at = (document: string, text: string, words: string) => [
      { document, start: text.indexOf(words), end: text.indexOf(words) + words.length },
    ]
    const [rent, staff] = [at('D01', lease, 'EUR 900'), at('D02', letter, 'four people')]
    expect(stages?.hasClaim(rent)).toBe(true)
    expect(stages?.hasClaim(at('D01', lease, 'Lease'))).toBe(false)
    expect(stages?.explain(rent, staff).cause).toBe('compare: not proposed')
    expect(stages?.explain(rent, at('D02', letter, 'Letter')).cause).toBe('extract: no claim on side b')
    expect(stages?.isCandidate(rent, at('D02', letter, 'EUR 950'), 20)).toBe(true)
  })

  it('compares with the best candidates of each fact where the scope is beyond the budget', async () => {
    const many = Array.from(
      { length: 400 },
      (_, at) => `Mill${at} ground ${at} tonnes near the town of Quern${at}.`,
    )
    const some = Array.from({ length: 130 }, (_, at) => `Mill${at} ground ${at + 1} tonnes near Quern${at}.`)
    const { ask } = modelOfLines()
    const { documents } = await readScope(scopeOf(many.join('\n'), some.join('\n')), ask, 1e9)
    const [earlier = [], fresh = []] = listFacts(documents)
    const [document] = documents.slice(1)
    const plan = (tokens: number) =>
      document === undefined ? [] : planComparisons(document, fresh, earlier, tokens)
    expect(plan(1e9).map(({ earlier: [all] }) => all?.facts.length)).toEqual([400, 400])
    const bounded = plan(3_000)
    expect(bounded.flatMap(({ newDocument }) => newDocument.facts.map(({ id }) => id))).toEqual(
      fresh.map(({ id }) => id),
    )
    for (const { request, newDocument, earlier: shown } of bounded) {
      expect(request.user.length).toBeLessThanOrEqual(12_000)
      const ids = new Set(shown.flatMap(({ facts }) => facts.map(({ id }) => id)))
      for (const { id } of newDocument.facts) expect(ids).toContain(id.replace('D02', 'D01'))
    }
  })
})

describe('recorded answers', () => {
  const dir = mkdtempSync(join(tmpdir(), 'concord-answers-'))
  afterAll(() => rmSync(dir, { recursive: true }))

  it('are replayed by HTTP, and one that is missing is named', async () => {
    const { ask, requests } = modelOfLines()
    await readScope(scopeOf(lease, letter), ask, 24_000)
    mkdirSync(join(dir, 'answers'))
    for (const request of requests.filter(({ step }) => step !== 'verify'))
      writeFileSync(
        join(dir, 'answers', `${requestHash(request)}.json`),
        JSON.stringify({ model: 'recorded by a test', content: answerTo(request) }),
      )
    const source = await replayAnswers(dir)
    const reader = createModelReader(source.ask, 24_000)
    const missing = await reader.readAhead([scopeOf(lease, letter)])
    await source.close()
    const lost = missing.get('mills')
    expect(lost).toBeInstanceOf(MissingAnswer)
    expect([lost?.step, lost?.hash]).toEqual(['verify', requestHash(requests.at(-1) as ModelRequest)])
  })
})
