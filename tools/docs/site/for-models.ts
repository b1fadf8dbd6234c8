// The pages for language models, in the form of llms.txt: a list with addresses, and one file with everything in it.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, sections } from './pages.ts'

const SUMMARY =
  'Concord is a headless HTTP service for many tenants that takes documents in, says what each one claims and where, and which ' +
  'claims contradict each other.'

export function writeForModels(site: string): void {
  const listed = sections()
  const list = listed.map(
    ({ text, items }) =>
      `## ${text}\n\n${items.map((each) => `- [${each.text}](${each.link}): ${each.about}`).join('\n')}\n`,
  )
  writeFileSync(join(site, 'llms.txt'), `# Concord\n\n> ${SUMMARY}\n\n${list.join('\n')}`)
  const paths = [
    'README.md',
    ...listed.flatMap(({ items }) => items.map(({ path }) => path)),
    'ARCHITECTURE.md',
    'SECURITY.md',
  ]
  const whole = paths.map((path) => `<!-- ${path} -->\n\n${readFileSync(join(root, path), 'utf8').trim()}\n`)
  writeFileSync(join(site, 'llms-full.txt'), whole.join('\n'))
}
