/** A certificate that a server of a test shows for localhost, signed by itself. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export async function makeCertificate(
  dir: string,
): Promise<{ readonly certificate: string; readonly key: string }> {
  const [certificate, key] = [join(dir, 'server.crt'), join(dir, 'server.key')]
  const form = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost']
  const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  await run('openssl', [...form, ...names, '-keyout', key, '-out', certificate])
  return { certificate, key }
}
