// Links as the repository has them, so that they lead somewhere on the site as well: a README is the face of its folder, and
// a file that is no page is shown as it is.

import { existsSync, statSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { homeOf, root } from './pages.ts'

/** Files that pages point at; they are copied into the site. */
export const linkedSources = new Set<string>()

export function followLink(markdown: MarkdownRenderer): void {
  const before = markdown.renderer.rules['link_open']
  markdown.renderer.rules['link_open'] = (tokens, index, options, env: { readonly path: string }, self) => {
    const token = tokens[index]
    const target = token?.attrGet('href')
    if (token && target) token.attrSet('href', onSite(relative(root, env.path).split(sep).join('/'), target))
    return before ? before(tokens, index, options, env, self) : self.renderToken(tokens, index, options)
  }
}

function onSite(page: string, target: string): string {
  if (/^[a-z]+:|^[#/]/i.test(target)) return target
  const [path = '', heading] = target.split('#')
  const place = posix.join(posix.dirname(page), path).replace(/\/$/, '')
  const file = isFolder(place) ? posix.join(place, 'README.md') : place
  if (!existsSync(join(root, file))) return target
  if (file.endsWith('.md')) return `/${homeOf(file)}${heading === undefined ? '' : `#${heading}`}`
  linkedSources.add(file)
  return `/source/${file}.txt`
}

function isFolder(path: string): boolean {
  return existsSync(join(root, path)) && statSync(join(root, path)).isDirectory()
}
