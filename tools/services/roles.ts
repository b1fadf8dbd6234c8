// Brings roles and database of the service into a Postgres, from the same file that people with a server of
// their own run by hand, and sets the passwords, which that file leaves out.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, escapeIdentifier, escapeLiteral, type QueryResult } from 'pg'

export const DATABASE = 'concord'
const ROLES_FILE = join(import.meta.dirname, '..', '..', 'service', 'roles.sql')

export interface Login {
  readonly user: string
  readonly password: string
}

/** Changes when the file does: roles that were made from another text are brought up to date. */
export function rolesFingerprint(): string {
  return createHash('sha256').update(readFileSync(ROLES_FILE)).digest('hex').slice(0, 16)
}

export async function applyRoles(superuserUrl: string, logins: readonly Login[]): Promise<void> {
  const client = new Client({ connectionString: superuserUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    await runScript(client, readFileSync(ROLES_FILE, 'utf8'))
    for (const { user, password } of logins) {
      await client.query(`alter role ${escapeIdentifier(user)} password ${escapeLiteral(password)}`)
    }
  } finally {
    await client.end()
  }
}

/** Runs a script of plain SQL in which a query may end in psql's \gexec: what it returns is run as well. */
async function runScript(client: Client, script: string): Promise<void> {
  const parts = script.split(/^\\gexec$/m)
  for (const [at, part] of parts.entries()) {
    // Several statements in one text yield an array of results, which the types of the library do not know.
    const results = [await client.query(part)].flat() as QueryResult<Record<string, string>>[]
    if (at === parts.length - 1) return
    for (const row of results.at(-1)?.rows ?? []) {
      for (const statement of Object.values(row)) await client.query(statement)
    }
  }
}
