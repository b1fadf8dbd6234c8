/** Mounts routes on Fastify. Each request is authenticated, limited, read, validated, handled and answered, in this order. */
import { defaultBodyLimit, deprecationHeaders } from '@concord/contract'
import type { AnswerBody, Operation } from '@concord/contract'
import { createHash, timingSafeEqual } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, TenantCaller } from '../domain/caller.ts'
import { Fault } from '../domain/fault.ts'
import { lateBody, watchBody } from './body-deadline.ts'
import { DEADLINE_MS, withinDeadline } from './deadline.ts'
import { authenticate } from './auth.ts'
import type { AuthDeps, RequestCredentials } from './auth.ts'
import { accepts } from './headers.ts'
import { STREAM_HEADERS } from './event-streams.ts'
import type { EventStreams, NewStream } from './event-streams.ts'
import type { RequestLimits } from './limits.ts'
import { methodsOf } from './methods.ts'
import type { Permit } from './limits/tenant-usage.ts'
import { sourceOf } from './limits/failed-attempts.ts'
import type { RouteAnswer, EventSource, FileBody, Route } from './route.ts'
import { logFault } from './problems.ts'
import { validate } from './validation.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Headers that the route adds to all its responses. `{name}` is replaced by the path parameter of the request. */
    headers?: Readonly<Record<string, string>>
    /** The accepted media types, if the request body is a file. */
    fileTypes?: readonly string[] | undefined
  }
  interface FastifyRequest {
    caller: Caller | TenantCaller | undefined
    operationName: string | undefined
    /** The time left until the deadline, measured when the request was admitted. The time to send the body does not count. */
    leftMs: number | undefined
    /** The permit of a request that acts for a tenant. It counts against the tenant's concurrency limit. */
    permit: Permit | undefined
  }
}

export interface MountDeps extends AuthDeps {
  readonly streams: EventStreams
  readonly limits: RequestLimits
}

export function mount(server: FastifyInstance, deps: MountDeps, route: Route): void {
  mountAt(server, deps, route, route.operation.path, {})
  // An alias is the same route object under another path, so its tier, schemas and behaviour cannot differ.
  for (const alias of route.operation.aliases ?? []) {
    mountAt(server, deps, route, alias.path, deprecationHeaders(route.operation, alias))
  }
}

/** Returns the headers that the route adds to every response, successful or not. */
export function routeHeaders(request: FastifyRequest): Record<string, string> {
  const { headers = {} } = request.routeOptions.config
  const params = new Map(Object.entries(request.params ?? {}))
  const fill = (template: string) =>
    template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params.get(name) ?? '')))
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]))
}

function mountAt(
  server: FastifyInstance,
  deps: MountDeps,
  route: Route,
  path: string,
  headers: Readonly<Record<string, string>>,
): void {
  const { operation } = route
  const limiter = deps.limits.limiterOf(operation)
  server.route({
    method: [...methodsOf(operation.method)],
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: operation.bodyLimit ?? defaultBodyLimit,
    config: {
      headers: { ...headers, ...(operation.noStore && { 'cache-control': 'no-store' }) },
      ...(operation.bodyMediaTypes && { fileTypes: operation.bodyMediaTypes }),
    },
    onRequest: async (request, reply) => {
      request.operationName = operation.name
      requireAcceptable(request, operation)
      const credentials = credentialsOf(request)
      const asked = performance.now()
      try {
        request.caller = await withinDeadline(authenticate(deps, route, credentials))
      } catch (error) {
        throw deps.limits.failedAttempts.after(error, { address: request.ip, headers: request.headers })
      }
      const entered = limiter.enter(request, reply)
      const left = () => DEADLINE_MS - (performance.now() - asked)
      request.permit = entered instanceof Promise ? await acquireInTime(entered, left()) : entered
      request.leftMs = left()
    },
    preParsing: (request, reply, body, done) => {
      if (!operation.bodyMediaTypes)
        watchBody(request.raw, reply.raw, () => {
          logFault(request, new Fault('request_timeout', { internal: 'the body did not arrive in time' }))
          server.server.emit('clientError', lateBody(request.id), request.raw.socket)
        })
      done(null, limiter.countPieces(request, body) ?? body)
    },
    preValidation: async (request) => {
      limiter.countBody(request)
      requireSignedBody(deps, route, request)
      // The raw bytes are not needed any more; they would stay in memory until the response.
      request.rawBody = undefined
    },
    handler: async (request, reply) => {
      try {
        return await respond(deps, route, request, reply)
      } finally {
        request.permit?.release()
      }
    },
  })
}

/** Releases a permit that is granted after the deadline. */
async function acquireInTime(entering: Promise<Permit>, leftMs: number): Promise<Permit> {
  try {
    return await withinDeadline(entering, leftMs)
  } catch (error) {
    void entering.then((late) => late.release()).catch(() => undefined)
    throw error
  }
}

