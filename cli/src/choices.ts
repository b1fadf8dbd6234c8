/** The closed lists of the contract that options choose from. */
import type {
  ClaimKind,
  ContradictionKind,
  ContradictionStatus,
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
