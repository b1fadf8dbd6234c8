/** The contract as a page for people, at /docs. The page may load nothing from elsewhere, and its policy says so. */
import { fastify } from 'fastify'
import type { FastifyInstance } from 'fastify'

const REFERENCE_SCRIPT = '/docs/assets/scalar.js'

/**
 * The renderer's script, served by us so that the page works without a network. Its package offers the script only as
 * part of a plugin that also mounts pages of its own, so it is taken out of a server that nobody can reach.
 */
export function serveReferenceScript(server: FastifyInstance): void {
  let script: Promise<string> | undefined
  server.get(REFERENCE_SCRIPT, async (_request, reply) => {
    script ??= readScript()
    return reply
      .headers({ 'cache-control': 'public, max-age=3600' })
      .type('text/javascript; charset=utf-8')
      .send(await script)
  })
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
