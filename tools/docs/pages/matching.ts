// Whether a command printed what a page says. Ids, keys and moments differ from run to run and are compared by their kind;
// `…` stands for whatever is not shown. Of JSON, what the page leaves out may be there.

/** The difference, or nothing. */
export function difference(
  shown: { readonly language: string; readonly text: string },
  printed: string,
): string | undefined {
  const fault =
    shown.language === 'json' ? differenceOfJson(shown.text, printed) : differenceOfLines(shown.text, printed)
  return fault && `${fault}\n--- the page says\n${shown.text}\n--- printed was\n${printed}`
}

function differenceOfLines(text: string, printed: string): string | undefined {
  return pattern(text.trim()).test(regular(printed.trim())) ? undefined : 'The output is another one.'
}

function differenceOfJson(text: string, printed: string): string | undefined {
  let found: unknown
  try {
    found = JSON.parse(printed)
  } catch {
    return 'The output is no JSON.'
  }
  const place = firstDifference(JSON.parse(text), found, '$')
  return place && `The output differs at ${place}.`
}

function firstDifference(wanted: unknown, found: unknown, place: string): string | undefined {
  if (typeof wanted === 'string')
    return typeof found === 'string' && pattern(wanted).test(regular(found)) ? undefined : place
  if (typeof wanted !== 'object' || wanted === null) return wanted === found ? undefined : place
  if (typeof found !== 'object' || found === null) return place
  if (Array.isArray(wanted) && (!Array.isArray(found) || found.length !== wanted.length))
    return `${place}, in its length`
  const inside = new Map<string, unknown>(Object.entries(found))
  for (const [name, value] of Object.entries(wanted)) {
    const fault = firstDifference(value, inside.get(name), `${place}.${name}`)
    if (fault) return fault
  }
  return undefined
}

const kinds: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<id>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<moment>'],
  [/\bck_[tai]_\w{10}(_\w+)?/g, '<key>'],
  [/127\.0\.0\.1:\d+/g, '<address>'],
  // Columns are as wide as what is in them.
  [/ {2,}/g, '  '],
  [/[ \t]+$/gm, ''],
]

function regular(text: string): string {
  return kinds.reduce((rest, [kind, name]) => rest.replaceAll(kind, name), text)
}

function pattern(text: string): RegExp {
  const parts = regular(text).split('…')
  return new RegExp(
    `^${parts.map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)).join('[^]*?')}$`,
  )
}
