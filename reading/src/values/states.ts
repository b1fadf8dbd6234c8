/** Words of closed families that say in which state or at which level a thing is: "lapsed", "high", "paid", "related". */
import type { WordValue } from '../claim.ts'

interface Family {
  readonly name: string
  readonly ordered: boolean
  /** Words by rank; a slash separates words that mean the same. */
  readonly words: string
  readonly level?: boolean
}

const families: readonly Family[] = [
  {
    name: 'risk',
    ordered: true,
    level: true,
    words: 'low/minor medium/moderate high/major/severe critical/extreme',
  },
  {
    name: 'completion',
    ordered: true,
    words: 'open/outstanding/unresolved pending ongoing/underway completed/complete/closed/resolved/settled',
  },
  {
    name: 'validity',
    ordered: false,
    words: 'valid/current/active/effective expired/lapsed revoked/withdrawn suspended cancelled/terminated',
  },
  { name: 'payment', ordered: false, words: 'paid unpaid/overdue' },
  {
    name: 'compliance',
    ordered: false,
    words: 'met/satisfied/fulfilled/compliant/complied breached/violated/non-compliant/missed waived',
  },
  { name: 'approval', ordered: false, words: 'approved/accepted/granted rejected/refused/denied/declined' },
  { name: 'relation', ordered: false, words: 'related possibly-related unrelated/not-related' },
  { name: 'sign', ordered: false, words: 'positive negative' },
  { name: 'secrecy', ordered: false, words: 'encrypted unencrypted' },
  { name: 'signature', ordered: false, words: 'signed/executed unsigned' },
  { name: 'outcome', ordered: false, words: 'passed failed' },
  { name: 'audit', ordered: false, words: 'certified uncertified' },
  { name: 'lock', ordered: false, words: 'locked unlocked' },
  { name: 'insurance', ordered: false, words: 'insured uninsured' },
  { name: 'occupancy', ordered: false, words: 'occupied/inhabited unoccupied/vacant/uninhabited' },
  { name: 'licence', ordered: false, words: 'licensed unlicensed' },
  { name: 'staffing', ordered: false, words: 'manned/staffed unmanned/unstaffed' },
  { name: 'damage', ordered: false, words: 'damaged undamaged/intact' },
  { name: 'security', ordered: false, words: 'secured unsecured' },
  { name: 'registration', ordered: false, words: 'registered unregistered' },
]

const vocabulary = new Map<string, WordValue & { readonly level: boolean }>()
for (const family of families) {
  family.words.split(' ').forEach((synonyms, rank) => {
    const [first] = synonyms.split('/')
    for (const word of synonyms.split('/')) {
      vocabulary.set(word, {
        type: 'word',
        family: family.name,
        word: first ?? word,
        rank: family.ordered ? rank : null,
        level: family.level === true,
      })
    }
  })
}

/** The state a word stands for, or null. */
export function stateWord(low: string): (WordValue & { readonly level: boolean }) | null {
  return vocabulary.get(low) ?? null
}

export function wordValue(state: WordValue): WordValue {
  return { type: 'word', family: state.family, word: state.word, rank: state.rank }
}
