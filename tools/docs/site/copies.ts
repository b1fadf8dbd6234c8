// The files of the site besides its pages.

import { cpSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { linkedSources } from './links.ts'
import { root } from './pages.ts'

/** Copied as text, so that a browser shows them. */
export function copySources(site: string): void {
  for (const path of linkedSources) {
    const copy = join(site, 'source', `${path}.txt`)
    mkdirSync(dirname(copy), { recursive: true })
    cpSync(join(root, path), copy)
  }
}

/** The `type` of a problem ends in /problems/{code}: with `PUBLIC_URL` set to the site, it leads to the page. */
export function copyProblems(site: string): void {
  const pages = join(site, 'docs/reference/problems')
  for (const page of readdirSync(pages)) cpSync(join(pages, page), join(site, 'problems', page))
}
