/** The HTTP server: the table of contents of what the service speaks, and the rules that hold for all of it. */
import { defaultBodyLimit } from '@concord/contract'
import { fastify, LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { Fault } from '../domain/fault.ts'
import type { Log } from '../platform/log.ts'
import { createBrokenConnections } from './broken-connection.ts'
import { compressAnswers } from './compression.ts'
import { createCors } from './cors.ts'
import { refuseDuplicateHeaders, refuseEncodedBody, requestIdOf, requireHost } from './headers.ts'
import { parseJsonBody } from './json-body.ts'
import { methodsAt } from './methods.ts'
import { acceptFiles } from './file-body.ts'
import { mount, routeHeaders } from './mount.ts'
import type { MountDeps } from './mount.ts'
import { logFault, sendProblem, toFault } from './problems.ts'
import { serveReferenceScript } from './reference.ts'
import { watchRequests } from './request-watch.ts'
import type { RequestWatch } from './request-watch.ts'
import type { Route } from './route.ts'
import { discardBody } from './unread-body.ts'

export interface ServerDeps extends MountDeps {
  readonly log: Log
  /** Prefix of the `type` addresses in problems; empty for addresses relative to this service. */
  readonly publicUrl: string
  /** Origins whose pages may call the service; none where nothing is said. */
  readonly corsOrigins?: readonly string[]
  /** Whether this process was told to stop; it still serves then, for a while. */
  readonly isLeaving?: () => boolean
  /** Undefined where nobody watches. */
  readonly watch?: RequestWatch | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    rawBody: Buffer | undefined
  }
}

export function createServer(deps: ServerDeps, routes: readonly Route[]): FastifyInstance {
  const logger: FastifyBaseLogger = deps.log
  const broken = createBrokenConnections(deps.publicUrl)
  const server = fastify({
    loggerInstance: logger,
    // One line a request is written below, with the operation's name instead of the raw address.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestIdOf,
    requestIdHeader: false,
    bodyLimit: defaultBodyLimit,
    exposeHeadRoutes: false,
    // While draining, a request that comes on an open connection is still answered, and answered by us.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Fastify switches Node's own limit off unless told otherwise.
    // Long enough for a file of 25 MiB over 4 Mbit/s; headers and JSON bodies have limits of their own, and bytes in flight are bounded.
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    // Node would answer a missing Host header itself, with an empty body; it is refused below instead.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5_000, requireHostHeader: false },
    // The router's default would answer 404 above 100 characters, but a scope id may have 120, and an id of 200
    // characters of any script is 2,400 bytes when percent-encoded. The schema decides what is too long.
    routerOptions: { maxParamLength: 4_096, caseSensitive: true, ignoreTrailingSlash: false },
    clientErrorHandler: broken.answer,
    frameworkErrors: (error, request, reply) => {
      reply.headers(commonHeaders(deps, request.id))
      void sendProblem(reply, toFault(error), { publicUrl: deps.publicUrl, requestId: request.id })
    },
  })
  server.decorateRequest('caller', undefined)
  server.decorateRequest('operationName', undefined)
  server.decorateRequest('rawBody', undefined)
  server.decorateRequest('leftMs', undefined)
  server.decorateRequest('pass', undefined)
  broken.watch(server.server)
  acceptOnlyJson(server)
  acceptFiles(server)
  applyCommonRules(server, deps, routes)
  compressAnswers(server)
  if (deps.watch) watchRequests(server, deps.watch, routes)
  serveReferenceScript(server)
  for (const route of routes) mount(server, deps, route)
  return server
}

/** Parsed once, from the bytes; the framework's own parsers are removed because they accept more. */
function acceptOnlyJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: string | Buffer) => {
      if (request.routeOptions.config.fileTypes) throw new Fault('unsupported_media_type')
      const body = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes)
      request.rawBody = body
      return body.length === 0 ? undefined : parseJsonBody(body)
    },
  )
}

function applyCommonRules(server: FastifyInstance, deps: ServerDeps, routes: readonly Route[]): void {
  let draining = false
  const cors = createCors(deps.corsOrigins ?? [])
  server.addHook('preClose', async () => {
    draining = true
  })
  server.addHook('onRequest', async (request, reply) => {
    // Before anything can refuse: these belong on every answer.
    reply.headers({
      ...commonHeaders(deps, request.id),
      ...cors.headersFor(request.headers.origin),
      ...routeHeaders(request),
    })
    requireHost(request.raw)
    // Now, before a body is read that nobody wants.
    if (request.is404) {
      const methods = methodsAt(routes, request.url.split('?', 1)[0] ?? '')
      const allowed = cors.preflight(request, methods)
      if (allowed) return reply.code(204).headers(allowed).send()
      throw unknownPath(methods)
    }
    refuseDuplicateHeaders(request.raw.rawHeaders)
    refuseEncodedBody(request.method, request.headers['content-encoding'])
  })
  // A connection that falls idle after this answer would keep the process waiting, and a client that used it again just
  // when it is closed would not know what became of its request.
  server.addHook('onSend', async (_request, reply) => {
    if (draining || deps.isLeaving?.()) reply.header('connection', 'close')
  })
  server.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        operation: request.operationName ?? null,
        // @point http.log-request
        method: request.method,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        actor: request.caller?.actor ?? null,
      },
      'request',
    )
  })
  server.setErrorHandler(async (error, request, reply) => {
    request.pass?.leave()
    const fault = toFault(error)
    if (isCutShort(request, fault)) await discardBody(request.raw)
    logFault(request, fault)
    return sendProblem(reply, fault, { publicUrl: deps.publicUrl, requestId: request.id })
  })
}

/** The body was being read when it turned out to be too long, or when there was no room for its next piece. */
function isCutShort({ raw }: FastifyRequest, { code }: Fault): boolean {
  return code === 'payload_too_large' || (code === 'overloaded' && raw.readableDidRead)
}

/** An answer that belongs to a tenant is kept by no shared cache; an answer with a secret says `no-store` itself. */
function commonHeaders({ tenantProof }: ServerDeps, requestId: string): Record<string, string> {
  return {
    ...(tenantProof.mode === 'insecure-tenant-id' && { 'x-insecure-auth': 'tenant-id-only' }),
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
  }
}

/** A known path with another method is 405 and says which methods it takes. */
function unknownPath(allowed: readonly string[]): Fault {
  if (allowed.length === 0) return new Fault('not_found')
  return new Fault('method_not_allowed', { headers: { allow: allowed.join(', ') } })
}
