// Writes a page for each problem, and one that lists them. The address of a page ends like the `type` of the problem.

import { problemCodes, problems, problemsOf, servedOperations } from '@concord/contract'
import type { ProblemCode } from '@concord/contract'
import { GENERATED } from './generated.ts'
import { problemNotes } from './problem-notes.ts'

const FOLDER = 'docs/reference/problems'
const REQUEST = 'b7c1f0a2-4d3e-4f6b-9a85-0c2d1e3f4a5b'

export function problemPages(): Map<string, string> {
  return new Map([
    [`${FOLDER}/README.md`, indexPage()],
    ...problemCodes.map((code) => [`${FOLDER}/${code}.md`, problemPage(code)] as const),
  ])
}

function indexPage(): string {
  return `${GENERATED}
# Problems: error codes

Every error response is a problem document (RFC 9457), \`application/problem+json\`. Branch on \`code\`, which is stable; \`title\` and
\`detail\` are for people. \`type\` is \`/problems/{code}\`, below \`PUBLIC_URL\` if that is set, and the service answers a \`GET\` of it.

| code | status | meaning |
|---|---|---|
${problemCodes.map((code) => `| [${code}](${code}.md) | ${problems[code].status} | ${problems[code].title} |`).join('\n')}
`
}

function problemPage(code: ProblemCode): string {
  const { status, title, detail } = problems[code]
  const { when, see } = problemNotes[code]
  return `${GENERATED}
# ${code}

**${status}. ${title}.** ${when}

**What to do.** ${detail}${see ? ` See [${see[0]}](${see[1]}).` : ''}

**Retry?** ${repeating(status)}

\`\`\`json
${JSON.stringify(exampleOf(code), null, 2)}
\`\`\`

${operationsThatAnswer(code)}

All codes: [problems](README.md).
`
}

function repeating(status: number): string {
  if (status === 429)
    return 'Yes, send the same request after the seconds in `Retry-After`. Nothing was done.'
  if (status === 408) return 'Yes, send the same request. Nothing was done.'
  if (status >= 500)
    return 'Yes, after `Retry-After` or with exponential backoff. The request may have been executed, so ingest with the same idempotency key or the same `document_id`.'
  return 'No. The same request is refused again until you change it or the state that it depends on.'
}

function exampleOf(code: ProblemCode): Record<string, unknown> {
  const { status, title, detail } = problems[code]
  return {
    type: `/problems/${code}`,
    title,
    status,
    detail,
    instance: `urn:concord:request:${REQUEST}`,
    code,
    request_id: REQUEST,
    ...(code === 'validation_failed' && {
      errors: [{ pointer: '#/name', code: 'too_short', message: 'Send at least 1 character.' }],
    }),
  }
}

function operationsThatAnswer(code: ProblemCode): string {
  const all = servedOperations.filter((operation) => problemsOf(operation).includes(code))
  if (all.length === 0) return 'No operation that is served answers with it today.'
  if (all.length > 12)
    return `Answered by ${all.length} of ${servedOperations.length} [operations](../api.md).`
  const named = all.map(({ name }) => `[${name}](../api.md#${name.toLowerCase()})`)
  return `Answered by ${named.join(', ')}.`
}
