// The dry run of a release, on this repository; and a new version, on a copy of the files that state one.

import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { releaseNotes } from './notes.ts'
import { releaseVersion, setVersion, statedVersions } from './versions.ts'

const root = join(import.meta.dirname, '../..')
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the version of a release', () => {
  it('is the one that all manifests, the chart, the contract and the lock file state', () => {
    expect(releaseVersion(root)).toMatch(/^\d+\.\d+\.\d+/)
    expect(new Set(statedVersions(root).map(({ place }) => dirname(place))).size).toBeGreaterThan(14)
  })

  it('is written into all of them, and nothing else is changed', () => {
    const before = releaseVersion(root)
    for (const { place } of statedVersions(root)) cpSync(join(root, place), join(folder, place))
    setVersion(folder, '7.8.9-rc.1')
    expect(releaseVersion(folder)).toBe('7.8.9-rc.1')
    expect(statedVersions(folder)).toHaveLength(statedVersions(root).length)
    setVersion(folder, before)
    for (const { place } of statedVersions(root))
      expect(readFileSync(join(folder, place), 'utf8')).toBe(readFileSync(join(root, place), 'utf8'))
  })

  it('is refused where two files state different ones, and where it has another form', () => {
    setVersion(folder, '7.8.9')
    cpSync(join(root, 'cli/package.json'), join(folder, 'cli/package.json'))
    expect(() => releaseVersion(folder)).toThrow('cli/package.json states')
    expect(() => setVersion(folder, 'v8')).toThrow('Use the form 1.2.3')
  })
})

describe('the notes of a release', () => {
  it('are what the changelog says of the version', () => {
    const changelog =
      '# Changelog\n\n## [Unreleased]\n\n- Later.\n\n## [1.2.3] - 2026-01-31\n\n- First.\n\n## [1.2.2] - 2026-01-01\n\n- Old.\n'
    expect(releaseNotes(changelog, '1.2.3')).toBe('- First.\n')
  })

  it.each([
    ['no date', '## [1.2.3]\n\n- First.\n'],
    ['no entry', '## [1.2.3] - 2026-01-31\n'],
    ['another version', '## [1.2.30] - 2026-01-31\n\n- First.\n'],
  ])('are refused with %s', (_, changelog) => {
    expect(() => releaseNotes(changelog, '1.2.3')).toThrow('CHANGELOG.md')
  })
})

it('a dry run packs the client and the chart with checksums that fit, and makes no tag', () => {
  const out = join(folder, 'out')
  const tags = execFileSync('git', ['tag'], { cwd: root, encoding: 'utf8' })
  const printed = execFileSync('node', ['tools/release.ts', '--dry-run', '--out', out], {
    cwd: root,
    encoding: 'utf8',
  })
  const version = releaseVersion(root)
  expect(printed).toContain(`would run  docker build --file deploy/Containerfile --tag concord:${version}`)
  expect(printed).toContain(`v${version} can be released`)
  const files = [`concord-client-${version}.tgz`, `concord-chart-${version}.tgz`]
  const sums = files.map((name) => `${hash('sha256', readFileSync(join(out, name)))}  ${name}\n`)
  expect(readFileSync(join(out, 'SHA256SUMS'), 'utf8')).toBe(sums.join(''))
  expect(execFileSync('git', ['tag'], { cwd: root, encoding: 'utf8' })).toBe(tags)
})
