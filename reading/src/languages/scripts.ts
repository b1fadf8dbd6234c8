/** Scripts other than Latin: the language that most texts in a script are in, or the one that a letter gives away. */

interface Script {
  readonly from: number
  readonly to: number
  readonly language: string
}

/** In the order of their code points. Han is Chinese unless there is kana beside it. */
const scripts: readonly Script[] = [
  { from: 0x0370, to: 0x03ff, language: 'el' },
  { from: 0x0400, to: 0x052f, language: 'ru' },
  { from: 0x0530, to: 0x058f, language: 'hy' },
  { from: 0x0590, to: 0x05ff, language: 'he' },
  { from: 0x0600, to: 0x077f, language: 'ar' },
  { from: 0x0900, to: 0x097f, language: 'hi' },
  { from: 0x0980, to: 0x09ff, language: 'bn' },
  { from: 0x0a00, to: 0x0a7f, language: 'pa' },
  { from: 0x0a80, to: 0x0aff, language: 'gu' },
  { from: 0x0b80, to: 0x0bff, language: 'ta' },
  { from: 0x0c00, to: 0x0c7f, language: 'te' },
  { from: 0x0c80, to: 0x0cff, language: 'kn' },
  { from: 0x0d00, to: 0x0d7f, language: 'ml' },
  { from: 0x0d80, to: 0x0dff, language: 'si' },
  { from: 0x0e00, to: 0x0e7f, language: 'th' },
  { from: 0x0e80, to: 0x0eff, language: 'lo' },
  { from: 0x1000, to: 0x109f, language: 'my' },
  { from: 0x10a0, to: 0x10ff, language: 'ka' },
  { from: 0x1100, to: 0x11ff, language: 'ko' },
  { from: 0x1200, to: 0x139f, language: 'am' },
  { from: 0x1780, to: 0x17ff, language: 'km' },
  { from: 0x1f00, to: 0x1fff, language: 'el' },
  { from: 0x3040, to: 0x30ff, language: 'ja' },
  { from: 0x3130, to: 0x318f, language: 'ko' },
  { from: 0x3400, to: 0x9fff, language: 'zh' },
  { from: 0xac00, to: 0xd7af, language: 'ko' },
]

const first = 0x370

/** The language of the script that a UTF-16 unit is of; null for Latin letters and for all that is no letter. */
export function scriptLanguage(code: number): string | null {
  if (code < first) return null
  let [low, high] = [0, scripts.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const script = scripts[middle]
    if (script === undefined) return null
    if (code < script.from) high = middle - 1
    else if (code > script.to) low = middle + 1
    else return script.language
  }
  return null
}

/** Languages that share a script with a larger one, and letters that only they have. */
const relatives: readonly (readonly [of: string, language: string, letters: RegExp])[] = [
  ['ru', 'uk', /[іїєґ]/gi],
  ['ru', 'sr', /[ђћљњџј]/gi],
  ['ar', 'fa', /[پچژگ]/g],
]

/** Kana makes it Japanese; a few letters make it Ukrainian, Serbian or Persian. */
export function refineScript(language: string, text: string): string {
  if (language === 'zh') return share(text, /[\u3040-\u30ff]/g) >= 0.03 ? 'ja' : 'zh'
  for (const [of, relative, letters] of relatives) {
    if (of === language && share(text, letters) >= 0.015) return relative
  }
  return language
}

function share(text: string, letters: RegExp): number {
  return (text.match(letters)?.length ?? 0) / text.length
}
