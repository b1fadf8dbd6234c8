/**
 * Writes contract/openapi.json, the document of the served operations. With `--check` it writes nothing and fails
 * when the committed file is not what the contract gives.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { contractVersion, openApiDocument, servedOperations } from '@concord/contract'

const file = new URL('../contract/openapi.json', import.meta.url)
const wanted = `${JSON.stringify(openApiDocument(servedOperations, { version: contractVersion }), null, 2)}\n`

if (process.argv.includes('--check')) {
  const committed = await readFile(file, 'utf8').catch(() => '')
  if (committed !== wanted) {
    console.error('contract/openapi.json is stale. Run `node tools/write-openapi.ts` and commit the result.')
    process.exitCode = 1
  }
} else {
  await writeFile(file, wanted)
  console.log(`Wrote ${servedOperations.length} operations to contract/openapi.json.`)
}
