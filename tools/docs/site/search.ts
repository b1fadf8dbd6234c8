// How the search of the site ranks pages, and whether it finds the pages that strangers look for.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import MiniSearch from 'minisearch'
import { SEARCH_TERMS } from './search-terms.ts'

/** VitePress writes this function into the pages of the site, so it uses nothing from outside. */
function boostDocument(id: string): number {
  if (id.startsWith('/CHANGELOG')) return 0.02
  if (/^\/(docs\/decisions|docs\/glossary|ARCHITECTURE|CONTRIBUTING|SECURITY)/.test(id)) return 0.2
  if (id.startsWith('/docs/explanation/path-of-a-document')) return 0.2
  if (id.startsWith('/docs/reference/problems')) return 0.4
  if (id.startsWith('/docs/explanation/not-included')) return 2
  if (id.startsWith('/docs/how-to') || id.startsWith('/docs/explanation')) return 1.5
  return id.startsWith('/docs/') ? 1 : 0.5
}

/**
 * Leaves out words that are on every page, and makes plurals singular, in pages and in what is searched for. VitePress writes it into the
 * site too.
 */
function processTerm(term: string): string | null {
  const word = term.toLowerCase()
  if (
    /^(?:an?|and|are|at|be|by|can|do|does|for|from|how|i|in|is|it|my|of|on|or|the|to|what|with)$/.test(word)
  )
    return null
  return word.replace(/ies$/, 'y').replace(/([^aius])s$/, '$1')
}

export const indexOptions = { processTerm }

/** Allows typing mistakes in longer words only: CPU is not GPU, and audio is not audit. */
function fuzzy(term: string): number | false {
  return term.length > 5 ? 0.2 : false
}

function prefix(term: string): boolean {
  return term.length > 2
}

export const searchOptions = {
  fuzzy,
  prefix,
  boost: { title: 4, text: 2, titles: 1 },
  boostDocument,
}

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
  const search = MiniSearch.loadJSON(index, {
    fields: ['title', 'titles', 'text'],
    ...indexOptions,
    searchOptions,
  })
  return (term) =>
    [...new Set(search.search(term).map(({ id }) => String(id).replace(/[#.].*$/, '')))].slice(0, 3)
}

async function findSearchMisses(site: string): Promise<SearchMiss[]> {
  const search = await createSearch(site)
  return SEARCH_TERMS.map(([term, ...pages]) => ({ term, pages, found: search(term) })).filter(
    ({ pages, found }) =>
      !pages.some((page) => found.includes(page.startsWith('/') ? page : `/docs/${page}`)),
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
