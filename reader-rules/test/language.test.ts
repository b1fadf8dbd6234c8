import { describe, expect, it } from 'vitest'
import type { ReadingReport } from '@concord/reading/src/report.ts'
import { extentOf } from '@concord/reading/src/report.ts'
import { readDocument } from '../src/document.ts'
import { expectSums } from '@concord/reading/test/support/sums.ts'

function reportOf(text: string): ReadingReport {
  const { report } = readDocument(text)
  expectSums(report)
  return report
}

const english =
  'The mill was sold in 2024 for EUR 4.2m, and the buyer has paid all of it. There is no debt on the land.'
const german =
  'Die Mühle wurde im Jahr 2024 für 4,2 Mio. Euro verkauft, und der Käufer hat alles bezahlt. Auf dem Grundstück liegt keine Schuld.'

describe('a text in a language that the reader cannot read is not read', () => {
  const samples = [
    ['de', german],
    ['de', 'Die Miete beträgt 900 Euro im Monat.'],
    ['de', 'Firma: Mühlenhof\nOrt: Köln\nDatum: 3. Mai 2025\nBetrag: 12.000 Euro\n'],
    [
      'fr',
      'Le moulin a été vendu en 2024 pour 4,2 millions d’euros. L’acheteur n’a pas encore payé le prix.',
    ],
    [
      'es',
      'El molino se vendió en 2024 por 4,2 millones de euros. El comprador no ha pagado el precio todavía.',
    ],
    [
      'it',
      'Il mulino è stato venduto nel 2024 per 4,2 milioni di euro. Il compratore non ha ancora pagato il prezzo.',
    ],
    ['nl', 'De molen is in 2024 verkocht voor 4,2 miljoen euro. De koper heeft de prijs nog niet betaald.'],
    ['pt', 'O moinho foi vendido em 2024 por 4,2 milhões de euros. O comprador ainda não pagou o preço.'],
    ['sv', 'Kvarnen såldes under 2024 för 4,2 miljoner euro. Köparen har inte betalat och det är en tvist.'],
    [
      'da',
      'Møllen blev solgt i 2024 for 4,2 millioner euro. Køberen har ikke betalt, og sagen er indbragt af sælgeren efter nytår.',
    ],
    [
      'no',
      'Møllen ble solgt i 2024 for 4,2 millioner euro. Kjøperen har ikke betalt, og saken ble tatt opp av selgeren etter nyttår.',
    ],
    ['fi', 'Mylly oli myyty jo vuonna 2024, mutta ostaja ei ole maksanut hintaa. Se on sama kuin ennen.'],
    ['pl', 'Młyn został sprzedany w 2024 roku za 4,2 mln euro. Kupujący nie zapłacił i nie ma na to zgody.'],
    [
      'cs',
      'Mlýn byl prodán v roce 2024 za 4,2 milionu eur. Kupující však ještě nezaplatil a dluh je stále stejný.',
    ],
    ['hu', 'A malom 2024-ben kelt el, és a vevő még nem fizette meg az árat. Ez egy nagy gond.'],
    [
      'ro',
      'Moara a fost vândută în 2024 pentru 4,2 milioane de euro, dar cumpărătorul nu a plătit și este dator.',
    ],
    [
      'tr',
      'Değirmen 2024 yılında 4,2 milyon avro için satıldı ve alıcı bu bedeli daha ödemedi. Bir dava var.',
    ],
    [
      'id',
      'Kilang ini telah dijual pada tahun 2024 dan pembeli itu tidak membayar harga yang telah disepakati.',
    ],
    ['vi', 'Nhà máy đã được bán trong năm 2024 và người mua không trả tiền cho các bên.'],
    [
      'la',
      'Lorem ipsum dolor sit amet, sed do tempor ut labore et dolore. Ut enim ad minim, quis non ex ea est.',
    ],
    ['ru', 'Мельница была продана в 2024 году за 4,2 млн евро. Покупатель всё ещё не заплатил.'],
    ['uk', 'Млин продано у 2024 році за 4,2 млн євро. Її покупець і досі не заплатив.'],
    ['el', 'Ο μύλος πουλήθηκε το 2024 και ο αγοραστής δεν πλήρωσε.'],
    ['ar', 'بيعت المطحنة في عام 2024 ولم يدفع المشتري الثمن بعد'],
    ['fa', 'آسیاب در سال گذشته فروخته شد و خریدار چیزی نپرداخت، گرچه پول داشت'],
    ['he', 'הטחנה נמכרה בשנת 2024 והקונה עדיין לא שילם'],
    ['hi', 'चक्की 2024 में बेची गई और खरीदार ने अभी तक भुगतान नहीं किया'],
    ['th', 'โรงสีถูกขายในปี 2024 และผู้ซื้อยังไม่ได้ชำระเงิน'],
    ['zh', '磨坊于2024年出售，买方尚未付款。'],
    ['ja', '製粉所は2024年に売却されましたが、買い手はまだ支払っていません。'],
    ['ko', '방앗간은 2024년에 팔렸고 구매자는 아직 돈을 내지 않았다.'],
  ] as const
  it.each(samples)('%s: %s', (language, text) => {
    const report = reportOf(text)
    expect(report.language).toBe(language)
    expect(report.languageConfidence).toBeGreaterThan(0)
    expect(report.claims).toBe(0)
    expect(report.charactersRead).toBe(0)
    expect(report.unread).toEqual([
      { reason: 'language', characters: report.characters, passages: report.passages },
    ])
  })

  it('also where no small word of it is known', () => {
    const swahili =
      'Kinu kiliuzwa mwaka uliopita kwa bei nzuri sana sokoni. Mnunuzi hajalipa hata shilingi moja mpaka sasa hivi jijini. ' +
      'Wauzaji walipeleka kesi mahakamani wiki iliyopita bila kuchelewa. Hakimu atasikiliza pande zote mbili mwezi ujao mjini. ' +
      'Wafanyakazi wengi wanasubiri mishahara yao tangu mwanzo wa kiangazi.'
    const report = reportOf(swahili)
    expect([report.language, extentOf(report)]).toEqual(['und', 'none'])
  })

  it('with its title, its headings, its figures and its code', () => {
    const report = reportOf(
      `# Bericht\n\nDatum: 3. Mai 2025\n\n## Verkauf\n\n${german}\n\n- Preis: 4,2 Mio.\n\n| 1 | 2 |\n|---|---|\n| 3 | 4 |\n\n    a = 1\n`,
    )
    expect(extentOf(report)).toBe('none')
    expect(report.passagesRead).toBe(0)
  })

  it('although the fields of an e-mail are written in English', () => {
    const report = reportOf(
      `From: Anna Vogt <anna@example.org>\nTo: Jens Holm\nSubject: Verkauf\nDate: 3 May 2025\n\nSehr geehrter Herr Holm,\n\n${german}\n`,
    )
    expect([report.language, extentOf(report)]).toEqual(['de', 'none'])
  })
})

