/** For anyone, without a key; and the health of each tier. */
import type { Concord } from '@concord/client'

export async function getReference(concord: Concord): Promise<void> {
  const page = await concord.getReference()
  console.log(page.includes('<html'))
}

export async function getLiveness(concord: Concord): Promise<void> {
  const { status } = await concord.getLiveness()
  console.log(status)
}

export async function getReadiness(concord: Concord): Promise<void> {
  const { status } = await concord.getReadiness()
  console.log(status)
}

export async function getOpenApi(concord: Concord): Promise<void> {
  const document = await concord.getOpenApi()
  console.log(document['openapi'])
}

export async function describeProblem(concord: Concord): Promise<void> {
  const { title, detail } = await concord.describeProblem({ code: 'scope_not_found' })
  console.log(`${title}. ${detail}`)
}

export async function getPublicHealth(concord: Concord): Promise<void> {
  const { status } = await concord.getPublicHealth()
  console.log(status)
}

export async function getAdminHealth(concord: Concord): Promise<void> {
  const { status, authTier } = await concord.getAdminHealth()
  console.log(status, authTier)
}

export async function getInternalsHealth(concord: Concord): Promise<void> {
  const { status, authTier } = await concord.getInternalsHealth()
  console.log(status, authTier)
}

export async function getAdminControlPlaneHealth(concord: Concord): Promise<void> {
  const { status } = await concord.getAdminControlPlaneHealth()
  console.log(status)
}

export async function getControlPlaneHealth(concord: Concord): Promise<void> {
  const { status } = await concord.getControlPlaneHealth()
  console.log(status)
}

export async function getControlPlaneHealthDeprecated(concord: Concord): Promise<void> {
  // Call getControlPlaneHealth instead.
  const { status } = await concord.getControlPlaneHealthDeprecated()
  console.log(status)
}

export async function getKernelHealth(concord: Concord): Promise<void> {
  // An answer 503 is no error here: it says what does not move.
  const { status, moving } = await concord.getKernelHealth()
  console.log(status, moving)
}

export async function getHatcherySnapshot(concord: Concord): Promise<void> {
  const { workers } = await concord.getHatcherySnapshot()
  for (const { worker_id, state } of workers) console.log(worker_id, state)
}

export async function getHatcherySnapshotDeprecated(concord: Concord): Promise<void> {
  // Call getHatcherySnapshot instead.
  const { workers } = await concord.getHatcherySnapshotDeprecated()
  console.log(workers.length)
}
