/**
 * Files as offices make them, in many layouts: every sentence that was planted in one is found in its text, at its page, slide, cell, heading or
 * line. `corpus/planted.json` says what was planted where; the PDF, DOCX, XLSX and PPTX files were written by LibreOffice 7.4.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createLocator } from '../../src/domain/file-layout.ts'
import type { FileLocation, FileType } from '../../src/domain/file-layout.ts'
import { extractFile } from '../../src/extraction/extract.ts'

const folder = new URL('corpus/', import.meta.url)

interface PlantedSentence {
  readonly words: string
  /** The location in its type of file. Mail is a text of its own, and has lines of that alone. */
  readonly location?: Partial<FileLocation>
}

const planted = JSON.parse(readFileSync(new URL('planted.json', folder), 'utf8')) as Readonly<
  Record<string, readonly PlantedSentence[]>
>

describe('the corpus', () => {
  it('has at least 40 files and 120 sentences, and nothing that is not looked for', () => {
    const sentences = Object.values(planted).flat()
    expect(Object.keys(planted).length).toBeGreaterThanOrEqual(40)
    expect(sentences.length).toBeGreaterThanOrEqual(120)
    const files = readdirSync(folder).filter((file) => file !== 'planted.json')
    expect(files.toSorted()).toEqual(Object.keys(planted).toSorted())
  })

  it.each(Object.entries(planted))('every sentence of %s is found at its place', async (file, sentences) => {
    const { text, layout } = await extractFile(
      extname(file).slice(1) as FileType,
      readFileSync(new URL(file, folder)),
    )
    const locate = createLocator(text, layout)
    // A line may end inside of a sentence.
    const words = text.replaceAll(/\s/g, ' ')
    const found = sentences.map((sentence) => {
      const at = words.indexOf(sentence.words)
      const place = at === -1 ? undefined : locate(Array.from(text.slice(0, at)).length)
      return { words: sentence.words, isFound: at !== -1, place }
    })
    expect(found).toEqual(
      sentences.map((sentence) => ({
        words: sentence.words,
        isFound: true,
        place: expect.objectContaining(sentence.location ?? {}),
      })),
    )
  })
})
