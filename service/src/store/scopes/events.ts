/** Types of events: the kind decides what an event says, as the contract has it. Ids, counts and kinds, never content. */
import type { EventData, EventKind, ScopeEventKind } from '@concord/contract'

/** The log knows these of each entry; whoever reads it gets them with the rest. */
type Place = 'tenant_id' | 'scope_id' | 'epoch' | 'seq' | 'document_id' | 'version'

type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value

/** A kind that says nothing more has an object without any field. */
type Filled<Fields> = keyof Fields extends never ? Readonly<Record<string, never>> : Fields

/** Each kind with the data that an event of a scope has besides where it happened. */
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

/** An event for the operator's stream alone, with all that it says. */
export type KernelEvent<Kind extends EventKind = EventKind> = {
  [Each in Kind]: { readonly kind: Each; readonly subject: string; readonly data: Frozen<EventData<Each>> }
}[Kind]
