// The commands of a page and what it says they show. A block of `sh` is run; the block of another language that follows it, before
// the next one of `sh`, is what it must print. One word behind `sh` says more:
//   sh soon       its output is that of something under way: it is run again until it shows what the page says
//   sh by-hand    not run: it needs what no test has

export interface PageBlock {
  readonly line: number
  readonly script: string
  readonly how: 'once' | 'soon' | 'by-hand'
  readonly shows?: { readonly language: string; readonly text: string }
}

interface Fence {
  readonly line: number
  readonly info: string
  readonly text: string
}

export function pageBlocks(page: string): PageBlock[] {
  const blocks: PageBlock[] = []
  for (const { line, info, text } of fencesOf(page)) {
    const [language = '', word] = info.split(' ')
    const last = blocks.at(-1)
    if (language === 'sh') blocks.push({ line, script: text, how: howOf(word, line) })
    else if (last && !last.shows) blocks[blocks.length - 1] = { ...last, shows: { language, text } }
  }
  return blocks
}

function howOf(word: string | undefined, line: number): PageBlock['how'] {
  if (word === undefined) return 'once'
  if (word === 'soon' || word === 'by-hand') return word
  throw new Error(`Line ${line}: a block of sh is "soon" or "by-hand", not "${word}".`)
}

function fencesOf(page: string): Fence[] {
  const fences: Fence[] = []
  let open: { line: number; info: string; lines: string[] } | undefined
  page.split('\n').forEach((words, index) => {
    const mark = /^```(.*)$/.exec(words)
    if (!mark) open?.lines.push(words)
    else if (open) {
      fences.push({ line: open.line, info: open.info, text: open.lines.join('\n') })
      open = undefined
    } else open = { line: index + 1, info: (mark[1] ?? '').trim(), lines: [] }
  })
  return fences
}
