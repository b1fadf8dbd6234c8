/** The commands as a table, read from the very tree that runs them. */
import type { Command } from 'commander'

export interface Word {
  readonly word: string
  readonly says: string
}

export interface TableOption extends Word {
  readonly takesValue: boolean
  readonly choices: readonly string[]
}

/** One command: where it stands, and what may come after it. */
export interface CompletionRow {
  /** The command as it is typed: `concord contradictions list`. */
  readonly place: string
  readonly commands: readonly (Word & { readonly aliases: readonly string[] })[]
  readonly options: readonly TableOption[]
  /** The choices of an argument, where that is a closed list. */
  readonly choices: readonly string[]
}

export function commandTable(command: Command, above = ''): CompletionRow[] {
  const place = `${above} ${command.name()}`.trim()
  const help = command.createHelp()
  const below = help.visibleCommands(command).filter((each) => each.name() !== 'help')
  const row: CompletionRow = {
    place,
    commands: below.map((each) => ({
      word: each.name(),
      says: plain(each.description()),
      aliases: each.aliases(),
    })),
    options: help.visibleOptions(command).flatMap((option) => {
      if (option.long === undefined) return []
      return [
        {
          word: option.long,
          says: plain(option.description),
          takesValue: option.required || option.optional,
          choices: option.argChoices ?? [],
        },
      ]
    }),
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  }
  return [row, ...below.flatMap((each) => commandTable(each, place))]
}

/** Keeps letters that mean nothing to a shell. */
function plain(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N} .,;()/_-]/gu, '')
}
