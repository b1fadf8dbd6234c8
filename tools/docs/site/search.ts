// How the search of the site ranks pages, and the words it must find.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import MiniSearch from 'minisearch'

/** VitePress writes this function into the pages of the site, so it uses nothing from outside. */
function boostDocument(id: string): number {
  if (id.startsWith('/CHANGELOG')) return 0.02
  if (/^\/(docs\/decisions|docs\/glossary|ARCHITECTURE|CONTRIBUTING|SECURITY)/.test(id)) return 0.2
  if (id.startsWith('/docs/explanation/path-of-a-document')) return 0.2
  if (id.startsWith('/docs/reference/problems')) return 0.4
  if (id.startsWith('/docs/how-to') || id.startsWith('/docs/explanation')) return 1.5
  return id.startsWith('/docs/') ? 1 : 0.5
}

export const searchOptions = {
  fuzzy: 0.2,
  prefix: true,
  boost: { title: 4, text: 2, titles: 1 },
  boostDocument,
}

/** Words that an engineer searches for, and pages of which one must be among the first three. */
const SEARCH_TERMS: readonly (readonly [term: string, ...pages: string[]])[] = [
  ['retry', 'how-to/failed-documents', 'how-to/ingest', 'how-to/client'],
  ['timeout', 'how-to/client', 'reference/limits', 'how-to/language-model'],
  ['dead letter', 'how-to/failed-documents'],
  ['rate limit', 'reference/limits'],
  ['leader election', 'how-to/operations'],
  ['fencing', 'explanation/state-machines'],
  ['idempotency', 'how-to/ingest'],
  ['delete document', 'how-to/ingest', 'how-to/operations'],
  ['GDPR', 'how-to/operations', 'how-to/retention'],
  ['retention', 'how-to/operations', 'how-to/retention'],
  ['TLS', 'how-to/reverse-proxy', 'how-to/failover'],
  ['nginx', 'how-to/reverse-proxy'],
  ['load balancer', 'how-to/reverse-proxy', 'how-to/operations'],
  ['RDS', 'how-to/managed-postgres'],
  ['PgBouncer', 'how-to/managed-postgres', 'how-to/failover'],
  ['sizing', 'how-to/sizing'],
  ['memory', 'how-to/sizing', 'reference/limits'],
  ['PDF', 'how-to/command-line', 'how-to/files'],
  ['Excel', 'how-to/command-line', 'how-to/files'],
  ['OCR', 'explanation/not-included'],
  ['Python', 'how-to/other-languages'],
  ['webhook', 'how-to/webhooks'],
  ['metrics', 'reference/telemetry'],
  ['Prometheus', 'reference/telemetry'],
  ['health check', 'how-to/operations', 'how-to/reverse-proxy'],
  ['backup', 'how-to/restore-a-backup'],
  ['high availability', 'how-to/failover', 'how-to/sizing'],
  ['restore', 'how-to/restore-a-backup'],
  ['upgrade', 'how-to/deploy', 'how-to/operations'],
  ['Kubernetes', 'how-to/deploy'],
  ['Helm', 'how-to/deploy'],
  ['Docker', 'how-to/deploy'],
  ['S3', 'how-to/s3'],
  ['language model', 'how-to/language-model'],
  ['CORS', 'how-to/reverse-proxy', 'reference/configuration'],
  ['pagination', 'how-to/other-languages'],
  ['REST API', 'reference/api'],
  ['environment variables', 'reference/configuration'],
  ['Ollama', 'how-to/language-model'],
  ['accuracy', 'explanation/reading-with-a-model', 'explanation/reading'],
  ['languages', 'explanation/reading-with-a-model', 'how-to/language-model'],
  ['cost', 'how-to/language-model'],
  ['SSO', 'explanation/not-included'],
  ['GraphQL', 'explanation/not-included'],
  ['Slack', 'explanation/not-included'],
  ['Kafka', 'explanation/not-included'],
  ['user interface', 'explanation/not-included'],
  ['vector database', 'explanation/not-included'],
]

interface SearchMiss {
  readonly term: string
  readonly found: readonly string[]
}

/** The first three pages for a term, as the search box of the built site would list them. */
async function createSearch(site: string): Promise<(term: string) => string[]> {
  const chunks = join(site, 'assets', 'chunks')
  const name = readdirSync(chunks).find((file) => file.startsWith('@localSearchIndex'))
  if (name === undefined) throw new Error(`There is no search index in ${chunks}.`)
  const { default: index } = (await import(pathToFileURL(join(chunks, name)).href)) as { default: string }
  const search = MiniSearch.loadJSON(index, { fields: ['title', 'titles', 'text'], searchOptions })
  return (term) =>
    [...new Set(search.search(term).map(({ id }) => String(id).replace(/[#.].*$/, '')))].slice(0, 3)
}

async function findSearchMisses(site: string): Promise<SearchMiss[]> {
  const search = await createSearch(site)
  return SEARCH_TERMS.map(([term, ...pages]) => ({ term, pages, found: search(term) })).filter(
    ({ pages, found }) => !pages.some((page) => found.includes(`/docs/${page}`)),
  )
}

/** Prints how many terms find their page and what the others find; returns how many others there are. */
export async function reportSearch(site: string): Promise<number> {
  const misses = await findSearchMisses(site)
  const lines = misses.map(({ term, found }) => `search: "${term}" finds ${found.join(', ') || 'nothing'}\n`)
  const count = SEARCH_TERMS.length - misses.length
  process.stdout.write(`${lines.join('')}search: ${count} of ${SEARCH_TERMS.length} terms find their page\n`)
  return misses.length
}
