/** Creates the HTTP server: its limits and timeouts, the hooks that run for every request, and its routes. */
import { defaultBodyLimit } from '@concord/contract'
import { fastify, LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { Fault } from '../domain/fault.ts'
import { nextTurn } from '../platform/event-loop-turns.ts'
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
import { limitWrites } from './write-timeout.ts'

export interface ServerDeps extends MountDeps {
  readonly log: Log
  /** Prefix of the `type` URLs in problem documents. Empty for URLs relative to this service. */
  readonly publicUrl: string
  /** Origins whose pages may call the service. None by default. */
  readonly corsOrigins?: readonly string[]
  /** How long a client may leave its response unread. 20 s by default. */
  readonly writeTimeoutMs?: number
  /** True once this process is shutting down. It still serves requests for a while. */
  readonly isLeaving?: () => boolean
  /** Receives metrics and traces of requests. Undefined if telemetry is off. */
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
    // The onResponse hook below logs one line per request, with the operation's name instead of the raw URL.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestIdOf,
    requestIdHeader: false,
    bodyLimit: defaultBodyLimit,
    exposeHeadRoutes: false,
    // While the server drains, requests on open connections are still served.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Fastify's default is no timeout. 60 s suffice for a file of 25 MiB over 4 Mbit/s. Headers and JSON bodies
    // have shorter timeouts of their own, and the bytes in flight are bounded.
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    // Node would answer a missing Host header itself, with an empty body. The onRequest hook below sends a problem document instead.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5_000, requireHostHeader: false },
    // By default the router answers 404 to parameters above 100 characters. A scope id may have 120, and an id of 200
    // characters of any script takes 2,400 bytes when percent-encoded. The schemas limit the length instead.
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
  server.decorateRequest('permit', undefined)
  broken.watch(server.server)
  acceptOnlyJson(server)
  acceptFiles(server)
  applyCommonRules(server, deps, routes)
  compressAnswers(server)
  limitWrites(server, deps.writeTimeoutMs)
  if (deps.watch) watchRequests(server, deps.watch, routes)
  serveReferenceScript(server)
  for (const route of routes) mount(server, deps, route)
  return server
}

/** A body of more bytes is parsed in a turn of the event loop of its own. */
const LARGE_BODY_BYTES = 256 * 1024

/** Registers the JSON parser. Fastify's own parsers are removed, because they accept more than the API does. */
function acceptOnlyJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: string | Buffer) => {
      if (request.routeOptions.config.fileTypes) throw new Fault('unsupported_media_type')
      const body = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes)
      request.rawBody = body
      // Parsing takes some 3 ms a megabyte, and many large bodies may be complete at the same time.
      if (body.length > LARGE_BODY_BYTES) await nextTurn()
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
    // Set first, because these headers belong on every response, including errors.
    reply.headers({
      ...commonHeaders(deps, request.id),
      ...cors.headersFor(request.headers.origin),
      ...routeHeaders(request),
    })
    requireHost(request.raw)
    // Answered here, before the body is read.
    if (request.is404) {
      const methods = methodsAt(routes, request.url.split('?', 1)[0] ?? '')
      const allowed = cors.preflight(request, methods)
      if (allowed) return reply.code(204).headers(allowed).send()
      throw unknownPath(methods)
    }
    refuseDuplicateHeaders(request.raw.rawHeaders)
    refuseEncodedBody(request.method, request.headers['content-encoding'])
  })
  // An idle connection would delay the shutdown, and a client that reuses it at the moment it is closed could not tell
  // whether its request was processed.
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
    request.permit?.release()
    const fault = toFault(error)
    if (isCutShort(request, fault)) await discardBody(request.raw)
    logFault(request, fault)
    return sendProblem(reply, fault, { publicUrl: deps.publicUrl, requestId: request.id })
  })
}

/** True if the error occurred while the body was being read: it was too long, or its next chunk exceeded the bytes in flight. */
function isCutShort({ raw }: FastifyRequest, { code }: Fault): boolean {
  return code === 'payload_too_large' || (code === 'overloaded' && raw.readableDidRead)
}

/** Shared caches must not store responses of a tenant. Routes that return a secret set `no-store` themselves. */
function commonHeaders({ tenantProof }: ServerDeps, requestId: string): Record<string, string> {
  return {
    ...(tenantProof.mode === 'insecure-tenant-id' && { 'x-insecure-auth': 'tenant-id-only' }),
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
  }
}

/** Answers 404 to an unknown path, and 405 with the allowed methods to a known path with another method. */
function unknownPath(allowed: readonly string[]): Fault {
  if (allowed.length === 0) return new Fault('not_found')
  return new Fault('method_not_allowed', { headers: { allow: allowed.join(', ') } })
}
