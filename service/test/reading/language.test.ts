import { describe, expect, it } from 'vitest'
import { readStructure } from '../../src/reading/structure.ts'

describe('the guess of the language', () => {
  const samples = [
    ['en', 'The account was opened on 3 October 2022 and it has not been used since then.'],
    ['other', 'Das Konto wurde am 3. Oktober eröffnet und ist seitdem nicht mehr benutzt worden.'],
    ['other', 'Le compte a été ouvert le 3 octobre et il est fermé depuis la fin de la semaine.'],
    ['other', '该账户于十月三日开立，此后未再使用。'],
    ['other', 'الحساب مفتوح منذ أكتوبر ولم يستخدم بعد ذلك'],
    ['unknown', 'Larkmoor Shipping FZE'],
    ['unknown', '12 % | 45 % | 7,940,000'],
  ] as const
  for (const [language, text] of samples) {
    it(`is ${language} for: ${text}`, () => {
      expect(readStructure(text).language).toBe(language)
    })
  }
})
