/**
 * The baseline of `bench requests`, run as a process of its own: the least that could answer the same question,
 * one statement on the same rows with no credential, no row-level security, no validation and no log.
 */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Pool } from 'pg'

const url = process.env['DATABASE_URL']
const [port = '0', size = '10'] = process.argv.slice(2)
const pool = new Pool({ ...(url && { connectionString: url }), max: Number(size) })

async function answer(path: string): Promise<{ status: number; body: unknown }> {
  const [, tenantId, scopeId] = path.split('/')
  const { rows } = await pool.query<Record<string, unknown>>(
    'select scope_id, display_name, epoch, created_at from scopes where tenant_id = $1 and scope_id = $2',
    [tenantId, scopeId],
  )
  return { status: rows[0] ? 200 : 404, body: rows[0] ?? {} }
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, body } = await answer(request.url ?? '').catch(() => ({ status: 500, body: {} }))
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

const server = createServer((request, response) => void serve(request, response))
server.listen(Number(port), '127.0.0.1')
process.once('SIGTERM', () => {
  server.close(() => void pool.end())
  server.closeAllConnections()
})
