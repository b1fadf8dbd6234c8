/**
 * Every kind of event there is, as CloudEvents 1.0. Events carry ids, counts and kinds, never content: who may
 * read the content asks for it by id.
 */
import { z } from 'zod'
import { kernelEventData, scopeEventData } from './events/data.ts'
import { keysOf } from './keys.ts'
import { Timestamp } from './schemas/identity.ts'

const eventData = { ...scopeEventData, ...kernelEventData } as const

export type ScopeEventKind = keyof typeof scopeEventData
export type EventKind = keyof typeof eventData

export const scopeEventKinds = keysOf(scopeEventData)
/** The kernel stream carries the events of every scope, and those of the machinery. */
export const eventKinds = keysOf(eventData)

/** The events of a scope: those that something tells already; the rest are designed. */
export const servedEventKinds = [
  'document.registered',
  'document.attached',
  'document.queued',
  'document.processing',
  'document.processed',
  'document.held',
  'document.failed',
  'document.superseded',
  'document.removed',
  'claims.extracted',
  'contradiction.opened',
  'contradiction.changed',
  'contradiction.withdrawn',
  'contradiction.resolved',
  'contradiction.dismissed',
  'contradiction.reopened',
  'comparison.cut',
  'comparison.held',
  'comparison.released',
  'convergence.changed',
  'decision.made',
  'scope.created',
  'scope.declared',
  'scope.reopened',
  'scope.reset',
  'runtime.changed',
] as const satisfies readonly ScopeEventKind[]

/** On the operator's stream, of what is told already. */
export const servedKernelEventKinds = [
  ...servedEventKinds,
  'worker.hatched',
  'worker.retired',
  'worker.lost',
  'scaling.decided',
  'dependency.lost',
  'dependency.restored',
] as const satisfies readonly EventKind[]

/** The `data` of an event of this kind. */
export type EventData<Kind extends EventKind> = z.output<(typeof eventData)[Kind]>

const envelope = {
  specversion: z.literal('1.0').meta({ description: 'The version of CloudEvents that the event follows.' }),
  id: z.string().min(1).meta({ description: 'Unique with `source`: the position in the log of the source.' }),
  source: z
    .string()
    .min(1)
    .meta({
      description: 'The log that the event belongs to.',
      examples: ['/tenants/6f8d0c5e-2b1a-4d57-9a3c-0e4b7d1f2a66/scopes/acme-due-diligence', '/kernel'],
    }),
  subject: z.string().min(1).meta({ description: 'The id of the object of the event.' }),
  time: Timestamp,
}

const KIND = 'The kind of the event; it determines the fields of `data`.'
const DATA = 'Ids, counts and kinds of the event; never content.'

/** The envelope of any event, for a reader that passes `data` on without looking into it. */
export const CloudEvent = z
  .strictObject({
    ...envelope,
    type: z.enum(eventKinds).meta({ description: KIND }),
    data: z.looseObject({}).meta({ description: DATA }),
  })
  .meta({ id: 'CloudEvent' })

export interface ConcordEvent<Kind extends EventKind = EventKind> {
  readonly specversion: '1.0'
  readonly id: string
  readonly source: string
  readonly type: Kind
  readonly subject: string
  readonly time: string
  readonly data: EventData<Kind>
}

/** One whole schema a kind. The kind is also the name of the schema in the OpenAPI document. */
export const eventSchemas: ReadonlyMap<EventKind, z.ZodType<ConcordEvent>> = new Map(
  eventKinds.map((kind) => [kind, eventSchema(kind)]),
)

function eventSchema(kind: EventKind): z.ZodType<ConcordEvent> {
  const data: z.ZodType<EventData<EventKind>> = eventData[kind]
  return z
    .strictObject({
      ...envelope,
      type: z.literal(kind).meta({ description: KIND }),
      data: data.meta({ description: DATA }),
    })
    .meta({ id: kind })
}

/**
 * Sent once, instead of what is missing, when the position a client asks for is no longer kept: read the scope
 * anew, then go on from `head`. It belongs to one connection, not to the log, so it is no CloudEvent.
 */
export const ResyncNotice = z
  .strictObject({ head: z.int().min(0).meta({ description: 'The position to continue from.' }) })
  .meta({ id: 'ResyncNotice' })
