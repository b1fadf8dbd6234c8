/**
 * Recognises text that speaks to whoever reads it by machine: orders to a language model, forged parts of a request or of an answer, and
 * characters that hide words. Such a document is compared in requests of its own, so that what it asks for can concern its own claims
 * only. Taking an innocent document for one costs a request and nothing else, so doubt decides for yes. Every pattern is linear.
 */

import type { LocatedClaim } from '../domain/claim.ts'

/** Characters that turn the direction of a line, and those that nobody sees. */
const hiding =
  /[\u202a-\u202e\u2066-\u2069\u206a-\u206f\u{e0000}-\u{e007f}]|[\p{L}\p{N}][\u00ad\u200b-\u200d\u2060-\u2064\ufeff]+[\p{sc=Latn}\p{N}]/u
/** Letters of other scripts inside a word of Latin ones. */
const disguised = /[a-z][\p{sc=Cyrl}\p{sc=Grek}]{1,20}[a-z]|[\p{sc=Cyrl}\p{sc=Grek}][a-z]{2}/iu
/** Sixty letters in a row that are no word are a code. */
const encoded = /[A-Za-z0-9+/=]{60}/

type Test = (text: string) => boolean

/** Both on one line, at most sixty characters apart. Most texts lack one of them, which is found out sooner. */
function near(one: string, other: string): Test {
  const [first, second] = [new RegExp(one, 'iu'), new RegExp(other, 'iu')]
  const both = new RegExp(`(?:${one})[^\\n]{0,60}?(?:${other})|(?:${other})[^\\n]{0,60}?(?:${one})`, 'iu')
  return (text) => first.test(text) && second.test(text) && both.test(text)
}

const has =
  (pattern: RegExp): Test =>
  (text) =>
    pattern.test(text)

