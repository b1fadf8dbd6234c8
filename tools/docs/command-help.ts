// Run as a process of its own: loads the `concord` command, and instead of running it prints what it would say to --help, of itself
// and of each command below it, as JSON.

import { Command } from 'commander'

interface Help {
  readonly name: string
  readonly text: string
}

function helpOf(command: Command, above: string): Help[] {
  const name = `${above} ${command.name()}`.trim()
  const shown = command.commands.filter((each) => each.name() !== 'help')
  command.configureHelp({ helpWidth: 120 })
  return [{ name, text: command.helpInformation().trimEnd() }, ...shown.flatMap((each) => helpOf(each, name))]
}

Command.prototype.parseAsync = function printHelp(this: Command) {
  process.stdout.write(JSON.stringify(helpOf(this, '')))
  return Promise.resolve(this)
}
const [entry = ''] = process.argv.slice(2)
await import(entry)
