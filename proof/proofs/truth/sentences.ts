/** Sentences in three languages, drawn by chance: business prose with figures, and prose that states nothing that can be compared. */
import type { Chance } from '../../harness/chance.ts'

type Sentence = (chance: Chance) => string

const STEMS = [
  'Harrow',
  'Linden',
  'Castell',
  'Morley',
  'Tarn',
  'Ashby',
  'Corvin',
  'Dunmore',
  'Elsdon',
] as const
const ENDS = ['field', 'bridge', 'water', 'gate', 'stone', 'ford'] as const
const FORMS = ['Ltd', 'plc', 'GmbH', 'SA'] as const

/** One of some two hundred names. */
export function companyName(chance: Chance): string {
  return `${chance.oneOf(STEMS)}${chance.oneOf(ENDS)} ${chance.oneOf(FORMS)}`
}

const millions = (chance: Chance) => `${chance.between(2, 90)}.${chance.between(1, 9)}`
const year = (chance: Chance) => chance.between(2019, 2026)
const code = (chance: Chance) =>
  `${chance.oneOf(['K', 'L', 'M', 'R', 'T'])}-${chance.between(1, 9)}${chance.between(100, 999)}`

/** Each states a figure of something that hardly any other names. */
const FIGURES: readonly [Sentence, ...Sentence[]] = [
  (chance) => `Warehouse ${code(chance)} had ${chance.between(12, 950)} employees in ${year(chance)}.`,
  (chance) => `The revenue of site ${code(chance)} in ${year(chance)} was EUR ${millions(chance)}m.`,
  (chance) => `The capacity of line ${code(chance)} is ${chance.between(100, 9_000)} tonnes per day.`,
  (chance) => `Contract ${code(chance)} ends on ${chance.between(1, 28)} June ${year(chance)}.`,
  (chance) => `The rent of unit ${code(chance)} is GBP ${chance.between(2_000, 90_000)} per month.`,
]

const GERMAN: readonly [Sentence, ...Sentence[]] = [
  (chance) =>
    `Der Umsatz der ${companyName(chance)} betrug im Jahr ${year(chance)} rund ${chance.between(2, 90)},${chance.between(1, 9)} Millionen Euro.`,
  (chance) =>
    `Ende ${year(chance)} waren in dem Werk insgesamt ${chance.between(40, 900)} Mitarbeiter beschäftigt.`,
  (chance) =>
    `Der Mietvertrag für das Lager endet am ${chance.between(1, 28)}. Juni ${year(chance)} und wird nicht verlängert.`,
  () => 'Die Geschäftsführung hat den Bericht geprüft und ist mit dem Ergebnis nicht zufrieden.',
  (chance) =>
    `Die Kosten sind gegenüber dem Vorjahr um ${chance.between(2, 19)} Prozent gestiegen, weil die Preise für Energie höher waren.`,
  () => 'Wir haben die Unterlagen erhalten, aber es fehlt noch die Zustimmung des Aufsichtsrats.',
  (chance) =>
    `Nach der Inventur lagen noch ${chance.between(200, 4_000)} Paletten im Lager, die für den Export bestimmt sind.`,
]

const FRENCH: readonly [Sentence, ...Sentence[]] = [
  (chance) =>
    `Le chiffre d’affaires de ${companyName(chance)} s’élevait à ${chance.between(2, 90)},${chance.between(1, 9)} millions d’euros en ${year(chance)}.`,
  (chance) => `À la fin de ${year(chance)}, l’usine comptait ${chance.between(40, 900)} salariés.`,
  (chance) =>
    `Le bail de l’entrepôt se termine le ${chance.between(1, 28)} juin ${year(chance)} et ne sera pas renouvelé.`,
  () => 'La direction a examiné le rapport et elle n’est pas satisfaite du résultat.',
  (chance) =>
    `Les coûts ont augmenté de ${chance.between(2, 19)} pour cent par rapport à l’année précédente, car les prix de l’énergie étaient plus élevés.`,
  () => 'Nous avons reçu les documents, mais il manque encore l’accord du conseil de surveillance.',
  (chance) =>
    `Après l’inventaire, il restait ${chance.between(200, 4_000)} palettes dans le dépôt, destinées à l’exportation.`,
]

/** Longer than a figure alone, so that its language shows. */
const ENGLISH: readonly [Sentence, ...Sentence[]] = [
  () => 'The board has looked at these figures and is content with all of them.',
  () => 'We have been told by the auditors that this is in line with what they saw on site.',
  () => 'It was agreed with the lenders that the next review is going to be held in the spring.',
]

/** Prose without a figure, a state or a role. */
const IDLE: readonly [Sentence, ...Sentence[]] = [
  () => 'Thank you for looking into this so quickly.',
  () => 'How did you like the view from up there?',
  () => 'Would you mind asking the others too?',
  () => 'Please forgive the long silence.',
  () => 'Could somebody bring cake next time?',
  () => 'Thanks again for the kind words.',
  () => 'Shall we meet again some time?',
]

const BOILERPLATE: readonly [Sentence, ...Sentence[]] = [
  () => 'Please print on both sides.',
  () => 'Please see the notes overleaf.',
  () => 'Please handle with care.',
  () => 'Please quote our reference in any reply.',
  () => 'Please read the general terms and conditions carefully.',
  () => 'Please contact the sender with any questions.',
]

const SENTENCES = {
  figures: FIGURES,
  english: ENGLISH,
  german: GERMAN,
  french: FRENCH,
  idle: IDLE,
  boilerplate: BOILERPLATE,
}

export function drawSentence(kind: keyof typeof SENTENCES, chance: Chance): string {
  return chance.oneOf(SENTENCES[kind])(chance)
}

export function drawParagraph(kind: keyof typeof SENTENCES, sentences: number, chance: Chance): string {
  return Array.from({ length: sentences }, () => drawSentence(kind, chance)).join(' ')
}
