/** The part that this proof uses of the rules by which documents are worked on: the executable specification of the service. */
export type { RuntimeOp } from '@concord/service/src/domain/runtime.ts'
export { writeResult } from '@concord/service/src/domain/work/attempts.ts'
export type { CompleteAnswer, CompleteRequest } from '@concord/service/src/domain/work/attempts.ts'
export { DISPATCH_PARTS, createDispatch } from '@concord/service/src/domain/work/dispatch.ts'
export { RULES } from '@concord/service/src/domain/work/rules.ts'
export type { Answers, Kind, Questions, Rules, Statements } from '@concord/service/src/domain/work/rules.ts'
export type { Switch } from '@concord/service/src/domain/work/switches.ts'
export {
  NEW_SCOPE,
  SHARDS,
  createTables,
  documentRefOf,
  unchanged,
  withEntry,
} from '@concord/service/src/domain/work/tables.ts'
export type {
  DocumentRow,
  WorkLogEntry,
  DocumentRef,
  Tables,
  WorkVerdict,
  WorkRow,
  WorkState,
} from '@concord/service/src/domain/work/tables.ts'
