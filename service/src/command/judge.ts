/** `concord judge`: permits or forbids questions of a tenant to the judge, and shows their progress. */
import type { Command } from 'commander'
import { forbidJudge, getJudgeStanding, permitJudge } from '../app/contradictions/judge-requests.ts'
import type { JudgeStatus } from '../app/contradictions/judge-requests.ts'
import type { TenantCaller } from '../domain/caller.ts'
import { actFor } from './acting.ts'
import type { Operator, WithOperator } from './operator.ts'
import { printRecord } from '@concord/cli/terminal'
import type { Cell, OutputOptions } from '@concord/cli/terminal'

interface JudgeOptions extends OutputOptions {
  readonly tenant: string
}

export function addJudgeCommands(program: Command, withOperator: WithOperator): void {
  const judge = program
    .command('judge')
    .description('permit or forbid that sentences of a tenant are put to the judge outside')
  const add = (
    name: string,
    description: string,
    answer: (operator: Operator, who: TenantCaller) => Promise<JudgeStatus>,
  ) =>
    judge
      .command(name)
      .description(description)
      .requiredOption('--tenant <id>', 'whose sentences')
      .option('--json', 'print JSON')
      .action((options: JudgeOptions) =>
        withOperator(async (operator) => {
          const who = await actFor(operator, options.tenant)
          printRecord(toRow(who, await answer(operator, who)), options)
        }),
      )
  add('permit', 'from now on, send pairs that rules leave open to the judge', permitJudge)
  add('forbid', 'send nothing more to the judge; its verdicts stand', forbidJudge)
  add('show', 'show whether it is permitted, what waits and what was used', getJudgeStanding)
}

function toRow({ tenantId }: TenantCaller, standing: JudgeStatus): Record<string, Cell> {
  return {
    tenant_id: tenantId,
    permitted: standing.permittedAt !== null,
    permitted_at: standing.permittedAt?.toISOString() ?? null,
    permitted_by: standing.permittedBy,
    waiting: standing.waiting,
    verdicts: standing.verdicts,
    tokens_today: standing.tokensToday,
  }
}
