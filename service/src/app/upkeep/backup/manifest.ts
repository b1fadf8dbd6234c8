/** The description of a backup. It is written last: a folder without it is no backup. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const FILE = 'manifest.json'

const table = z.strictObject({
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.int().min(0),
  /** The digest of the rows, as Postgres computes it where they come from and where they go. */
  digest: z.string().regex(/^-?\d+$/),
  /** A plain name: what comes from elsewhere must not lead out of the folder. */
  file: z.string().regex(/^[a-z0-9_]+\.copy\.gz$/),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

const manifest = z.strictObject({
  format: z.literal(1),
  /** The release that took it. */
  concord: z.string(),
  /** When the snapshot was taken, by the clock of Postgres. */
  taken_at: z.iso.datetime({ offset: true }),
  postgres: z.string(),
  migrations: z.array(
    z.strictObject({ version: z.int(), name: z.string(), checksum: z.string(), breaking: z.boolean() }),
  ),
  /** The ids of the master keys without which it cannot be opened or verified. */
  master_keys: z.array(z.string()),
  /** Where the chain of the audit log ended. */
  audit: z.strictObject({ seq: z.int().min(0), chain_mac: z.string().regex(/^[0-9a-f]{64}$/) }),
  sequences: z.array(z.strictObject({ name: z.string(), value: z.string().regex(/^\d+$/) })),
  tables: z.array(table),
})

export type Manifest = z.output<typeof manifest>
export type ManifestTable = z.output<typeof table>

export async function writeManifest(dir: string, contents: Manifest): Promise<void> {
  await writeFile(join(dir, FILE), `${JSON.stringify(contents, undefined, 2)}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  })
}

export async function readManifest(dir: string): Promise<Manifest> {
  const path = join(dir, FILE)
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(`${dir} is no backup, or one that was not finished: ${FILE} cannot be read`, { cause })
  })
  try {
    return manifest.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error(`${path} is not the manifest of a backup that this release knows`, { cause })
  }
}
