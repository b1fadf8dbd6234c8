/**
 * Before any spec: a service to test. The one that CONCORD_URL names, or else a deployment of its own with two API
 * processes, which is removed when the last spec is done.
 */
import type { TestProject } from 'vitest/node'
import { exchange } from './http/exchange.ts'
import type { Reply } from './http/exchange.ts'
import { launchTarget } from './launch.ts'
import type { AcceptanceTarget } from './target.ts'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = givenTarget(process.env)
  if (given) await expectReachable(given)
  const { target, remove } = given ? { target: given, remove: async () => undefined } : await launchTarget()
  project.provide('target', target)
  console.log(`acceptance of ${target.urls.join(' and ')}${given ? '' : ' (launched for this run)'}`)
  return remove
}

/** Undefined when none is named; naming half of it is a mistake. */
function givenTarget(env: NodeJS.ProcessEnv): AcceptanceTarget | undefined {
  const needed = ['CONCORD_URL', 'CONCORD_ADMIN_KEY', 'CONCORD_INTERNALS_KEY']
  const missing = needed.filter((name) => !env[name])
  if (missing.length === needed.length) return undefined
  if (missing.length > 0)
    throw new Error(
      `Set ${missing.join(' and ')} as well, or none of ${needed.join(', ')} to launch a service.`,
    )
  const [urls = '', adminKey = '', internalsKey = ''] = needed.map((name) => env[name])
  const expired = env['CONCORD_EXPIRED_INTERNALS_KEY']
  const revoked = env['CONCORD_REVOKED_INTERNALS_KEY']
  return {
    urls: urls.split(',').map((url) => new URL(url.trim()).origin),
    adminKey,
    internalsKey,
    ...(expired && revoked && { dead: { expired, revoked } }),
  }
}

/** One clear sentence now instead of a thousand failures later. */
async function expectReachable({ urls, adminKey, internalsKey }: AcceptanceTarget): Promise<void> {
  for (const url of urls) {
    const admin = await ask(url, '/admin/health', adminKey)
    if (admin.status !== 200) throw new Error(`${url} does not take CONCORD_ADMIN_KEY: ${admin.text}`)
    const internals = await ask(url, '/internals/health', internalsKey)
    if (internals.status !== 200)
      throw new Error(`${url} does not take CONCORD_INTERNALS_KEY: ${internals.text}`)
  }
}

async function ask(url: string, path: string, key: string): Promise<Reply> {
  const request = { method: 'GET', path, headers: { authorization: `Bearer ${key}` } }
  return exchange(url, request).catch((cause: unknown) => {
    throw new Error(`Nothing answers at ${url}; check CONCORD_URL, and that the service is running.`, {
      cause,
    })
  })
}
