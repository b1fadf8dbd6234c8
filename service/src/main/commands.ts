/** Everything that the command line can do, and how it says that something could not be done. */
import type { Command } from 'commander'
import { addTenantSideCommands, explainAnswer, stripControls } from '@concord/cli'
import { addAuditCommands } from '../command/audit.ts'
import { addBackupCommands } from '../command/backup.ts'
import { addCertificateCommands, Rejected } from '../command/certificates.ts'
import { Unconfirmed } from '../command/confirmation.ts'
import { operatorContradictions } from '../command/contradictions.ts'
import { addDemoCommand } from '../command/demo.ts'
import { addDoctorCommand } from '../command/doctor.ts'
import { explainFailure } from '../command/failure.ts'
import { addJudgeCommands } from '../command/judge.ts'
import { addKeyCommands } from '../command/keys.ts'
import { addPolicyCommands } from '../command/policy.ts'
import { addRuntimeCommands } from '../command/runtime.ts'
import { addScopeCommands } from '../command/scopes.ts'
import { addTenantCommands } from '../command/tenants.ts'
import { addTopCommand } from '../command/top.ts'
import { parseOwnerUrl } from '../platform/config.ts'
import { createPolicyEngine } from '../policy/engine.ts'
import { migrate, readMigrations } from '../store/migrations.ts'
import { readEnvironment } from './environment.ts'
import { withKernelView } from './kernel-view.ts'
import { withOperator } from './operator.ts'
import { addProcesses } from './processes.ts'

export function addCommands(program: Command): void {
  addTenantSideCommands(program, process.env, { contradictions: operatorContradictions(withOperator) })
  addProcesses(program)
  program.commandsGroup('On the server, for its operator:')
  program.command('migrate').description('bring the database schema up to date').action(runMigrate)
  addDemoCommand(program, process.env, withOperator)
  addBackupCommands(program, async () => (await import('./backup.ts')).backupWork)
  addDoctorCommand(program, async () => (await import('./doctor.ts')).examineDeployment())
  addKeyCommands(program, withOperator)
  addTenantCommands(program, withOperator)
  addScopeCommands(program, withOperator)
  addCertificateCommands(program, withOperator)
  addPolicyCommands(program, createPolicyEngine, withOperator)
  addRuntimeCommands(program, withOperator)
  addAuditCommands(program, withOperator)
  addJudgeCommands(program, withOperator)
  addTopCommand(program, withKernelView)
}

async function runMigrate(): Promise<void> {
  const applied = await migrate(parseOwnerUrl(await readEnvironment()), await readMigrations())
  for (const { version: number, name } of applied) process.stdout.write(`applied ${number} ${name}\n`)
  if (applied.length === 0) process.stdout.write('The schema is up to date.\n')
}

export function explain(error: unknown): string {
  return stripControls(explainAnswer(error) ?? explainFailure(error))
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof Unconfirmed) return Unconfirmed.exitCode
  return error instanceof Rejected ? Rejected.exitCode : 1
}
