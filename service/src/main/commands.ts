/**
 * The commands in groups. A group is loaded only for a command of its own, because loading all groups takes four times
 * as long.
 */
import type { Command } from 'commander'
import type { WithKernelView } from '../command/kernel-view.ts'
import type { WithOperator } from '../command/operator.ts'

type AddCommands = (program: Command) => void

export interface CommandGroup {
  /** The commands of the group, including aliases. */
  readonly names: readonly string[]
  readonly load: () => Promise<AddCommands>
}

const withOperator: WithOperator = async (work) => (await import('./operator.ts')).withOperator(work)
const withKernelView: WithKernelView = async (work) => (await import('./kernel-view.ts')).withKernelView(work)

/** A group of operator commands, which use the database and the secrets of the API. */
const onServer = (names: readonly string[], load: () => Promise<AddCommands>): CommandGroup => ({
  names,
  load: async () => {
    const add = await load()
    return (program) => {
      program.commandsGroup('On the server, for its operator:')
      add(program)
    }
  },
})

/** In the order of the help. `completion` belongs to no group, so it loads all of them. */
export const commandGroups: readonly CommandGroup[] = [
  {
    names: [
      'init',
      'scopes',
      'scope',
      'ingest',
      'watch',
      'summary',
      'documents',
      'document',
      'contradictions',
      'contradiction',
      'claims',
      'report',
      'export',
      'reread',
      'mcp',
    ],
    load: async () => {
      const { addTenantSideCommands } = await import('@concord/cli')
      const { operatorContradictions } = await import('../command/contradictions.ts')
      const { operatorScopes } = await import('../command/scopes.ts')
      const contradictions = operatorContradictions(withOperator)
      const scopes = operatorScopes(withOperator)
      return (program) => addTenantSideCommands(program, process.env, { contradictions, scopes })
    },
  },
  {
    names: ['up', 'api', 'dispatcher', 'worker', 'hatchery'],
    load: async () => (await import('./processes.ts')).addProcesses,
  },
  onServer(['migrate'], async () => (await import('./migrate.ts')).addMigrateCommand),
  onServer(['demo'], async () => {
    const { addDemoCommand } = await import('../command/demo.ts')
    const demo = await import('@concord/cli')
    return (program) => addDemoCommand(program, process.env, withOperator, demo)
  }),
  onServer(['backup', 'restore'], async () => {
    const { addBackupCommands } = await import('../command/backup.ts')
    return (program) => addBackupCommands(program, async () => (await import('./backup.ts')).backupWork)
  }),
  onServer(['doctor'], async () => {
    const { addDoctorCommand } = await import('../command/doctor.ts')
    return (program) => addDoctorCommand(program, async () => (await import('./doctor.ts')).checkDeployment())
  }),
  onServer(['keys'], async () => {
    const { addKeyCommands } = await import('../command/keys.ts')
    return (program) => addKeyCommands(program, withOperator)
  }),
  onServer(['tenants'], async () => {
    const { addTenantCommands } = await import('../command/tenants.ts')
    return (program) => addTenantCommands(program, withOperator)
  }),
  onServer(['certificate', 'certificates'], async () => {
    const { addCertificateCommands } = await import('../command/certificates.ts')
    return (program) => addCertificateCommands(program, withOperator)
  }),
  onServer(['policy', 'policies'], async () => {
    const { addPolicyCommands } = await import('../command/policy.ts')
    const { createPolicyEngine } = await import('../policy/engine.ts')
    return (program) => addPolicyCommands(program, createPolicyEngine, withOperator)
  }),
  onServer(['runtime'], async () => {
    const { addRuntimeCommands } = await import('../command/runtime.ts')
    return (program) => addRuntimeCommands(program, withOperator)
  }),
  onServer(['audit'], async () => {
    const { addAuditCommands } = await import('../command/audit.ts')
    return (program) => addAuditCommands(program, withOperator)
  }),
  onServer(['judge'], async () => {
    const { addJudgeCommands } = await import('../command/judge.ts')
    return (program) => addJudgeCommands(program, withOperator)
  }),
  onServer(['model'], async () => {
    const { addModelCommands } = await import('../command/model.ts')
    return (program) => addModelCommands(program, withOperator)
  }),
  onServer(['top'], async () => {
    const { addTopCommand } = await import('../command/top.ts')
    return (program) => addTopCommand(program, withKernelView)
  }),
]

/** Adds the group of the command. For any other name it adds all groups, which help and suggestions need. */
export async function addCommands(program: Command, name: string | undefined): Promise<void> {
  const asked = commandGroups.filter(({ names }) => name !== undefined && names.includes(name))
  const loaded = (asked.length > 0 ? asked : commandGroups).map(({ load }) => load())
  for (const add of await Promise.all(loaded)) add(program)
}
