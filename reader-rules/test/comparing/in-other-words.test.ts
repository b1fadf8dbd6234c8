import { describe, expect, it } from 'vitest'
import type { Claim } from '@concord/reading/src/claim.ts'
import { readClaims } from '../../src/claims.ts'
import { judge, keysOf } from '../../src/comparing.ts'
import { readStructure } from '@concord/reading/src/structure.ts'

const frame = 'The report of the committee was read to all of the members who were there at the time.'

function claimsOf(text: string): Claim[] {
  const whole = `${text}\n\n${frame}\n`
  return readClaims(whole, readStructure(whole))
}

/** The values of two texts that are told to disagree. */
function disagreements(a: string, b: string): (readonly [string, string])[] {
  const others = claimsOf(b)
  return claimsOf(a).flatMap((claim) => {
    const keys = keysOf(claim)
    return others
      .filter((other) => keysOf(other).some((key) => keys.includes(key)))
      .filter((other) => ['conflict', 'change', 'restatement'].includes(judge(claim, other).relation))
      .map((other) => [claim.valueText, other.valueText] as const)
  })
}

describe('one thing in two wordings', () => {
  it.each([
    // A length of time is the value, and not the time that a figure is of.
    ['The probation period lasts six months.', 'Probation: three months', 'six months', 'three months'],
    // The word behind a modal verb is the deed.
    ['The trial will enrol 180 participants in four countries.', 'In total 210 patients will be recruited in five countries.', '180', '210'],
    // A rule, and a fact.
    ['The tenant shall pay rent of £36,000 a year.', 'The yearly rent is £38,500.', '£36,000', '£38,500'],
    ['The tenant gives not less than six months\' written notice.', 'They give three months\' notice.', 'six months', 'three months'],
    // The speaker is not what it is said of.
    ['Revenue for 2025 came to £48.2 million.', 'Ms Hart reported turnover of £49.0m for 2025.', '£48.2 million', '£49.0m'],
    // The figure in brackets is of the year beside it.
    ['Sales in 2025 were £49.0m.', 'Sales in 2025 were £48.2m (2024: £44.6m).', '£49.0m', '£48.2m'],
    ['The bank loan of £12 million falls due in September 2027.', 'The £12m loan is repayable in September 2028.', 'September 2027', 'September 2028'],
    ['The lease runs until the end of May 2029.', 'Lease expiry: 31 May 2031', 'end of May 2029', '31 May 2031'],
    ['A former distributor has sued the company.', 'The company is not party to any legal proceedings.', 'sued', 'any legal proceedings'],
    ['The building was erected in 1989.', 'Year of construction of the building: 1998', '1989', '1998'],
    ['Sprinklers installed: Yes', 'There is no sprinkler protection in the hall or anywhere else.', 'Yes', 'no sprinkler protection'],
    ['Number of employees in 2024: 64', 'In 2024 about 80 people worked on the site.', '64', '80'],
    ['The steering group met three times in 2024.', 'The steering group met twice in 2024 and the steering group met five times in 2024.', 'three', 'five'],
    ['Booking data are deleted three years after the visit.', 'Booking data are kept for 12 months.', 'three years', '12 months'],
    ['Access logs are reviewed monthly by the auditors.', 'Access logs are reviewed once a year by the auditors.', 'monthly', 'once a year'],
    ['The hosting provider is Nordmoln Data AB.', 'The hosting provider is Bokahos Server AB.', 'Nordmoln Data AB', 'Bokahos Server AB'],
    ['Oakbridge Properties Ltd owns the freehold.', 'Ashcombe Mill Trust owns the freehold.', 'Oakbridge Properties Ltd', 'Ashcombe Mill Trust'],
    ['Chair: Tore Aasen, site manager', 'The site manager is Liv Moen.', 'Tore Aasen', 'Liv Moen'],
    ['All covenants were complied with.', 'The interest cover covenant was breached.', 'complied', 'breached'],
    // A deed in a key, in a clause of its own, and at the head of a sentence.
    ['Year built: 1994', 'The ship was built in 1997 and is 31.5 metres long.', '1994', '1997'],
    ['Founded in 2009, Hostwise looks after 340 law firms.', 'The company was established in 2012 and serves some 210 law firms.', '2009', '2012'],
    ['Founded in 2009, Hostwise looks after 340 law firms.', 'The company was established in 2012 and serves some 210 law firms.', '340', '210'],
    ['Certificate valid until: 30 June 2026', 'The certificate is valid until 30 June 2027.', '30 June 2026', '30 June 2027'],
    ['At the time 172 passengers were on board.', 'On that trip we had 148 passengers on board.', '172', '148'],
    ['The directors recommend no dividend.', 'A dividend of EUR 2m was paid.', 'no dividend', 'EUR 2m'],
    ['There is no warehouse.', 'The client has a warehouse in the port.', 'no warehouse', 'warehouse'],
    ['You must react to critical incidents within 15 minutes and keep backups for 90 days.', 'Hostwise shall answer critical incidents within 30 minutes.', '15 minutes', '30 minutes'],
    ['You must react to critical incidents within 15 minutes and keep backups for 90 days.', 'Backups must be kept for 30 days.', '90 days', '30 days'],
    ['The agreement can be cancelled at one month\'s notice.', 'The agreement may be terminated with three months\' notice.', 'one month', 'three months'],
    ['The master is Captain Inge Solberg.', 'The master, Captain Dag Nesse, said that all was well.', 'Inge Solberg', 'Dag Nesse'],
    ['The roof is in poor condition.', 'Roof: good condition', 'poor', 'good'],
    ['In March the home was rated Good.', 'Rating of the home: Requires improvement', 'Good', 'Requires improvement'],
    ['# Form\n\nEnergy rating: D', '# Form\n\nEnergy rating: C', 'D', 'C'],
    ['# Form\n\nAll doors locked: yes', 'The rear door was unlocked when the crew arrived.', 'yes', 'unlocked'],
    ['Owner of the vessel: Fjordline Excursions AS', 'The vessel is owned by Solveig Rederi AS.', 'Fjordline', 'Solveig Rederi'],
  ])('%s / %s', (a, b, left, right) => {
    const found = disagreements(a, b)
    expect(found.some(([x, y]) => x.includes(left) && y.includes(right))).toBe(true)
    expect(disagreements(b, a)).toHaveLength(found.length)
  }) // prettier-ignore
})