const forged: readonly Test[] = [
  // Marks of roles and turns in the templates of models.
  has(
    /<\|[\w ]{1,30}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:s|system|assistant|user|human|document|documents|instructions?|prompt|text|claims?|pairs?|evidence|quote|json|tool\w*|function\w*|think\w*)>/iu,
  ),
  has(
    /(?:^|[\n#*>[("'-])[ \t]{0,8}(?:system|assistant|developer|human|user|ai|operator|moderator)(?: (?:message|prompt|note|override|update|notice|instruction))?[ \t]{0,8}[\]#*:"']/iu,
  ),
  has(
    /##[ \t]{0,8}(?:system|instructions?|response|task|new task|end|begin)\b|---[ \t]{0,8}(?:end|begin)\b|`{3}/iu,
  ),
  // Fields of our own requests and answers, and numbers of statements.
  has(
    /["'](?:pairs|claims|verdict|relation|confidence|severity|statements?|role|content|messages|earlier|new|tool_calls|schema|text|q|p)["']\s?:/iu,
  ),
  has(/\bN\d{1,6}\b[^\n]{0,60}\bE\d{1,6}\b|\bE\d{1,6}\b[^\n]{0,60}\bN\d{1,6}\b/u),
  has(/<!--|\bdata:[\w/+-]{1,40};base64,/iu),
]

const orders: readonly Test[] = [
  has(
    /\b(?:language model|\bLLMs?\b|chat ?bot|chatgpt|gpt-?\d|AI (?:model|assistant|system|reader|auditor|agent)|artificial intelligence|system prompt|jailbreak|prompt injection)\b/iu,
  ),
  near(
    String.raw`\b(?:ignore|disregard|forget|override|bypass|discard|overrule|supersede)\b`,
    String.raw`\b(?:instructions?|rules?|prompts?|previous|preceding|prior|above|earlier|everything|tasks?|guidelines?|limits?|documents?|contradictions?|conflicts?)\b`,
  ),
  near(
    String.raw`\b(?:mark|label|treat|classify|report|declare|rate|set|call|consider|answer|return|output|respond|reply|print|write|emit|list|state|say|reveal|repeat|show|name|copy|quote|pretend|act|translate|append|include|use|add|insert)\b`,
    String.raw`\b(?:compatible|verdicts?|no (?:pairs|claims|conflicts?|contradictions?)|nothing|empty|contradictions?|pairs?|confidence|JSON|instructions?|prompt|the other documents?|other (?:tenants?|customers?|scopes?|cases?|documents?)|(?:tenant|scope|document|statement) (?:ids?|names?|numbers?|keys?)|claims?|words? only|verbatim|as follows|from now on|tenants?|\w+_id)\b`,
  ),
  has(
    /\b(?:do not|don't|never|must not|stop) (?:report|list|mention|compare|extract|flag|quote|check|read|find|answer|verify)\b/iu,
  ),
  has(
    /\b(?:you are|you're|you must|you will|you shall|your (?:task|answer|output|instructions?|rules?|role|reply|response|job|explanation|title|claims?|quotes?|JSON))\b|\b(?:dear|attention|note to|message to|to the) (?:\w{1,20} )?(?:reader|reviewer|model|machine|assistant|auditor|judge|comparer|extractor|verifier)\b/iu,
  ),
]

const inOtherLanguages: readonly Test[] = [
  near('ignorier|vergiss|vergesst|missacht|übergeh', 'anweisung|vorgabe|regel|bisherig|vorherig|alles|oben'),
  near(
    'antworte|gib|melde|markiere|bewerte|stufe|nenne|zitiere',
    'vereinbar|widerspr|leere?|nichts|keine|liste|JSON|ander',
  ),
  has(
    /sprachmodell|modèle de langage|modelo de l(?:engua|ingua)|modello linguistico|taalmodel|model(?:u|em)? językow|dil modeli|språkmodell|kielimalli|mô hình ngôn ngữ|model bahasa/iu,
  ),
  near('ignor|oubli|néglig', 'instruction|consigne|règle|précédent|ci-dessus|tout'),
  near('répond|indique|marque|considère|cite|signale', 'compatible|vide|rien|aucun|contradiction|autre'),
  near('ignor|olvid|omit|desatiend', 'instruccion|regla|anterior|indicacion|todo'),
  near(
    'respond|marc|consider|devuelv|inform|cit',
    'compatible|vac[íi]|nada|ningun|contradiccion|otro|vazi|contradiç|outro',
  ),
  near('ignor|dimentic|trascur|esqueç|desconsider', 'istruzion|regol|precedent|instruç|regra|anterior'),
  near('rispond|segnal|indic', 'compatibil|vuot|nulla|nessun|contraddizion'),
  near('negeer|vergeet|antwoord|meld', 'instructie|regel|vorige|leeg|niets|verenigbaar|tegenspr'),
  near(
    'zignoruj|ignoruj|pomiń|zapomnij|odpowiedz|oznacz|zgłaszaj',
    'instrukcj|poleceni|poprzedni|zgodn|pust|sprzeczno',
  ),
  near('yok say|görmezden|unut|yanıtla|cevapla|işaretle', 'talimat|kural|önceki|boş|uyumlu|çelişki'),
  near('ignorera|glöm|svara|rapportera', 'instruktion|regler|tidigare|tom|inget|motsägels'),
  near('abaikan|lupakan|jawab|tandai', 'instruksi|perintah|aturan|kosong|sesuai|pertentangan'),
  near('bỏ qua|quên|trả lời|đánh dấu', 'hướng dẫn|chỉ dẫn|trước|rỗng|tương thích|mâu thuẫn'),
]

const inOtherScripts: readonly Test[] = [
  has(
    /языков\S{0,3} модел|мовн\S{0,3} модел|语言模型|語言模型|言語モデル|언어 ?모델|نموذج لغوي|מודל שפה|भाषा मॉडल|γλωσσικ\S{0,3} μοντέλο/iu,
  ),
  near(
    'игнорир|забуд|пренебре|ответь|отвечай|отметь|помет|сообща',
    'инструкц|указани|правил|предыдущ|пуст|совместим|противореч|ничего',
  ),
  near('ігноруй|забудь|відповід|познач', 'інструкц|вказів|правил|поперед|порожн|сумісн|супереч'),
  near('αγνόησε|αγνοήστε|ξέχασε|απάντησε', 'οδηγίες|κανόνες|προηγούμεν|κενή|συμβατ|αντίφασ'),
  near(
    '忽略|无视|無視|忘记|忘れ|不要报告|回答|输出|出力|标记|報告',
    '指令|指示|规则|規則|ルール|之前|以前|上述|兼容|空|矛盾|すべて|所有',
  ),
  near('무시|잊|답하|출력|표시|보고', '지시|규칙|이전|호환|빈|모순|모든'),
  near('تجاهل|انس|أجب|اعتبر|لا تبلغ', 'التعليمات|القواعد|السابقة|متوافق|فارغة|تناقض'),
  near('התעלם|שכח|השב|סמן', 'הוראות|כללים|הקודמ|תואם|ריק|סתיר'),
  near('अनदेखा|भूल|उत्तर|चिह्नित', 'निर्देश|नियम|पिछल|संगत|खाली|विरोध'),
]

/** Beyond Latin letters and common signs. */
const otherScript = /[\u0370-\u1fff\u2c00-\udfff]/

/** Whether a document addresses the model, in its text or in its name. */
export function isSuspect({ hasOrders }: { readonly hasOrders: boolean }, name: string): boolean {
  return hasOrders || holdsOrders(name)
}

/** The orders in the document of a claim can concern its own claims only. */
export function isolate(claim: LocatedClaim): LocatedClaim {
  return claim.stated ? { ...claim, stated: { ...claim.stated, isolated: true } } : claim
}

export function holdsOrders(text: string): boolean {
  if (hiding.test(text) || disguised.test(text) || encoded.test(text)) return true
  const plain = text.normalize('NFKC').replaceAll(/[^\S\n]+/gu, ' ')
  if ([...forged, ...orders, ...inOtherLanguages].some((test) => test(plain))) return true
  return otherScript.test(plain) && inOtherScripts.some((test) => test(plain))
}
