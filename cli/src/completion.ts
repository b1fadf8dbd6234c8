/** `concord completion`: what the shell needs to complete commands, options and their values. */
import { Argument } from 'commander'
import type { Command } from 'commander'
import { completionScript, shells } from './completion/scripts.ts'
import type { CompletionShell } from './completion/scripts.ts'
import { commandTable } from './completion/table.ts'

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .description('print the completion script for a shell')
    .addHelpText(
      'after',
      `
  source <(concord completion bash)
  concord completion zsh > ~/.zfunc/_concord
  concord completion fish > ~/.config/fish/completions/concord.fish`,
    )
    .action((shell: CompletionShell) => {
      process.stdout.write(completionScript(shell, commandTable(program)))
    })
}
