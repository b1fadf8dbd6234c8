import { operations } from '@concord/contract'
import { takeSnapshot } from '../../app/health/hatchery-snapshot.ts'
import type { SnapshotDeps } from '../../app/health/hatchery-snapshot.ts'
import { toSnapshotRecord } from '../hatchery-records.ts'
import { platformRoute } from '../route.ts'
import type { Route } from '../route.ts'

export interface HatcherySnapshotDeps {
  readonly snapshot: SnapshotDeps
}

export function getHatcherySnapshot({ snapshot }: HatcherySnapshotDeps): Route {
  return platformRoute(operations.getHatcherySnapshot, () => ({
    status: 200,
    body: toSnapshotRecord(takeSnapshot(snapshot), new Date()),
  }))
}
