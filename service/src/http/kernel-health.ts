/** The health of the kernel in the words of the contract. A fault is a 503 with the same body; a switch is none. */
import type { operations, AnswerOf } from '@concord/contract'
import type {
  ControlPlaneReport,
  KernelHealth,
  KernelReport,
  ServiceSwitch,
} from '../app/health/kernel-health.ts'

export interface KernelHealthRouteDeps {
  readonly kernelHealth: KernelHealth
}

type KernelAnswer = AnswerOf<typeof operations.getKernelHealth>
type ControlPlaneAnswer = AnswerOf<typeof operations.getControlPlaneHealth>

export async function answerKernelHealth({ kernelHealth }: KernelHealthRouteDeps): Promise<KernelAnswer> {
  const report = await kernelHealth.readKernel()
  return {
    status: codeOf(report),
    body: {
      status: report.status,
      moving: report.moving,
      runtime: report.service ? switchIn(report.service) : null,
      oldest_queued_age_ms: rounded(report.oldestQueuedAgeMs),
      last_completion_age_ms: rounded(report.sinceCompletionMs),
      dispatcher_lag_ms: rounded(report.dispatcherLagMs),
      audit: auditIn(report),
      probes: probesIn(report),
      workers: report.members.map(({ id, role, alive, ageMs }) => ({
        worker_id: id,
        role,
        alive,
        heartbeat_age_ms: Math.round(ageMs),
      })),
      judge: report.judge,
    },
  }
}

export async function answerControlPlaneHealth({
  kernelHealth,
}: KernelHealthRouteDeps): Promise<ControlPlaneAnswer> {
  const report = await kernelHealth.readControlPlane()
  return {
    status: codeOf(report),
    body: {
      status: report.status,
      probes: probesIn(report),
      migrations: report.migrations,
      runtime: switchIn(report.service),
      hatchery_heartbeat_age_ms: rounded(report.hatcheryAgeMs),
    },
  }
}

function codeOf({ status }: KernelReport | ControlPlaneReport): 200 | 503 {
  return status === 'degraded' || status === 'unavailable' ? 503 : 200
}

function switchIn({ state, ageMs }: ServiceSwitch) {
  return { service: state, switches_age_ms: Math.round(ageMs) }
}

function probesIn({ probes }: KernelReport | ControlPlaneReport) {
  return probes.map(({ name, ok, required, latencyMs, ageMs, detail }) => ({
    name,
    ok,
    required,
    latency_ms: latencyMs === null ? null : Math.round(latencyMs * 10) / 10,
    age_ms: Math.round(ageMs),
    detail,
  }))
}

function auditIn({ audit }: KernelReport) {
  return (
    audit && {
      seq: audit.seq,
      head: audit.chainMac,
      unchained: audit.unchained,
      oldest_unchained_age_ms: rounded(audit.oldestUnchainedMs),
    }
  )
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms)
}
