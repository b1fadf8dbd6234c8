/**
 * Keeps a scope as a folder is: sends what is new or changed, removes what is gone. For a job that runs every night.
 *
 *     node nightly-sync.ts FOLDER SCOPE
 *
 * A file is named by its path below the folder, so running it twice changes nothing: the same text under the same id is not
 * queued again, other text makes a new version. Ends with 1 when a document could not be read.
 */
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { createClient, DocumentNotProcessed, isProblem } from '@concord/client'
import type { Concord } from '@concord/client'

/** The documents of this job. It removes nothing else, so others may send to the same scope. */
const OURS = 'sync/'
const TYPES: Readonly<Record<string, string>> = { '.txt': 'txt', '.md': 'md' }

async function textFiles(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = all.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
  return paths.filter((path) => extname(path) in TYPES).map((path) => path.slice(folder.length + 1))
}

const idOf = (path: string): string => OURS + path.split(sep).join('/')

async function send(concord: Concord, folder: string, path: string, scope_id: string): Promise<void> {
  const text = await readFile(join(folder, path), 'utf8')
  const type = TYPES[extname(path)] ?? 'txt'
  await concord.ingestDocument({ scope_id, document_id: idOf(path), name: path, type, text, source: path })
}

async function removeOthers(concord: Concord, scopeId: string, kept: ReadonlySet<string>): Promise<number> {
  let removed = 0
  for await (const { document_id: documentId, status } of concord.listDocuments.all({ scopeId })) {
    if (status === 'removed' || !documentId.startsWith(OURS) || kept.has(documentId)) continue
    try {
      await concord.removeDocument({ scopeId, documentId })
      removed += 1
    } catch (error) {
      // Somebody was faster.
      if (!isProblem(error, 'document_not_found')) throw error
    }
  }
  return removed
}

/** How many came to another end than `processed`. */
async function waitForAll(concord: Concord, scopeId: string, ids: Iterable<string>): Promise<number> {
  let failed = 0
  for (const documentId of ids) {
    try {
      await concord.waitFor({ scopeId, documentId })
    } catch (error) {
      if (!(error instanceof DocumentNotProcessed)) throw error
      console.error(error.message)
      failed += 1
    }
  }
  return failed
}

async function sync(folder: string, scopeId: string): Promise<void> {
  const { CONCORD_URL = '', TENANT_ID, TENANT_KEY } = process.env
  const concord = createClient({
    baseUrl: CONCORD_URL,
    tenantId: TENANT_ID,
    tenantKey: TENANT_KEY,
  })
  const paths = await textFiles(folder)
  // A folder that was not mounted must not empty the scope.
  if (paths.length === 0) throw new Error(`There is no text in ${folder}; nothing was changed.`)
  for (const path of paths) await send(concord, folder, path, scopeId)
  const ids = new Set(paths.map(idOf))
  const removed = await removeOthers(concord, scopeId, ids)
  const failed = await waitForAll(concord, scopeId, ids)
  const { contradictions } = await concord.getOwnScope({ scopeId })
  console.log(`${ids.size} files, ${removed} removed, ${failed} not read`)
  console.log(`${contradictions.by_status.open} open contradictions`)
  if (failed > 0) process.exitCode = 1
}

const [folder, scope] = process.argv.slice(2)
if (folder === undefined || scope === undefined) {
  console.error('Usage: node nightly-sync.ts FOLDER SCOPE')
  process.exitCode = 2
} else await sync(folder.endsWith(sep) ? folder.slice(0, -1) : folder, scope)
