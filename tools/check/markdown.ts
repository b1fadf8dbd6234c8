// The part of markdown that links need: which lines are prose, and what the headings are called in an address.

interface Line {
  line: number
  prose: string
}

const fence = /^\s*(```+|~~~+)/

/** The lines outside of code, with code inside of a line taken out. */
export function linesOfProse(text: string): Line[] {
  let open: string | undefined
  return text.split('\n').flatMap((words, index) => {
    const mark = fence.exec(words)?.[1]
    if (open !== undefined) {
      if (mark?.startsWith(open)) open = undefined
      return []
    }
    open = mark
    return mark === undefined ? [{ line: index + 1, prose: words.replaceAll(/`[^`]*`/g, '`code`') }] : []
  })
}

/** The anchors of a page, as GitHub makes them; the site is told to make the same. */
export function headingSlugs(text: string): Set<string> {
  const lines = text.split('\n')
  const slugs = new Set<string>()
  for (const { line, prose } of linesOfProse(text)) {
    if (!/^#{1,6} /.test(prose)) continue
    const plain = slugOf((lines[line - 1] ?? '').replace(/^#+ /, ''))
    let slug = plain
    for (let again = 1; slugs.has(slug); again += 1) slug = `${plain}-${again}`
    slugs.add(slug)
  }
  return slugs
}

export function slugOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}
