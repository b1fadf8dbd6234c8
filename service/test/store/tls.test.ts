/** Postgres by TLS, as `sslmode` in the address says: the certificate is checked, and no password goes to a server without TLS. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startPrivatePostgres } from '@concord/tools/services'
import type { PrivatePostgres } from '@concord/tools/services'
import { openPools } from '../../src/store/pools.ts'
import { makeCertificate } from '../support/certificate-file.ts'
import { silentLog } from '../support/log.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 180_000 })

let dir: string
let postgres: PrivatePostgres
let certificate: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'concord-tls-'))
  await chmod(dir, 0o755)
  const made = await makeCertificate(dir)
  certificate = made.certificate
  await chmod(made.key, 0o644)
  postgres = await startPrivatePostgres({ dir, choice: process.env['CONCORD_POSTGRES'] })
  // The server copies both itself, so that the key is its own and nobody else can read it.
  await ask(address(''), `copy (select 1) to program 'cp ${dir}/server.* . && chmod 600 server.key'`)
})
afterAll(async () => {
  await postgres?.remove()
  await rm(dir, { recursive: true, force: true })
})

const address = (query: string) => {
  const url = new URL(postgres.url)
  url.hostname = 'localhost'
  url.search = query
  return url.href
}

async function ask(url: string, text: string): Promise<unknown[]> {
  const pools = openPools({ url, size: 1, log: silentLog })
  try {
    return (await pools.tenant.query<Record<string, unknown>>(text)).rows
  } finally {
    await pools.close()
  }
}

const verified = () => `sslmode=verify-full&sslrootcert=${encodeURIComponent(certificate)}`
const isEncrypted = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()'

it('is refused on a server without TLS, and used on one whose certificate is trusted', async () => {
  await expect(ask(address(verified()), isEncrypted)).rejects.toThrow('does not support SSL')
  await ask(address(''), `alter system set ssl = on`)
  await ask(address(''), 'select pg_reload_conf()')
  await expect
    .poll(() => ask(address(verified()), isEncrypted).catch(() => []), { timeout: 30_000 })
    .toEqual([{ ssl: true }])
  expect(await ask(address(''), isEncrypted)).toEqual([{ ssl: false }])
})

it('is refused where nobody vouches for the certificate', async () => {
  await expect(ask(address('sslmode=verify-full'), isEncrypted)).rejects.toThrow(/self-signed certificate/)
})