describe('a text in English is read as a whole', () => {
  const samples = [
    ['a sentence', english],
    [
      'names',
      'Jürgen Müller of Société Générale met Señor Núñez y Pérez in São Paulo. The rent is EUR 900 a month.',
    ],
    [
      'addresses',
      `${english}\n\n- Rue de la Loi 12, 1049 Bruxelles\n- Via della Pace 4, 00193 Roma\n- Calle de Alcalá 45, Madrid\n- Am Markt 3, 50667 Köln\n- Avenue des Ternes 10, Paris\n`,
    ],
    [
      'a quotation',
      `${english}\n\n> Das ist nicht unser Haus, sagte der alte Mann.\n\n${english}\n\n${english}`,
    ],
    [
      'figures',
      `${english}\n\n| Item | FY2025E | FY2026E |\n|---|---|---|\n| ARR | 50.0 | 68.0 |\n| NRR | 8.0 | 12.0 |\n`,
    ],
    ['code', `${english}\n\n\`\`\`\nconst der = die + das\nlet la = le\n\`\`\`\n`],
    ['a name in another script', `${english} The seller is called 株式会社水車 in its own register.`],
    ['characters that got lost', english.replace('sold', 's\ufffdld')],
  ] as const
  it.each(samples)('with %s', (_, text) => {
    const report = reportOf(text)
    expect([report.language, report.unread]).toEqual(['en', []])
    expect(report.charactersRead).toBe(report.characters)
  })
})

describe('a text with too few words to tell is read', () => {
  it.each(['Larkmoor Shipping FZE', '12 % | 45 % | 7,940,000', 'EUR 12.4m', ' \n '])('%j', (text) => {
    const report = reportOf(text)
    expect([report.language, report.languageConfidence, report.unread]).toEqual(['und', 0, []])
  })
})

describe('a text in two languages is read in part', () => {
  it('by sections, each with its heading and its short lines', () => {
    const foreign = [`Verkauf der Mühle`, `${german} ${german}`, '- Preis: 4,2 Mio.']
    const text = `# Report\n\n${english}\n\n## ${foreign.join('\n\n')}\n\n## What is left\n\n${english}`
    const report = reportOf(text)
    expect(report.language).toBe('en')
    expect(report.unread).toEqual([{ reason: 'language', characters: foreign.join('').length, passages: 2 }])
  })

  it('by sentences within one passage, and nothing is claimed of the others', () => {
    const { report, claims } = readDocument(`${english} ${german} ${german}\n${english}`)
    expectSums(report)
    expect(report.unread).toEqual([{ reason: 'language', characters: 2 * german.length - 2, passages: 0 }])
    expect(claims.map(({ quote }) => quote).filter((quote) => quote.includes('Mühle'))).toEqual([])
    expect(claims.length).toBeGreaterThan(0)
  })

  it('and is named by the language of most of it', () => {
    const report = reportOf(`${english}\n\n${german}\n\n${german}\n\n${german}`)
    expect([report.language, extentOf(report), report.passagesRead]).toEqual(['de', 'part', 1])
  })
})
