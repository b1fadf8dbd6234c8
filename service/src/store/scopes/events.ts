/** The types of events. The kind determines the data, as the contract defines it. Data has ids, counts and kinds, never content. */
import type { EventData, EventKind, ScopeEventKind } from '@concord/contract'

/** Fields that the log stores for each entry, and that readers get beside the data. */
type Place = 'tenant_id' | 'scope_id' | 'epoch' | 'seq' | 'document_id' | 'version'

type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value

/** A kind without data has an empty object. */
type Filled<Fields> = keyof Fields extends never ? Readonly<Record<string, never>> : Fields

/** The data of each kind of event of a scope, without the location. */
export type EventPayloads = {
  readonly [Kind in ScopeEventKind]: Filled<Frozen<Omit<EventData<Kind>, Place>>>
}

type Subject<Kind extends ScopeEventKind> = 'document_id' extends keyof EventData<Kind>
  ? { readonly documentId: string; readonly version: number }
  : { readonly documentId: null; readonly version: null }

/** An event of the log of a scope. */
export type NewEvent<Kind extends ScopeEventKind = ScopeEventKind> = {
  [Each in Kind]: { readonly kind: Each; readonly data: EventPayloads[Each] } & Subject<Each>
}[Kind]

/** An event that only the operator's stream has, with its full data. */
export type KernelEvent<Kind extends EventKind = EventKind> = {
  [Each in Kind]: { readonly kind: Each; readonly subject: string; readonly data: Frozen<EventData<Each>> }
}[Kind]
