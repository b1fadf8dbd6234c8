/** `concord runtime`: shows and moves the switches of the service, a tenant and a scope. */
import type { Command } from 'commander'
import { getRuntime, moveRuntime } from '../app/processing/runtime.ts'
import type { RuntimeRecord } from '../app/processing/runtime.ts'
import type { RuntimeOp, RuntimeTarget } from '../domain/runtime.ts'
import { actFor } from './acting.ts'
import type { Operator, WithOperator } from './operator.ts'
import { printRecord } from '@concord/cli/terminal'
import type { Cell, OutputOptions } from '@concord/cli/terminal'

interface RuntimeOptions extends OutputOptions {
  readonly tenant?: string
  readonly scope?: string
}

const moves = [
  ['start', 'let work run again, from paused and from stopped'],
  ['pause', 'start no new attempts; attempts in progress finish'],
  ['resume', 'end a pause'],
  ['stop', 'recall attempts in progress; their documents wait again'],
  ['restart', 'stop and start in one move, from any state, under a new generation'],
] as const satisfies readonly (readonly [RuntimeOp, string])[]

export function addRuntimeCommands(program: Command, withOperator: WithOperator): void {
  const runtime = program
    .command('runtime')
    .description('pause, stop and start the work of the whole service, of a tenant or of a scope')
  const add = (
    name: string,
    description: string,
    answer: (operator: Operator, target: RuntimeTarget) => Promise<RuntimeRecord>,
  ) =>
    runtime
      .command(name)
      .description(description)
      .option('--tenant <id>', 'of this tenant alone; without it, of the whole service')
      .option('--scope <id>', 'of this scope of the tenant alone')
      .option('--json', 'print JSON')
      .action((options: RuntimeOptions) =>
        withOperator(async (operator) =>
          printRecord(toRow(await answer(operator, await targetOf(operator, options))), options),
        ),
      )
  for (const [op, description] of moves)
    add(op, description, (operator, target) => moveRuntime(operator, target, op, operator.caller))
  add('show', 'show where the switch stands', getRuntime)
}

async function targetOf(operator: Operator, { tenant, scope }: RuntimeOptions): Promise<RuntimeTarget> {
  if (tenant === undefined && scope === undefined) return { level: 'service' }
  if (tenant === undefined)
    throw new Error('Say whose scope it is with --tenant; concord tenants list shows the ids')
  const { tenantId } = await actFor(operator, tenant)
  return scope === undefined ? { level: 'tenant', tenantId } : { level: 'scope', tenantId, scopeId: scope }
}

function toRow(runtime: RuntimeRecord): Record<string, Cell> {
  return {
    level: runtime.level,
    tenant_id: runtime.tenantId,
    scope_id: runtime.scopeId,
    state: runtime.state,
    effective_state: runtime.effectiveState,
    generation: runtime.generation,
    changed: runtime.changed,
    in_flight: runtime.inFlight,
    changed_at: runtime.changedAt?.toISOString() ?? null,
    changed_by: runtime.changedBy,
  }
}
