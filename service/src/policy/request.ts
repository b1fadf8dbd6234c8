/** Translates a question into a Cedar request: principal, action, resource and context. */
import { SEVERITY_RANKS } from '../domain/policy.ts'
import type {
  ContradictionFacts,
  DocumentFacts,
  PolicyPoint,
  PolicyQuestion,
  ScopeFacts,
} from '../domain/policy.ts'
import type { Cedar } from './cedar.ts'

type Value = string | number | boolean | undefined
type Known<Facts> = Readonly<Record<string, (facts: Facts) => Value>>

const PER_MILLE = 1000
const perMille = (share: number) => Math.round(share * PER_MILLE)
/** Rounds down, so that only a full share is 1000. The small addend corrects shares that are not exact in binary. */
const wholePerMille = (share: number) =>
  share < 1 ? Math.min(PER_MILLE - 1, Math.floor(share * PER_MILLE + 1e-9)) : PER_MILLE

const DOCUMENT: Known<DocumentFacts> = {
  type: ({ type }) => type,
  characters: ({ characters }) => characters,
  version: ({ version }) => version,
  name: ({ name }) => name,
  extension: ({ name }) => /\.([^.\s/\\]{1,20})$/.exec(name)?.[1]?.toLowerCase() ?? '',
  source: ({ source }) => source ?? undefined,
}

const CONTRADICTION: Known<ContradictionFacts> = {
  relation: ({ relation }) => relation,
  kind: ({ kind }) => kind,
  severity: ({ severity }) => severity,
  severity_rank: ({ severity }) => SEVERITY_RANKS[severity],
  confidence: ({ confidence }) => (confidence === null ? undefined : perMille(confidence)),
  reported: ({ reported }) => reported,
  same_document: ({ sameDocument }) => sameDocument,
}

const SCOPE: Known<ScopeFacts> = {
  state: ({ state }) => state,
  score: ({ score }) => perMille(score),
  // @point certificate.coverage
  coverage: ({ coverage }) => wholePerMille(coverage),
  agreement: ({ agreement }) => perMille(agreement),
  resolution: ({ resolution }) => perMille(resolution),
  stability: ({ stability }) => perMille(stability),
  documents: ({ documents }) => documents,
  unfinished: ({ unfinished }) => unfinished,
  held: ({ held }) => held,
  failed: ({ failed }) => failed,
  gaps: ({ gaps }) => gaps,
  claims: ({ claims }) => claims,
  compared: ({ compared }) => compared,
  incomplete: ({ incomplete }) => incomplete,
  reader: ({ reader }) => reader,
  open: ({ open }) => open.low + open.medium + open.high + open.critical,
  open_low: ({ open }) => open.low,
  open_medium: ({ open }) => open.medium,
  open_high: ({ open }) => open.high,
  open_critical: ({ open }) => open.critical,
}

const PROCESSING: Known<{ readonly stage: string; readonly model: string; readonly external: boolean }> = {
  stage: ({ stage }) => stage,
  model: ({ model }) => model,
  external: ({ external }) => external,
}

/** All attributes of a point, by their names in the schema. */
export const ATTRIBUTES: Readonly<
  Record<PolicyPoint, { readonly resource: string[]; readonly context: string[] }>
> = {
  admit_document: { resource: Object.keys(DOCUMENT), context: [] },
  process_document: { resource: Object.keys(DOCUMENT), context: Object.keys(PROCESSING) },
  settle_contradiction: { resource: Object.keys(CONTRADICTION), context: [] },
  settle_scope: { resource: [], context: Object.keys(SCOPE) },
}

export interface Named {
  readonly resource: readonly string[]
  readonly context: readonly string[]
}

/** Reads only the named attributes, because others may be expensive. */
export function attributesOf(question: PolicyQuestion, { resource, context }: Named) {
  switch (question.point) {
    case 'admit_document':
      return { resource: pick(DOCUMENT, question.document, resource), context: {} }
    case 'process_document':
      return {
        resource: pick(DOCUMENT, question.document, resource),
        context: pick(PROCESSING, question, context),
      }
    case 'settle_contradiction':
      return { resource: pick(CONTRADICTION, question.contradiction, resource), context: {} }
    case 'settle_scope':
      return { resource: {}, context: pick(SCOPE, question.scope, context) }
  }
}

function pick<Facts>(
  known: Known<Facts>,
  facts: Facts,
  names: readonly string[],
): Record<string, string | number | boolean> {
  const picked: Record<string, string | number | boolean> = {}
  for (const name of names) {
    const value = known[name]?.(facts)
    if (value !== undefined) picked[name] = value
  }
  return picked
}

export function idOf(question: PolicyQuestion): string {
  if ('documentId' in question) return question.documentId
  return 'contradictionId' in question ? question.contradictionId : question.scopeId
}

const TYPES: Readonly<Record<PolicyPoint, string>> = {
  admit_document: 'Concord::Document',
  process_document: 'Concord::Document',
  settle_contradiction: 'Concord::Contradiction',
  settle_scope: 'Concord::Scope',
}

export type CedarRequest = Pick<
  Cedar.StatefulAuthorizationCall,
  'principal' | 'action' | 'resource' | 'context' | 'entities'
>

export function requestOf(question: PolicyQuestion, named: Named): CedarRequest {
  const { tenantId, scopeId, point } = question
  const tenant = { type: 'Concord::Tenant', id: tenantId }
  const scope = { type: 'Concord::Scope', id: scopeId }
  const resource = { type: TYPES[point], id: idOf(question) }
  const attributes = attributesOf(question, named)
  const entities: Cedar.Entities = [
    { uid: tenant, attrs: {}, parents: [] },
    { uid: scope, attrs: {}, parents: [tenant] },
  ]
  if (point !== 'settle_scope') entities.push({ uid: resource, attrs: attributes.resource, parents: [scope] })
  return {
    principal: tenant,
    action: { type: 'Concord::Action', id: point },
    resource,
    context: attributes.context,
    entities,
  }
}
