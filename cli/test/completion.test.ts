/** The shell is offered what the command has: nothing is missing and nothing is made up. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { addTenantSideCommands } from '../src/commands.ts'
import { completionScript } from '../src/completion/scripts.ts'
import { commandTable } from '../src/completion/table.ts'

const program = new Command('concord')
addTenantSideCommands(program, {})
const table = commandTable(program)

function offered(...words: string[]): string[] {
  const script = `${completionScript('bash', table)}
COMP_WORDS=(concord ${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
_concord
printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['--noprofile', '--norc', '-c', script]).toString().trim().split('\n')
}

describe('bash', () => {
  it.each([
    [['con'], ['contradictions']],
    [
      ['contradiction', 're'],
      ['resolve', 'reopen'],
    ],
    [['contradictions', 'list', '--sev'], ['--severity']],
    [
      ['contradictions', 'list', '--severity', ''],
      ['low', 'medium', 'high', 'critical'],
    ],
    [['contradictions', 'list', 'acme', '--severity', 'cr'], ['critical']],
    [['completion', 'z'], ['zsh']],
    [['ingest', '--scope', ''], ['']],
    [['ingest', '--no'], ['--no-wait']],
  ])('offers after %j: %j', (words, expected) => {
    expect(offered(...words)).toEqual(expected)
  })
})

describe.each(['bash', 'zsh', 'fish'] as const)('%s', (shell) => {
  it('has every command and every option', () => {
    const script = completionScript(shell, table)
    for (const { commands, options } of table) {
      for (const { word } of commands) expect(script).toContain(word)
      for (const { word } of options)
        expect(script).toContain(shell === 'fish' ? `-l ${word.slice(2)}` : word)
    }
    expect(script).not.toMatch(/undefined|\[object/)
  })
})

describe('a slip of the finger', () => {
  const entry = join(import.meta.dirname, '..', 'src', 'concord.ts')

  it.each([
    [['ingst'], /Did you mean ingest\?/],
    [['contradictions', 'lsit'], /Did you mean list\?/],
    [['claims', '--kidn', 'money'], /Did you mean --kind\?/],
    [['claims', '--kind', 'mony'], /Allowed choices are money/],
  ])('%j is answered with what was meant', (args, hint) => {
    let said = ''
    try {
      execFileSync(process.execPath, [entry, ...args], { stdio: 'pipe' })
    } catch (error) {
      said = String((error as { stderr: Buffer }).stderr)
    }
    expect(said).toMatch(hint)
  })

  it('every command says what it is for, and each of its options too', () => {
    for (const { options, commands } of table)
      for (const { word, says } of [...options, ...commands]) expect(`${word}: ${says}`).toMatch(/: \S+/)
  })
})
