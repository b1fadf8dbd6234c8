/** The view of a command that watches the kernel. */
import type { HatchSnapshot } from '../app/health/hatchery-snapshot.ts'
import type { KernelReport } from '../app/health/kernel-health.ts'

export interface KernelView {
  readHealth(): Promise<KernelReport>
  takeSnapshot(): HatchSnapshot
}

export type WithKernelView = (work: (view: KernelView) => Promise<void>) => Promise<void>