async function respond(
  deps: MountDeps,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | void> {
  const { operation } = route
  const { params, query, body } = request
  const input = validate(operation, { params, query, body, headers: request.headers })
  const answerBy = performance.now() + (request.leftMs ?? DEADLINE_MS)
  const contentType = request.headers['content-type']
  const working = route.answer({
    who: request.caller,
    requestId: request.id,
    answerBy,
    contentType,
    ...input,
  })
  const answer = await (route.takesLong ? working : withinDeadline(working, request.leftMs))
  if (answer.text !== undefined) return sendBody(reply, answer, JSON_TYPE, answer.text)
  const form = operation.answers[answer.status]
  if (form === 'event-stream' && request.method === 'HEAD')
    return reply.code(200).headers(STREAM_HEADERS).send()
  if (form === 'event-stream') return stream(deps, route, request, reply, answer)
  if (operation.conditional && isKnown(reply, answer, request.headers['if-none-match']))
    return reply.code(304).send()
  if (form === 'file') return sendFile(reply, answer)
  return send(reply, answer, form)
}

/** The response schema is an allow-list: fields that it does not name are not sent. */
function send(reply: FastifyReply, answer: RouteAnswer, form: AnswerBody | undefined): FastifyReply {
  if (form === undefined || form === 'event-stream' || form === 'file')
    throw new Error(`no answer ${answer.status} in the contract`)
  if (form === 'html') return sendBody(reply, answer, 'text/html; charset=utf-8', String(answer.body))
  // @point http.send.response
  return sendBody(reply, answer, JSON_TYPE, JSON.stringify(form.parse(answer.body)))
}

function sendFile(reply: FastifyReply, answer: RouteAnswer): FastifyReply {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the makers of files put nothing else there
  const { type, content } = answer.body as FileBody
  if (!(content instanceof Readable) || reply.request.method !== 'HEAD')
    return sendBody(reply, answer, type, content)
  content.destroy()
  return sendBody(reply, answer, type, '')
}

/** Sets status and headers only now, when the body has passed its schema. */
function sendBody(
  reply: FastifyReply,
  answer: RouteAnswer,
  type: string,
  body: FileBody['content'],
): FastifyReply {
  return reply
    .code(answer.status)
    .headers(answer.headers ?? {})
    .type(type)
    .send(body)
}

/** Sets the ETag. Returns true if the caller has this version already, so the answer is 304 without a body. */
function isKnown(reply: FastifyReply, { status, body }: RouteAnswer, known: string | undefined): boolean {
  if (status !== 200) return false
  const tag = `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 27)}"`
  reply.header('etag', tag)
  // `*` is any version (RFC 9110, 13.1.2).
  return known?.split(',').some((each) => ['*', tag].includes(each.trim().replace(/^W\//, ''))) ?? false
}

/** Hands the response over from Fastify to the event stream. */
async function stream(
  deps: MountDeps,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: RouteAnswer,
): Promise<void> {
  const headers = Object.fromEntries(
    Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]),
  )
  const credentials = credentialsOf(request)
  reply.hijack()
  await deps.streams.serve(reply.raw, headers, {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the makers of streams put nothing else there
    source: answer.body as EventSource,
    // Includes the operation, because another operation may check fewer of the same headers.
    credential: [
      route.operation.name,
      request.headers.authorization ?? '',
      String(request.headers['x-tenant-api-key'] ?? ''),
      String(request.headers['x-tenant-id'] ?? ''),
    ].join('\n'),
    ...recheckOf(deps, route, credentials),
  })
}

function credentialsOf({ method, url, headers, ip }: FastifyRequest): RequestCredentials {
  return { method, url, headers, source: sourceOf(ip) }
}

/** Streams behind a gateway end after this long. A tenant that the gateway has cut off cannot reconnect through it. */
const GATEWAY_STREAM_MS = 10 * 60_000

/** A gateway's signature is valid once and cannot be checked again, so the client has to reconnect through the gateway. */
function recheckOf(
  deps: MountDeps,
  route: Route,
  credentials: RequestCredentials,
): Pick<NewStream, 'reauthenticate' | 'endsAfterMs'> {
  const bySignature = deps.tenantProof.mode === 'trusted-gateway' && route.operation.tier === 'public'
  if (!bySignature) return { reauthenticate: async () => authenticate(deps, route, credentials) }
  // Jitter of a fifth, so that streams that were opened together do not reconnect together.
  return { reauthenticate: async () => undefined, endsAfterMs: GATEWAY_STREAM_MS * (1 - Math.random() / 5) }
}

function requireAcceptable(request: FastifyRequest, { answers, files = {} }: Operation): void {
  const offered = Object.values(answers).flatMap((body) =>
    body === 'file' ? Object.keys(files) : MEDIA_TYPES[typeof body === 'string' ? body : 'json'],
  )
  if (!accepts(request.headers.accept, [...offered, 'application/problem+json']))
    throw new Fault('not_acceptable')
}

const MEDIA_TYPES = {
  json: 'application/json',
  'event-stream': 'text/event-stream',
  html: 'text/html',
} as const

/** A gateway signs the hash of the body. Checks that the body has that hash. */
function requireSignedBody(
  { tenantProof }: AuthDeps,
  { operation, auth }: Route,
  request: FastifyRequest,
): void {
  if (tenantProof.mode !== 'trusted-gateway' || auth !== 'tenant' || operation.tier !== 'public') return
  const claimed = Buffer.from(String(request.headers['x-gateway-content-sha256']), 'hex')
  const actual = createHash('sha256')
    .update(request.rawBody ?? '')
    .digest()
  if (claimed.length !== actual.length || !timingSafeEqual(claimed, actual))
    throw new Fault('gateway_signature_invalid', { internal: 'the body is not the one that was signed' })
}
