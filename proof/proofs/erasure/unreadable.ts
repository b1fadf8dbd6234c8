/** Tries to open every sealed value of a backup, with each set of keys that somebody could have. */
import { randomBytes } from 'node:crypto'
import type { Figures } from '../../harness/figures.ts'
import { readKeyRows, readSealed } from './backup.ts'
import type { Backup } from './backup.ts'
import { parseMasterKeys, tryAll, unwrapKeys } from './seals.ts'
import type { SealKeyRow, Purpose, Sealed } from './seals.ts'
import type { Site } from './site.ts'
import type { ErasureStage } from './stage.ts'

const PURPOSES: readonly Purpose[] = [
  'text',
  'card',
  'layout',
  'reading',
  'claim',
  'contradiction',
  'decision',
]
/** The documents of this proof are sent as text, so there need be none of these. */
const OF_FILES: ReadonlySet<Purpose> = new Set(['layout'])
/** One for each document; the others as many as were found. */
const ONE_EACH: ReadonlySet<Purpose> = new Set(['text', 'card', 'reading'])
/** A reading is offsets into the text; what is said there is in the text alone. */
const WITH_WORDS: ReadonlySet<Purpose> = new Set(['text', 'card', 'claim', 'contradiction', 'decision'])

export interface UnreadableOptions {
  readonly stage: ErasureStage
  readonly backup: Backup
  readonly erased: Site
  readonly kept: Site
  readonly figures: Figures
  readonly print: (line: string) => void
}

/** Returns the wrapped keys of the scope as the backup has them. */
export async function proveUnreadable(options: UnreadableOptions): Promise<SealKeyRow[]> {
  const { stage, backup, erased, kept, figures, print } = options
  const restored = await backup.restore()
  print('The backup is restored and runs beside the live database; now every sealed value in it is tried.')
  const sealed = await readSealed(restored, erased.scopeId)
  for (const purpose of PURPOSES) {
    const found = only(sealed, purpose).length
    const name = `${purpose}s of the scope in the backup`
    if (ONE_EACH.has(purpose)) figures.exactly(name, found, erased.documents.length)
    else figures.atLeast(name, found, OF_FILES.has(purpose) ? 0 : 1)
  }
  const masters = parseMasterKeys(stage.deployment.env['MASTER_KEY'] ?? '')
  const live = unwrapKeys(await readKeyRows(stage.ask), masters)
  tryLiveKeys(options, sealed, live)
  const keptTexts = only(await readSealed(restored, kept.scopeId), 'text')
  const beside = tryAll(keptTexts, live, kept.contentMark)
  figures.exactly(
    'texts of the other scope that the live keys open (so they are the live keys)',
    beside.marked,
    kept.documents.length,
  )
  const rows = await readKeyRows(restored)
  tryRotatedRing(options, sealed, rows)
  tryOldMasterKey(options, sealed, unwrapKeys(rows, masters))
  return rows.filter(({ scopeId }) => scopeId === erased.scopeId)
}

function tryLiveKeys({ figures, print }: UnreadableOptions, sealed: readonly Sealed[], keys: Buffer[]): void {
  print('(a) With the live system: the keys in its database as they are now, under its master key.')
  figures.atLeast('keys that the live system has and its master key opens', keys.length, 1)
  for (const purpose of PURPOSES) {
    const { opened } = tryAll(only(sealed, purpose), keys, '')
    figures.exactly(`${purpose}s that open with the live keys`, opened, 0)
  }
}

function tryRotatedRing(
  { figures, print }: UnreadableOptions,
  sealed: readonly Sealed[],
  rows: readonly SealKeyRow[],
): void {
  print('(b) With the backup alone, once the master key of its time was rotated out of the ring.')
  const ring = [randomBytes(32), randomBytes(32)]
  const keys = unwrapKeys(rows, ring)
  figures.exactly('keys of the backup that the rotated ring opens', keys.length, 0)
  for (const purpose of PURPOSES) {
    // The ring itself as well: everything at hand is tried.
    const { opened } = tryAll(only(sealed, purpose), [...keys, ...ring], '')
    figures.exactly(`${purpose}s that open with the backup and the rotated ring`, opened, 0)
  }
}

function tryOldMasterKey(
  { figures, print, erased }: UnreadableOptions,
  sealed: readonly Sealed[],
  keys: readonly Buffer[],
): void {
  print(
    '(c) With the backup and the master key of its time. No reset can prevent this; it shows that (a) and (b)',
  )
  print('    try the right thing. Who wants old backups to end too rotates the master key, or deletes them.')
  for (const purpose of PURPOSES) {
    const { of, opened, marked } = tryAll(only(sealed, purpose), keys, erased.contentMark)
    const proper = WITH_WORDS.has(purpose) ? marked : opened
    const name = `${purpose}s that open with the backup and the master key of its time`
    figures.exactly(name, proper, of)
  }
}

function only(all: readonly Sealed[], wanted: Purpose): Sealed[] {
  return all.filter(({ purpose }) => purpose === wanted)
}
