// The page of all served operations by tier: who may call them, what they answer and what can go wrong.

import { problemsOf, problems, servedOperations } from '@concord/contract'
import type { AnswerBody, Operation, ProblemCode, Tier } from '@concord/contract'
import { GENERATED } from './generated.ts'

const tiers: readonly (readonly [Tier, string, string])[] = [
  ['open', 'Open', 'No credential.'],
  ['public', 'Tenant: /api', 'A tenant key, as `Authorization: Bearer`.'],
  ['admin', 'Administrator: /admin', 'An admin or internals key, as `Authorization: Bearer`.'],
  ['internals', 'Operator: /internals', 'An internals key, as `Authorization: Bearer`.'],
]

export function apiPage(): string {
  const shared = problemsOfEvery(servedOperations)
  return `${GENERATED}
# Operations

This page lists all ${servedOperations.length} served operations by tier. Bodies, parameters and responses are in \`/openapi.json\`, and rendered at \`/docs\`, of every API
process. The name of an operation is the same here, in the client and in the log.

Every operation can also return ${codeList(shared)}; these are not listed below. [Problems](problems/README.md) explains each code and what to do.
${tiers.map(([tier, title, credential]) => tierSection(tier, title, credential, shared)).join('')}`
}

function tierSection(tier: Tier, title: string, credential: string, ofAll: readonly ProblemCode[]): string {
  const operations = servedOperations.filter((each) => each.tier === tier)
  const ofTier = problemsOfEvery(operations.filter(({ anonymous }) => anonymous !== true))
  const added = ofTier.filter((code) => !ofAll.includes(code))
  const rows = operations.map(
    ({ name, method, path, summary }) =>
      `| \`${method} ${path}\` | ${summary} | [${name}](#${name.toLowerCase()}) |`,
  )
  return `
## ${title}

${credential}${added.length > 0 ? ` Operations that need it can also return ${codeList(added)}; these are not listed below.` : ''}

| route | does | name |
|---|---|---|
${rows.join('\n')}
${operations.map((operation) => operationSection(operation, [...ofAll, ...added])).join('')}`
}

function operationSection(operation: Operation, shared: readonly ProblemCode[]): string {
  const { name, method, path, description, answers, aliases = [] } = operation
  const own = problemsOf(operation).filter((code) => !shared.includes(code))
  const lines = [
    `### ${name}`,
    `\`${method} ${path}\``,
    description,
    ...credentialsOf(operation),
    `Answers ${Object.entries(answers)
      .map(([status, body]) => answerOf(status, body))
      .join(', ')}${operation.conditional ? ', 304' : ''}.`,
    ...(own.length > 0 ? [`Problems: ${codeList(own)}.`] : []),
    ...aliases.map((alias) => `Deprecated alias until ${alias.sunsetOn}: \`${alias.path}\`.`),
  ]
  return `\n${lines.join('\n\n')}\n`
}

function credentialsOf({
  anonymous,
  tier,
  tenantKey,
  tenantKeyOptional,
  tenantIdRequired,
}: Operation): string[] {
  if (anonymous === true && tier !== 'open') return ['Needs no credential.']
  if (tenantKey === true) return ['Needs the tenant key as well, as `X-Tenant-API-Key`.']
  if (tenantKeyOptional === true) return ['Takes the tenant key as well, as `X-Tenant-API-Key`.']
  return tenantIdRequired === true ? ['Needs `X-Tenant-ID`.'] : []
}

function answerOf(status: string, body: AnswerBody): string {
  if (body === 'event-stream') return `${status} with an [event stream](events.md)`
  if (body === 'file') return `${status} with a file`
  return body === 'html' ? `${status} with a page` : status
}

function problemsOfEvery(operations: readonly Operation[]): ProblemCode[] {
  const each = operations.map((operation) => new Set(problemsOf(operation)))
  return [...(each[0] ?? [])].filter((code) => each.every((codes) => codes.has(code)))
}

function codeList(codes: readonly ProblemCode[]): string {
  return codes.map((code) => `[${problems[code].status} ${code}](problems/${code}.md)`).join(', ')
}
