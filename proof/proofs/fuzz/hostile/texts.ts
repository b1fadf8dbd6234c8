/** Strings that break what was not built with them in mind. */

/** Cannot be stored as they were sent, so they must be refused wherever text is taken. */
export const impossibleTexts: Readonly<Record<string, string>> = {
  NUL: 'a\0b',
  'NUL alone': '\0',
  'high surrogate alone': 'a\ud800b',
  'low surrogate alone': '\udfff',
  'surrogates in the wrong order': '\udc00\ud800',
}

export const strangeTexts: Readonly<Record<string, string>> = {
  'byte order mark': '\ufeffname',
  'right-to-left override': 'a\u202eb',
  'line separators': 'a\u2028b\u2029c\u0085d',
  'control characters': '\u0001\u0008\u000b\u001b[31m\u007f\u009b',
  noncharacters: '\ufffe\uffff\u{1ffff}\u{10ffff}',
  'family emoji': '👨‍👩‍👧‍👦'.repeat(10),
  'combining marks': `a${'\u0301'.repeat(500)}`,
  'not normalised': 'Ａｃｍｅ ﬁ ① \u0041\u030a',
  'statement in a name': `x'; drop table x; --`,
  'template in a name': '${7*7}{{7*7}}<%= 7*7 %>',
  'markup in a name': `"><script>alert(1)</script>`,
  'header in a name': 'a\r\nSet-Cookie: a=b',
  'path in a name': '../../../../etc/passwd',
  'name of a property': '__proto__',
  'name of a method': 'toString',
  'number in a name': '1e999',
  nothing: '',
  'only spaces': '   ',
  'long word': 'a'.repeat(10_000),
  'long emoji': '😀'.repeat(3_900),
}