describe('two things in like wordings', () => {
  it.each([
    // The second figure is of the impairment.
    ['The operating profit of Calder Mills Ltd in 2025 was GBP 4.3m after an impairment of GBP 0.6m on the old line.', 'The operating profit of Calder Mills Ltd in 2025 was GBP 4.3m.'],
    ['The operating profit of Calder Mills Ltd in 2025 was GBP 4.3m, net of a charge of GBP 0.6m.', 'The operating profit of Calder Mills Ltd in 2025 was GBP 4.3m.'],
    // A right to end it is no end.
    ['The tenant may end the lease on 31 May 2026.', 'The lease ends on 31 May 2031.'],
    // A target is not what came of it.
    ['Availability must be 99.9 per cent.', 'Availability was 99.2 per cent.'],
    ['The target for restored banks is 24 km.', 'The length of restored banks is 17 km.'],
    ['Rent: £36,000 a year', 'Monthly rent: £3,000'],
    ['The depot has 339 employees.', 'The head office has 120 employees.'],
    ['Backups are deleted within 90 days.', 'Backups are kept for 35 days.'],
    ['The probation period lasts six months.', 'Probation: half a year'],
    // A thing that was not lost was there all the same, and children are not everybody.
    ['Stock: GBP 86,400', 'The shop next door lost no stock.'],
    ['Lifejackets on board: 165', 'No lifejackets for children were found.'],
    ['The depot has 19 lorries.', 'No dividend was paid.'],
  ])('%s / %s', (a, b) => {
    expect(disagreements(a, b)).toEqual([])
    expect(disagreements(b, a)).toEqual([])
  }) // prettier-ignore
})
