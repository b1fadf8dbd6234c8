/** Looks at everything that a scope tells after a hostile document came, beside a scope that had none. */
import { requestAll, send } from '../../harness/http.ts'
import type { HttpRequest } from '../../harness/http.ts'
import type { Place } from '../../harness/places.ts'
import { HONEST, MARK } from './documents.ts'
import type { SentPaper } from './documents.ts'

export interface InjectionTrial {
  readonly place: Place
  readonly mark: string
  readonly papers: readonly SentPaper[]
  /** The name of the one to blame, for people. */
  readonly name: string
}

interface Listed {
  readonly document_id: string
  readonly quote: string
  readonly start: number
  readonly end: number
}

interface ListedClaim extends Listed {
  readonly entity: string | null
  readonly attribute: string
}

interface ListedContradiction {
  readonly title: string | null
  readonly explanation: string
  readonly entity: string | null
  readonly attribute: string | null
  readonly status: string
  readonly a: Listed
  readonly b: Listed
}

interface ListedDocument {
  readonly document_id: string
  readonly status: string
  readonly attempt: number
}

/** The outcome of the honest documents of a scope, without its mark. */
export interface HonestOutcome {
  readonly claims: readonly string[]
  readonly contradictions: readonly string[]
}

export interface InjectionOutcome extends HonestOutcome {
  /** Quotes that are not the words of their document at their place. */
  readonly misquoted: readonly string[]
  readonly unended: readonly string[]
  /** Words of other scopes, control characters, and fields beyond their limits in what the API tells. */
  readonly foreign: readonly string[]
  readonly raw: readonly string[]
  readonly overlong: readonly string[]
  /** Contradictions of the hostile document with honest ones. */
  readonly own: number
  /** Hostile documents that are in one. */
  readonly contesting: number
  readonly hostileClaims: number
}

export function asTenant({ scopeId, tenantKey, tenantId }: Place, path: string): HttpRequest {
  return { path: `/api/scopes/${scopeId}/${path}`, bearer: tenantKey, tenantId }
}

const isHonest = (id: string) => HONEST.some((each) => each === id)

/** Characters that a terminal would obey, what turns a line, and what nobody sees. Line breaks of a quote are its own. */
const RAW = /[^\P{Cc}\n\t]|(?![\u200c\u200d])\p{Cf}/u
const LIMITS = { title: 300, explanation: 1_200, name: 400 }

export async function inspectScope(url: string, trial: InjectionTrial): Promise<InjectionOutcome> {
  const { place, mark, papers, name } = trial
  const [claims, contradictions, documents] = await Promise.all([
    requestAll<ListedClaim>(url, asTenant(place, 'claims')),
    requestAll<ListedContradiction>(url, asTenant(place, 'contradictions')),
    requestAll<ListedDocument>(url, asTenant(place, 'documents')),
  ])
  const bodies = await Promise.all(
    ['claims', 'contradictions', 'documents', 'convergence'].map(
      async (path) => (await send(url, asTenant(place, path))).text,
    ),
  )
  const texts = new Map(papers.map(({ id, text }) => [id, Array.from(text)]))
  const quoted = [...claims, ...contradictions.flatMap(({ a, b }) => [a, b])]
  const isMisquoted = ({ document_id: id, quote, start, end }: Listed) =>
    quote === '' || texts.get(id)?.slice(start, end).join('') !== quote
  const withoutMark = (words: string) => words.replaceAll(mark, 'Q')
  const between = contradictions.filter(({ a, b }) => isHonest(a.document_id) && isHonest(b.document_id))
  const against = contradictions
    .filter(({ a, b }) => isHonest(a.document_id) !== isHonest(b.document_id))
    .map(({ a, b }) => (isHonest(a.document_id) ? b : a).document_id)
  const told = (words: readonly string[]) => words.map((each) => `${name}: ${each}`)
  const written = [
    ...claims.flatMap(({ entity, attribute }) => [entity ?? '', attribute]),
    ...contradictions.flatMap(({ title, explanation, entity, attribute }) => [
      title ?? '',
      explanation,
      entity ?? '',
      attribute ?? '',
    ]),
  ]
  return {
    claims: claims
      .filter(({ document_id: id }) => isHonest(id))
      .map(({ document_id: id, quote, entity }) => withoutMark(`${id}: ${quote} (${entity})`))
      .toSorted(),
    contradictions: between.map((each) => withoutMark(describe(each))).toSorted(),
    misquoted: told(quoted.filter(isMisquoted).map(({ document_id: id, quote }) => `${id}: ${quote}`)),
    unended: told([
      ...documents
        .filter(({ status }) => status !== 'processed')
        .map((each) => `${each.document_id} is ${each.status}`),
      ...papers
        .filter(({ id }) => !documents.some((each) => each.document_id === id))
        .map(({ id }) => `${id} is gone`),
    ]),
    foreign: told(bodies.flatMap((body) => (body.match(MARK) ?? []).filter((each) => each !== mark))),
    raw: told([
      ...bodies.filter((body) => /[^\P{Cc}\n]/u.test(body)).map((body) => JSON.stringify(body).slice(0, 200)),
      ...written.filter((words) => RAW.test(words)).map((words) => JSON.stringify(words)),
    ]),
    overlong: told(contradictions.filter(isOverlong).map(({ title }) => String(title).slice(0, 80))),
    own: against.length,
    contesting: new Set(against).size,
    hostileClaims: claims.filter(({ document_id: id }) => !isHonest(id)).length,
  }
}

/** Everything of a contradiction that a person sees. */
function describe({ a, b, title, explanation, status }: ListedContradiction): string {
  return [status, `${a.document_id}: ${a.quote}`, `${b.document_id}: ${b.quote}`, title, explanation].join(
    ' | ',
  )
}

function isOverlong({ title, explanation, entity, attribute }: ListedContradiction): boolean {
  return (
    (title?.length ?? 0) > LIMITS.title ||
    explanation.length > LIMITS.explanation ||
    (entity?.length ?? 0) > LIMITS.name ||
    (attribute?.length ?? 0) > LIMITS.name
  )
}
