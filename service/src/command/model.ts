/** `concord model`: shows the use of the language model by a tenant. */
import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import { getModelUsage } from '../app/model/model-usage.ts'
import type { UsageRow } from '../app/model/model-usage.ts'
import { actFor } from './acting.ts'
import type { WithOperator } from './operator.ts'
import { printTable } from '@concord/cli/terminal'
import type { Cell, OutputOptions } from '@concord/cli/terminal'

interface UsageOptions extends OutputOptions {
  readonly tenant: string
  readonly days: number
}

const MAX_DAYS = 366

export function addModelCommands(program: Command, withOperator: WithOperator): void {
  program
    .command('model')
    .description('show the usage of the language model')
    .command('usage')
    .description('show requests and tokens of a tenant by day (UTC), step and model')
    .requiredOption('--tenant <id>', 'whose documents')
    .option('--days <number>', 'number of days, including today', parseDays, 31)
    .option('--json', 'print JSON')
    .action((options: UsageOptions) =>
      withOperator(async (operator) => {
        const who = await actFor(operator, options.tenant)
        printTable((await getModelUsage(operator, who, options.days)).map(toRow), options)
      }),
    )
}

function parseDays(value: string): number {
  const days = Number(value)
  if (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return days
  throw new InvalidArgumentError(`Give a whole number from 1 to ${MAX_DAYS}.`)
}

function toRow({ day, step, model, requests, inputTokens, outputTokens }: UsageRow): Record<string, Cell> {
  return { day, step, model, requests, input_tokens: inputTokens, output_tokens: outputTokens }
}
