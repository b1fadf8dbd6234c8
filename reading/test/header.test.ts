import { describe, expect, it } from 'vitest'
import { readStructure } from '../src/structure.ts'
import { sketch } from './support/sketch.ts'

describe('the title', () => {
  it('is the heading on the first line', () => {
    expect(sketch('# Q&A log: Tidemark #\n\nText follows here.')[0]).toBe('title Q&A log: Tidemark')
    expect(sketch('Site report\n===========\n\nText follows here.')[0]).toBe('title Site report')
  })

  it('may take up to four lines of plain text', () => {
    expect(sketch('BANQUE RIVENEL S.A.\nApplication for an account\n\nName: X\n')[0]).toBe(
      'title BANQUE RIVENEL S.A. Application for an account',
    )
  })

  it('ends where text goes on below it', () => {
    expect(sketch('MASTER AGREEMENT\nbetween Nimbral GmbH and Hofmeer AG\n\nSigned.')).toEqual([
      'title MASTER AGREEMENT',
      'paragraph | between Nimbral GmbH and Hofmeer AG',
      'paragraph | Signed.',
    ])
  })

  it('is not made of the beginning of a paragraph, nor of the only line there is', () => {
    expect(readStructure('Thanks for the quick reply to\nmy letter of May.\n\nBest').header).toEqual({
      fields: [],
    })
    expect(readStructure('Revenue was EUR 5m in 2023').header).toEqual({ fields: [] })
  })

  it('may hold a colon, unless the lines around it make it a form', () => {
    expect(sketch('POLICY: SCHEDULE\n\nInsured:   X')[0]).toBe('title POLICY: SCHEDULE')
    expect(sketch('DOCUMENT: REPORT\nDATE: 2024-01-01\n\nText follows here.').slice(0, 2)).toEqual([
      'field DOCUMENT = REPORT',
      'field DATE = 2024-01-01',
    ])
  })
})

describe('the fields of the header', () => {
  it('stand below the title, also behind a short line or a ruler', () => {
    expect(
      sketch('# Note\n\nWritten for the board\n\nClient: Larkmoor Ltd\n**Date:** 3 May\n\nFurther: text'),
    ).toEqual([
      'title Note',
      'paragraph | Written for the board',
      'field Client = Larkmoor Ltd',
      'field Date = 3 May',
      'key-value | Further = text',
    ])
    expect(sketch('---\ntitle: A\nversion: 2\n---\n\nText.').slice(0, 2)).toEqual([
      'field title = A',
      'field version = 2',
    ])
  })

  it('take lines that stand further in as part of the value', () => {
    expect(
      sketch('MINUTES\n\nPresent:  Ola Brekkan,\n          E. Sandvik\nPlace:    Oslo\n\nText.'),
    ).toEqual([
      'title MINUTES',
      'field Present = Ola Brekkan, E. Sandvik',
      'field Place = Oslo',
      'paragraph | Text.',
    ])
  })

  it('may share a line', () => {
    expect(sketch('Product:  raspberries     Item: 40217\nBatch:    7\n\nText.').slice(0, 3)).toEqual([
      'field Product = raspberries',
      'field Item = 40217',
      'field Batch = 7',
    ])
  })

  it('end where the text begins', () => {
    expect(
      sketch('RECALL\n\nAs a precaution, the company recalls the following product:\n\nProduct: muesli\n'),
    ).toEqual([
      'title RECALL',
      'paragraph | As a precaution, the company recalls the following product:',
      'key-value ^0 | Product = muesli',
    ])
  })
})
