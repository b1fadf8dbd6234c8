/** A model that compares statements by their numbers, served by HTTP, and steps that are compared by it. */
import {
  askModelAboutStep,
  completeStep,
  findDueSteps,
  deferStep,
  leaseStep,
} from '../../src/app/comparing/comparison-steps.ts'
import type { ComparisonDeps, LeasedStep } from '../../src/app/comparing/comparison-steps.ts'
import { createModelEndpoint } from '../../src/endpoint/model-endpoint.ts'
import type { Pools } from '../../src/store/pools.ts'
import type { Bureau } from './claims.ts'
import { completion, sendJson } from './model-endpoint.ts'
import type { Behaviour, TestModelServer } from './model-endpoint.ts'
import { auditor } from './people.ts'
import type { TestTenant } from './people.ts'
import { policiesOf } from './policies.ts'

interface ComparedPart {
  readonly title: string | null
  readonly claims: readonly string[]
}

/** The question of a request, whichever of the three it is. */
export interface AskedQuestion {
  /** The claims of one document. */
  readonly claims?: readonly string[]
  readonly new?: ComparedPart
  readonly earlier?: readonly ComparedPart[]
  readonly a?: { readonly title: string | null; readonly statement: string }
  readonly b?: { readonly title: string | null; readonly statement: string }
}

export function questionIn(body: Record<string, unknown>): AskedQuestion {
  const messages = body['messages'] as { role: string; content: string }[]
  return JSON.parse(messages.find(({ role }) => role === 'user')?.content ?? '{}') as AskedQuestion
}

const numbered = (lines: readonly string[]) =>
  lines.map((line) => {
    const [no = '', ...rest] = line.split(' ')
    return { no, statement: rest.join(' ') }
  })

/** Pairs of statements that are alike but for their numbers; of the period they say nothing. */
function pairsIn({ claims, new: fresh, earlier = [] }: AskedQuestion) {
  const measure = (statement: string) => statement.replaceAll(/EUR [\d.]+m/g, 'EUR')
  const others = numbered(claims ?? earlier.flatMap((part) => part.claims))
  return numbered(claims ?? fresh?.claims ?? []).flatMap((own, at) =>
    (claims ? others.slice(at + 1) : others)
      .filter(
        (other) => other.statement !== own.statement && measure(other.statement) === measure(own.statement),
      )
      .map((other) => ({
        a: own.no,
        b: other.no,
        relation: 'conflict',
        why: 'other numbers',
        confidence: 0.9,
      })),
  )
}

export const verdictOn = ({ a, b }: AskedQuestion, over: object = {}) => ({
  verdict: 'conflict',
  title: `What is right?`,
  explanation: `${a?.title} says “${a?.statement}”, ${b?.title} says “${b?.statement}”`,
  period: '2025',
  severity: 'high',
  confidence: 0.9,
  ...over,
})

/** Answers all kinds of request as a model should. */
export const compareByNumbers =
  (over: object = {}): Behaviour =>
  ({ body }, response) => {
    const question = questionIn(body)
    const answer = question.a ? verdictOn(question, over) : { pairs: pairsIn(question) }
    sendJson(response, 200, completion(JSON.stringify(answer)))
  }

export interface Comparing {
  readonly deps: ComparisonDeps
  readonly announced: string[]
  due(): Promise<readonly Parameters<typeof leaseStep>[1][]>
  takeOne(): Promise<LeasedStep>
  /** Compares all that is due, one step after the other; tells how each ended. */
  compareAll(): Promise<string[]>
}

export function openComparing(
  worker: Pools,
  tenant: TestTenant,
  bureau: Pick<Bureau, 'seals'>,
  { url }: Pick<TestModelServer, 'url'>,
  over: Partial<ComparisonDeps> = {},
): Comparing {
  const nameOf = () => 'asked-model'
  const endpoint = createModelEndpoint({
    url,
    apiKey: undefined,
    nameOf,
    format: 'json_schema',
    timeoutMs: 5_000,
    concurrency: 20,
  })
  const announced: string[] = []
  const deps: ComparisonDeps = {
    pools: worker,
    seals: bureau.seals,
    policies: policiesOf(worker.tenant),
    auditor,
    ask: (_, request, signal) => endpoint.ask(request, signal),
    nameOf,
    external: false,
    budget: 24_000,
    leaseMs: 60_000,
    announceEvents: (_, scopeId) => announced.push(scopeId),
    ...over,
  }
  const due = async () =>
    (await findDueSteps(deps, 1_000)).filter(({ tenantId }) => tenantId === tenant.tenantId)
  return {
    deps,
    announced,
    due,
    async takeOne() {
      const [place] = await due()
      const taken = place && (await leaseStep(deps, place))
      if (!taken || typeof taken === 'string') throw new Error('there is no step to take')
      return taken
    },
    async compareAll() {
      const ends: string[] = []
      for (const place of await due()) {
        const taken = await leaseStep(deps, place)
        if (typeof taken === 'string') {
          ends.push(taken)
          continue
        }
        try {
          ends.push(await completeStep(deps, taken, await askModelAboutStep(deps, taken)))
        } catch (error) {
          await deferStep(deps, taken, error)
          ends.push('failed')
        }
      }
      return ends
    },
  }
}
