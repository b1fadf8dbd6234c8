/** The small words of languages in Latin script: those that hardly any sentence does without. A word may belong to several. */

const lists: Readonly<Record<string, string>> = {
  en: `the of and to in is was for on that by with as are were be at from this it has had not or an a which been have will
    its their all any may no shall under after before between per none yes i we you he she they our your his her my us them
    would could should can must if but so than then there these those who what when where how why into out up about over only also
    more most other such each both during through because while until since upon within without against do does did
    total date number report name status year years period prepared reference please new one two first`,
  de: `der die das und ist nicht von mit den dem ein eine einer eines einem einen für auf im zu zum zur sich wird werden wurde wurden
    auch als bei nach aus am an es sie er wir ihr oder aber wenn dass daß sind war waren hat haben hatte kann über unter vor durch noch
    nur so wie bis um seit kein keine keinen unser unsere dieser diese dieses jedoch sowie in beträgt bereits wegen
    datum betrag umsatz gewinn vertrag gesellschaft ort rechnung summe jahr miete mio straße`,
  fr: `le la les des et est dans pour que qui une un du au aux sur par ne pas ce cette ces il elle nous vous ils elles sont été avec
    plus ou mais se son sa ses leur leurs à de en était ont ainsi sans sous entre depuis comme être avoir fait après avant très dont où
    aucun aucune notre votre lors afin chez l d qu n s
    montant société année facture loyer contrat adresse prix`,
  es: `el los las y en es para con por del una un la que de se no su sus al lo como más pero fue ha han son está están entre sobre
    este esta estos desde hasta sin también cuando muy ya o le nos según durante donde ser era porque hay cada a todos
    fecha importe empresa año contrato precio alquiler`,
  it: `il di che per un sono della e la le i gli lo del dei delle degli una uno in non con da dal dalla al alla è si come più ma
    anche nel nella nelle nei sul sulla questo questa ha hanno stato stata essere tra fra ci sua suo loro o entro dopo
    importo società anno contratto prezzo canone`,
  nl: `het een van de niet zijn voor op met en in is dat te die er aan door ook bij als naar uit om wordt worden werd maar over dan nog
    heeft hebben was waren deze dit geen wij zij hij onze kan moet tot tussen zich al of zoals na
    datum bedrag jaar huur prijs`,
  pt: `o os da do das dos em não uma um e é que para com por no na nos nas ao à se mais como mas foi são está pelo pela seu sua seus
    também ou entre sem sobre até quando já este esta ser foram tem de a as nós após`,
  sv: `och är som på det att en ett av för med inte till den har i de om var vid från kan men ska eller under efter vi han hon
    detta denna dessa blir blev varit hade sig så även inom utan mellan också alla när mot`,
  da: `og er som på det at en et af for med ikke til den har i de om var ved fra kan men skal eller under efter vi han hun
    dette denne disse bliver blev været havde sig så også inden uden mellem alle når mod der`,
  no: `og er som på det at en et av for med ikke til den har i de om var ved fra kan men skal eller under etter vi han hun
    dette denne disse blir ble vært hadde seg så også innen uten mellom alle når mot der`,
  fi: `ja on ei se että oli ovat joka mutta tai kun niin myös sen hän me he olla ole jos kuin vain mukaan sekä tämä tämän
    ennen jälkeen jonka jotka sitä siitä voi kuten noin`,
  pl: `i w na z do że się nie jest to o jak po od za przez dla są oraz który która które był była było przy tego ten ta te jego ich lub
    ale także może czy pod ze tym co już tylko we być został została`,
  cs: `a v na se je že s z do o i to jako pro za po by byl byla bylo jsou od k ve při který která které nebo ale také však není ze
    podle jeho být mezi před tak až pouze bude`,
  hu: `a az és hogy nem is egy van volt ez meg de csak el mint már még vagy ki be akkor ha lehet kell után szerint amely között
    alatt minden azt ezt`,
  ro: `și de în la cu nu pe a că o este din un pentru care mai sunt au fost ca sau prin lui după al ale într până dar fi acest această
    între despre sub fără`,
  tr: `ve bir bu için ile de da olarak olan daha çok gibi ne ise kadar sonra en o ama veya her ki değil tarafından üzere önce
    göre arasında`,
  id: `yang dan di dari untuk dengan pada ini itu tidak dalam akan oleh adalah ke sebagai telah atau juga karena kami mereka bahwa ada
    dapat lebih antara`,
  la: `et in ut ad sed ex ea non qui quis est cum ab per sit aut quae esse eius enim nec atque`,
  vi: `và của là có không được cho các trong một những này đã với để người khi từ theo đến về tại như năm tháng`,
}

/** Small words that are parts of names too. */
export const NAME_PARTICLES: ReadonlySet<string> = new Set(
  'de la le les du des del della delle di da do dos das el los las al van von der den y i e et zu af av'.split(
    ' ',
  ),
)

export const LATIN_LANGUAGES: readonly string[] = Object.keys(lists)

/** For each small word the languages that have it, as indexes into `LATIN_LANGUAGES`. */
export const SMALL_WORDS: ReadonlyMap<string, readonly number[]> = collect()

function collect(): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const [index, list] of Object.values(lists).entries()) {
    for (const word of new Set(list.split(/\s+/))) found.set(word, [...(found.get(word) ?? []), index])
  }
  return found
}

/** Letters that tell languages apart whose small words are alike. */
const letters: Readonly<Record<string, string>> = {
  de: 'ßäöü',
  fr: 'œçèêëîïûù',
  es: 'ñ¿¡',
  it: 'ìò',
  pt: 'ãõ',
  sv: 'äöå',
  da: 'æøå',
  no: 'æøå',
  fi: 'äö',
  pl: 'łąęśźżćń',
  cs: 'řěůčšžý',
  hu: 'őűöü',
  ro: 'șțăâşţ',
  tr: 'ğışçö',
  vi: 'ơưđạảấầậắằệếềộốồịủụứừự',
}

export const TELLING_LETTERS: ReadonlyMap<number, readonly number[]> = collectLetters()

function collectLetters(): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (const [language, list] of Object.entries(letters)) {
    for (const letter of list) {
      const code = letter.charCodeAt(0)
      found.set(code, [...(found.get(code) ?? []), LATIN_LANGUAGES.indexOf(language)])
    }
  }
  return found
}
