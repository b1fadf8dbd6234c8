/**
 * Documents of about 500 words as an office writes them: a letter with a header, paragraphs, a small table and a form. Each
 * states some two dozen figures. Who and what they speak of is drawn from a stock that grows with the number of documents, as
 * it does in a scope: a few subjects everybody writes about, many that few do.
 */

const places =
  'Lisbon Oslo Geneva Bergen Utrecht Porto Malmo Ghent Turin Leeds Cork Graz Basel Lyon Bremen'.split(' ')
const trades = 'Marine Foods Optics Freight Timber Energy Paper Textiles Dairy Glass Steel Media'.split(' ')
const measures =
  'revenue,headcount,net debt,monthly rent,order backlog,insured sum,error rate,notice period,churn,floor space'.split(
    ',',
  )
const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

export const filler =
  'The schedule was discussed with everybody who had a part in it, and the minutes were sent round the next morning. Nobody ' +
  'objected to the way in which the lists had been put together. Where something was still open, the person in charge was asked ' +
  'to see to it before the next meeting, and to tell the others in writing. The premises were found clean and in good order. '

/** The same number gives the same text. */
export function documentOf(number: number): string {
  const draw = drawing(number)
  const subject = `${draw(places)} ${draw(trades)} ${number % 40 === 0 ? 'Group' : `Unit ${number % 997}`}`
  const year = 2018 + (number % 7)
  const date = `${1 + (number % 28)} ${draw(months)} ${year}`
  return [
    `To: The board\nFrom: The audit office\nDate: ${date}\nSubject: ${subject}`,
    `# Report on ${subject}`,
    paragraph(draw, subject, year),
    `## Position at year end`,
    paragraph(draw, subject, year - 1),
    `| Item | ${year - 1} | ${year} |\n|---|---|---|\n| Revenue | EUR ${amount(draw)} | EUR ${amount(draw)} |\n| Headcount | ${count(draw)} | ${count(draw)} |`,
    `## Terms`,
    `Notice period:    ${1 + count(draw)} days\nMonthly rent:    EUR ${amount(draw)}\nAudit status:    completed`,
    `${filler}${filler}`,
    paragraph(draw, `${draw(places)} ${draw(trades)}`, year),
    filler,
  ].join('\n\n')
}

/** About 500 characters. */
export function letterOf(number: number): string {
  const draw = drawing(number)
  const subject = `${draw(places)} ${draw(trades)} Unit ${number % 997}`
  return `Subject: ${subject}\n\n${paragraph(draw, subject, 2018 + (number % 7))} ${filler.slice(0, 140)}`
}

type Draw = <Item>(items: readonly Item[]) => Item

function paragraph(draw: Draw, subject: string, year: number): string {
  return (
    `In ${year} the ${draw(measures)} of ${subject} was EUR ${amount(draw)}, against EUR ${amount(draw)} the year before. ` +
    `The company employed ${count(draw)} people at the end of ${draw(months)} ${year}. ` +
    `The ${draw(measures)} stood at ${count(draw) % 100} %. The lease was signed on ${1 + (count(draw) % 28)} ${draw(months)} ${year} ` +
    `and runs for ${1 + (count(draw) % 20)} years. The review of the permits is complete. There were no claims pending.`
  )
}

function amount(draw: Draw): string {
  return `${draw([1, 2, 3, 4, 5, 6, 7, 8, 9])}${draw([0, 1, 2, 3, 4, 5])}.${draw([1, 2, 5, 8])} million`
}

function count(draw: Draw): number {
  return 10 * draw([1, 2, 3, 4, 5, 6, 7, 8, 9]) + draw([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
}

function drawing(seed: number): Draw {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  return <Item>(items: readonly Item[]) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const item = items[Math.floor((state / 4_294_967_296) * items.length)]
    if (item === undefined) throw new Error('There is nothing to draw from.')
    return item
  }
}
