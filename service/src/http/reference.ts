/** Serves the API reference at /docs. Its content security policy forbids loading anything from elsewhere. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { fastify } from 'fastify'
import type { FastifyInstance } from 'fastify'
import { preferredEncoding } from './headers.ts'

const REFERENCE_SCRIPT = '/docs/assets/scalar.js'

/**
 * The renderer's script, served by us so that the page works without a network. Its package offers the script only as
 * part of a plugin that also mounts pages of its own, so it is taken out of a server that nobody can reach.
 */
export function serveReferenceScript(server: FastifyInstance): void {
  const load = rememberSuccess(async () => {
    // Bytes, which all connections share. A string would be copied for each client, and kept for one that does not read.
    const script = Buffer.from(await readScript())
    return { script, compressed: await compress(script), tag: tagOf(script) }
  })
  server.get(REFERENCE_SCRIPT, async (request, reply) => {
    const { script, compressed, tag } = await load()
    reply.headers({ 'cache-control': 'public, max-age=3600', etag: tag, vary: 'Accept-Encoding' })
    if (isKnownTag(request.headers['if-none-match'], tag)) return reply.status(304).send()
    reply.type('text/javascript; charset=utf-8')
    if (preferredEncoding(request.headers['accept-encoding'], ['gzip']) === undefined)
      return reply.send(script)
    return reply.header('content-encoding', 'gzip').send(compressed)
  })
}

const compress = promisify(gzip)

/** The same for the script and its compressed form, so it is a weak one. */
function tagOf(script: Buffer): string {
  return `W/"${createHash('sha256').update(script).digest('base64url').slice(0, 27)}"`
}

function isKnownTag(known: string | undefined, tag: string): boolean {
  return known?.split(',').some((each) => ['*', tag].includes(each.trim())) ?? false
}

/** Loads once for concurrent callers. After a failure the next caller tries again. */
export function rememberSuccess<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined
  return () => {
    if (loading) return loading
    const started = load()
    loading = started
    started.catch(() => {
      loading = undefined
    })
    return started
  }
}

async function readScript(): Promise<string> {
  const { default: apiReference } = await import('@scalar/fastify-api-reference')
  const holder = fastify()
  await holder.register(apiReference, { routePrefix: '/reference', configuration: { url: '/' } })
  const { payload } = await holder.inject('/reference/js/scalar.js')
  await holder.close()
  return payload
}

const SETTINGS = JSON.stringify({
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
})

export const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Concord API reference</title>
  </head>
  <body>
    <script id="api-reference" data-configuration="${SETTINGS.replaceAll('"', '&quot;')}"></script>
    <script src="${REFERENCE_SCRIPT}"></script>
  </body>
</html>
`

export const REFERENCE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self' 'unsafe-eval'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}
