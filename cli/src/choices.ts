/** The closed lists of the contract that options choose from. */
import { InvalidArgumentError, Option } from 'commander'
import type {
  ClaimKind,
  ContradictionKind,
  ContradictionStatus,
  DocumentOrder,
  DocumentStatus,
  Relation,
  Severity,
} from '@concord/client'

export const claimKinds = [
  'money',
  'percent',
  'count',
  'measure',
  'ratio',
  'date',
  'duration',
  'version',
  'level',
  'status',
  'existence',
  'identity',
] as const satisfies readonly ClaimKind[]

export const contradictionKinds = [...claimKinds, 'reported'] as const satisfies readonly ContradictionKind[]
export const severities = ['low', 'medium', 'high', 'critical'] as const satisfies readonly Severity[]
export const relations = ['conflict', 'restatement', 'change'] as const satisfies readonly Relation[]
export const statuses = ['open', 'resolved', 'dismissed'] as const satisfies readonly ContradictionStatus[]
export const documentStatuses = [
  'registered',
  'attached',
  'queued',
  'processing',
  'processed',
  'held',
  'failed',
  'removed',
] as const satisfies readonly DocumentStatus[]
export const documentOrders = ['id', 'updated', 'updated_desc'] as const satisfies readonly DocumentOrder[]

/** An option that takes one or several values of a list, with commas between. */
export function severalOf(flags: string, description: string, values: readonly string[]): Option {
  return new Option(flags, `${description}; several with commas between`)
    .choices(values)
    .argParser((given: string): readonly string[] => {
      const wanted = new Set(given.split(','))
      const known = values.filter((value) => wanted.has(value))
      if (known.length === wanted.size) return known
      throw new InvalidArgumentError(`Choose from ${values.join(', ')}, with commas between.`)
    })
}
