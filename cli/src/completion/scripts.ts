/** The table as a script for each shell. All do the same: find the command that was typed, then offer what may follow it. */
import type { CompletionRow } from './table.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type CompletionShell = (typeof shells)[number]

export function completionScript(shell: CompletionShell, table: readonly CompletionRow[]): string {
  return { bash, zsh, fish }[shell](table)
}

interface Step {
  readonly from: string
  readonly words: readonly string[]
  readonly to: string
}

function stepsOf(table: readonly CompletionRow[]): Step[] {
  return table.flatMap(({ place, commands }) =>
    commands.map(({ word, aliases }) => ({ from: place, words: [word, ...aliases], to: `${place} ${word}` })),
  )
}

/** How both bash and zsh go from word to word; an option and its value are passed over. */
function walkCases(table: readonly CompletionRow[], indent: string): string {
  return stepsOf(table)
    .map(
      ({ from, words, to }) =>
        `${indent}${words.map((word) => `"${from} ${word}"`).join('|')}) place="${to}" ;;`,
    )
    .join('\n')
}

function valueCases(table: readonly CompletionRow[], offer: (words: readonly string[]) => string): string {
  return table
    .flatMap(({ place, options }) =>
      options.flatMap(({ word, takesValue, choices }) =>
        takesValue ? [`    "${place} ${word}") ${choices.length > 0 ? offer(choices) : 'free=1'} ;;`] : [],
      ),
    )
    .join('\n')
}

function wordsOf({ commands, options, choices }: CompletionRow): string[] {
  return [...commands.map(({ word }) => word), ...choices, ...options.map(({ word }) => word)]
}

function bash(table: readonly CompletionRow[]): string {
  return `# bash completion for concord; source it, or keep it in ~/.local/share/bash-completion/completions/concord
_concord() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
  local place="concord" words="" free="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "$place \${COMP_WORDS[at]}" in
${walkCases(table, '      ')}
    esac
  done
  case "$place $before" in
${valueCases(table, (choices) => `words="${choices.join(' ')}"`)}
    *) case "$place" in
${table.map((row) => `      "${row.place}") words="${wordsOf(row).join(' ')}" ;;`).join('\n')}
    esac ;;
  esac
  [ -n "$free" ] && return
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _concord concord
`
}

function described({ commands, options, choices }: CompletionRow): string {
  return [
    ...commands.map(({ word, says }) => `'${word}:${says}'`),
    ...choices.map((word) => `'${word}'`),
    ...options.map(({ word, says }) => `'${word}:${says}'`),
  ].join(' ')
}

function zsh(table: readonly CompletionRow[]): string {
  return `#compdef concord
# zsh completion for concord; keep it as _concord in a folder of $fpath, or source it after compinit
_concord() {
  local place="concord" free="" at
  local -a found
  for ((at = 2; at < CURRENT; at++)); do
    case "$place \${words[at]}" in
${walkCases(table, '      ')}
    esac
  done
  case "$place \${words[CURRENT-1]}" in
${valueCases(table, (choices) => `found=(${choices.map((word) => `'${word}'`).join(' ')})`)}
    *) case "$place" in
${table.map((row) => `      "${row.place}") found=(${described(row)}) ;;`).join('\n')}
    esac ;;
  esac
  [[ -z "$free" && \${#found} -gt 0 ]] && _describe -t values concord found
  _files
}
compdef _concord concord
`
}

function fish(table: readonly CompletionRow[]): string {
  const lines = table.flatMap(({ place, commands, options, choices }) => {
    const at = `complete -c concord -n '__concord_at "${place}"'`
    return [
      ...commands.map(({ word, says }) => `${at} -a ${word} -d '${says}'`),
      ...choices.map((word) => `${at} -a ${word}`),
      ...options.map(({ word, says, takesValue, choices: values }) => {
        const value = takesValue ? (values.length > 0 ? ` -x -a '${values.join(' ')}'` : ' -r') : ''
        return `${at} -l ${word.replace(/^--/, '')}${value} -d '${says}'`
      }),
    ]
  })
  return `# fish completion for concord; keep it as ~/.config/fish/completions/concord.fish
function __concord_at
  set -l place concord
  set -l typed (commandline -opc)
  for word in $typed[2..-1]
    switch "$place $word"
${stepsOf(table)
  .map(
    ({ from, words, to }) =>
      `      case ${words.map((word) => `'${from} ${word}'`).join(' ')}\n        set place '${to}'`,
  )
  .join('\n')}
    end
  end
  test "$place" = "$argv[1]"
end
${lines.join('\n')}
`
}
