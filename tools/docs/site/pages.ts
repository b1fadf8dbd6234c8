// Which files are pages of the site, and in which order it lists them.

import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

export const root = join(import.meta.dirname, '../../..')

/** Labelled documents and those of the demo are no pages; VitePress takes every config.ts of a folder that is not left out for one of its own. */
export const notPages = ['quality/*/*/**', 'cli/demo/*/**', '**/{src,test}/**', '**/.*/**']

/** A page called README in the repository is the face of its folder on the site. */
export function homeOf(path: string): string {
  return path.replace(/(^|\/)README\.md$/, '$1index.md')
}

export interface Section {
  readonly text: string
  readonly items: readonly {
    readonly text: string
    readonly about: string
    readonly link: string
    readonly path: string
  }[]
}

/** The sections that docs/README.md lists: a section for each heading, an item for each page that begins a row. */
export function sections(): Section[] {
  const list = readFileSync(join(root, 'docs/README.md'), 'utf8')
  return list
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      text: section.split(/[:\n]/, 1)[0] ?? '',
      items: [...section.matchAll(/^\| \[([^\]]+)\]\(([^)]+)\) \| (.*) \|$/gm)].map(
        ([, text = '', target = '', about = '']) => {
          const path = posix.join('docs', target)
          return { text, about, path, link: `/${homeOf(path).replace(/(index)?\.md$/, '')}` }
        },
      ),
    }))
}

/** The sections of docs/README.md, how-tos by reader, then the pages at the root of the repository that it does not list. */
export function sidebar(): { readonly text: string; readonly items: { text: string; link: string }[] }[] {
  const atRoot = ['ARCHITECTURE', 'SECURITY', 'CHANGELOG'].map((name) => ({
    text: capital(name.toLowerCase()),
    link: `/${name}`,
  }))
  return [
    ...sections().map(({ text, items }) => ({
      text,
      items: items.map(({ text: title, link }) => ({ text: capital(title), link })),
    })),
    { text: 'Repository', items: [{ text: 'Readme', link: '/' }, ...atRoot] },
  ]
}

function capital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
