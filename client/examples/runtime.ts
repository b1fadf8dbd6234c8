/** The switches of work: of one scope here; without `scope_id`, of the service or the tenant. */
import type { Concord } from '@concord/client'

export async function startRuntime(concord: Concord): Promise<void> {
  const { state, effective_state } = await concord.startRuntime({ scope_id: 'first-case' })
  console.log(state, effective_state)
}

export async function startTenantRuntime(concord: Concord): Promise<void> {
  const { state, effective_state } = await concord.startTenantRuntime({ scope_id: 'first-case' })
  console.log(state, effective_state)
}

export async function pauseRuntime(concord: Concord): Promise<void> {
  const { state, effective_state } = await concord.pauseRuntime({ scope_id: 'first-case' })
  console.log(state, effective_state)
}

export async function pauseTenantRuntime(concord: Concord): Promise<void> {
  const { state, effective_state } = await concord.pauseTenantRuntime({ scope_id: 'first-case' })
  console.log(state, effective_state)
}

export async function resumeRuntime(concord: Concord): Promise<void> {
  const { state, effective_state } = await concord.resumeRuntime({ scope_id: 'first-case' })
  console.log(state, effective_state)
}

export async function resumeTenantRuntime(concord: Concord): Promise<void> {
  const { state, effective_state } = await concord.resumeTenantRuntime({ scope_id: 'first-case' })
  console.log(state, effective_state)
}

export async function stopRuntime(concord: Concord): Promise<void> {
  const { state, effective_state } = await concord.stopRuntime({ scope_id: 'first-case' })
  console.log(state, effective_state)
}

export async function stopTenantRuntime(concord: Concord): Promise<void> {
  const { state, effective_state } = await concord.stopTenantRuntime({ scope_id: 'first-case' })
  console.log(state, effective_state)
}

export async function restartRuntime(concord: Concord): Promise<void> {
  const { state, effective_state } = await concord.restartRuntime({ scope_id: 'first-case' })
  console.log(state, effective_state)
}

export async function restartTenantRuntime(concord: Concord): Promise<void> {
  const { state, effective_state } = await concord.restartTenantRuntime({ scope_id: 'first-case' })
  console.log(state, effective_state)
}
