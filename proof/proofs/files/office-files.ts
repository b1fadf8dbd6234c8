/** Hostile office files: bombs, lies in the directory of the package, XML without an end, parts that are not there. */
import { makeZip } from '@concord/tools/sample-files'
import { seededRandom } from '../../harness/statistics.ts'
import { ANY_END, CLAIM, filesOf } from './hostile-file.ts'
import type { FileEnd, HostileFile } from './hostile-file.ts'
import { mixedUp } from './office-parts.ts'
import { good, main, packageOf, partOf, TYPES } from './packages.ts'
import type { Office } from './packages.ts'

const MIB = 1_048_576
/** Changes bytes at each entry of the directory. */
function inDirectory(file: Buffer, change: (bytes: Buffer, at: number) => void): Buffer {
  const bytes = Buffer.from(file)
  for (let at = bytes.indexOf('PK\u0001\u0002'); at !== -1; at = bytes.indexOf('PK\u0001\u0002', at + 4))
    change(bytes, at)
  return bytes
}

function flip(file: Buffer, seed: number): Buffer {
  const random = seededRandom(seed)
  const bytes = Buffer.from(file)
  for (let time = 0; time < 12; time += 1) {
    const at = Math.floor(random() * bytes.length)
    bytes[at] = Math.floor(random() * 256)
  }
  return bytes
}

const BOMB_OF_ENTITIES = `<!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 20 }, (_, at) => `<!ENTITY ${String.fromCharCode(98 + at)} "${`&${String.fromCharCode(97 + at)};`.repeat(10)}">`).join('')}]>`
const PASSWORDS = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)])
const read: readonly FileEnd[] = ['read']

export function officeFiles(): HostileFile[] {
  return [
    ...TYPES.flatMap((type) => [
      ...bombs(type),
      ...directories(type),
      ...declared(type),
      ...nested(type),
      ...damaged(type),
    ]),
    ...mixedUp,
  ]
}

function bombs(type: Office): HostileFile[] {
  const text = () => partOf(type, CLAIM)
  const isWord = type === 'docx'
  return filesOf(type, [
    ['!a bomb', () => packageOf(type, partOf(type, 'a'.repeat(70 * MIB))), 'expands_too_much'],
    ['a bomb of space', () => packageOf(type, partOf(type, ' '.repeat(200 * MIB))), 'expands_too_much'],
    [
      '!many bombs',
      () =>
        packageOf(
          type,
          text(),
          Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`x/part${at}.xml`, ' '.repeat(8 * MIB)])),
        ),
      isWord ? 'expands_too_much' : 'read',
    ],
    [
      'a bomb that says it is small',
      () =>
        inDirectory(packageOf(type, partOf(type, 'a'.repeat(70 * MIB))), (bytes, at) =>
          bytes.writeUInt32LE(10, at + 24),
        ),
      'expands_too_much',
    ],
    [
      '!20,000 parts',
      () =>
        packageOf(
          type,
          text(),
          Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`x/${at}`, ''])),
        ),
      'too_many_parts',
    ],
  ])
}

function directories(type: Office): HostileFile[] {
  const text = () => partOf(type, CLAIM)
  return filesOf(type, [
    [
      '!names that lead out of it',
      () =>
        packageOf(type, text(), {
          '../../../etc/passwd': 'x',
          '/etc/cron.d/x': 'x',
          'C:\\Windows\\x': 'x',
          'a/../../b': 'x',
        }),
      ...read,
    ],
    ['names of 60,000 letters', () => packageOf(type, text(), { ['a/'.repeat(30_000)]: 'x' }), ...read],
    [
      '!macros',
      () =>
        packageOf(type, text(), {
          [`${main[type].split('/')[0]}/vbaProject.bin`]: Buffer.concat([
            compound,
            Buffer.from('Sub AutoOpen'),
          ]),
        }),
      ...read,
    ],
    ['a package in the package', () => packageOf(type, text(), { 'embeddings/x.zip': good[type] }), ...read],
    [
      '!parts that are locked',
      () => inDirectory(good[type], (bytes, at) => bytes.writeUInt16LE(9, at + 8)),
      'encrypted',
    ],
    [
      'a way of packing that nobody knows',
      () => inDirectory(good[type], (bytes, at) => bytes.writeUInt16LE(99, at + 10)),
      'damaged',
    ],
    [
      'parts that begin beyond the end',
      () => inDirectory(good[type], (bytes, at) => bytes.writeUInt32LE(0xfffffff0, at + 42)),
      'damaged',
    ],
    [
      'parts that begin in another part',
      () => inDirectory(good[type], (bytes, at) => bytes.writeUInt32LE(3, at + 42)),
      ...ANY_END,
    ],
    [
      'parts of 4 GiB',
      () => inDirectory(good[type], (bytes, at) => bytes.writeUInt32LE(0xffffffff, at + 20)),
      'damaged',
    ],
    ['an empty package', () => makeZip({}), 'wrong_type'],
    ['a package of nothing of it', () => makeZip({ 'a.txt': 'x' }), 'wrong_type'],
  ])
}

function declared(type: Office): HostileFile[] {
  const inUtf16 = () =>
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(partOf(type, '&c;', PASSWORDS), 'utf16le')])
  return filesOf(type, [
    [
      '!entities that multiply',
      () => packageOf(type, partOf(type, '&u;', BOMB_OF_ENTITIES)),
      'forbidden_markup',
    ],
    ['!an entity that is a file', () => packageOf(type, partOf(type, '&a;', PASSWORDS)), 'forbidden_markup'],
    [
      'an entity that is an address',
      () => packageOf(type, partOf(type, '&a;', '<!DOCTYPE x [<!ENTITY a SYSTEM "http://127.0.0.1:1/">]>')),
      'forbidden_markup',
    ],
    ['an entity in UTF-16', () => packageOf(type, inUtf16()), 'forbidden_markup'],
    ['entities that nobody declares', () => packageOf(type, partOf(type, `&nothing; ${CLAIM}`)), ...ANY_END],
  ])
}

function nested(type: Office): HostileFile[] {
  const around = (open: string, close: string, depth: number) =>
    partOf(type, CLAIM).replace(
      /<(w:body|sheetData|p:sp)>/,
      (tag) => tag + open.repeat(depth) + close.repeat(depth),
    )
  return filesOf(type, [
    [
      'tags 20,000 deep',
      () => packageOf(type, around('<x>', '</x>', 20_000)),
      ...ANY_END,
      'memory_exceeded',
      'time_exceeded',
    ],
    [
      'a tag with 100,000 attributes',
      () =>
        packageOf(
          type,
          around(`<x ${Array.from({ length: 100_000 }, (_, at) => `a${at}="1"`).join(' ')}>`, '</x>', 1),
        ),
      ...ANY_END,
      'time_exceeded',
    ],
    [
      'an attribute of 5,000,000 letters',
      () => packageOf(type, around(`<x a="${'b'.repeat(5_000_000)}">`, '</x>', 1)),
      ...ANY_END,
    ],
    ['tags that never close', () => packageOf(type, partOf(type, CLAIM).replace(/<\/.*/, '')), ...ANY_END],
    ['tags that close twice', () => packageOf(type, `${partOf(type, CLAIM)}</x></x></x>`), ...ANY_END],
    ['a part that is empty', () => packageOf(type, ''), ...ANY_END],
    ['a part that is no XML', () => packageOf(type, Buffer.alloc(5_000, 0xfe)), ...ANY_END],
    [
      'letters that are none',
      () => packageOf(type, partOf(type, `${CLAIM} &#0; &#xD800; &#x110000;`)),
      ...ANY_END,
    ],
    [
      'a text of 3,000,000 letters',
      () => packageOf(type, partOf(type, 'word '.repeat(600_000))),
      'text_too_long',
    ],
  ])
}

function damaged(type: Office): HostileFile[] {
  const cut = [0.2, 0.6, 0.95]
  const seeds = [1, 2, 3, 4, 5]
  return filesOf(type, [
    ...cut.map(
      (share) =>
        [
          `cut at ${100 * share} %`,
          () => good[type].subarray(0, Math.floor(share * good[type].length)),
          'damaged',
        ] as const,
    ),
    ...seeds.map((seed) => [`changed at random, ${seed}`, () => flip(good[type], seed), ...ANY_END] as const),
    [
      '!locked by a password',
      () => Buffer.concat([compound, Buffer.from('EncryptedPackage', 'utf16le')]),
      'encrypted',
    ],
    ['of Office 97', () => compound, 'legacy_format'],
    ['not packed', () => CLAIM, 'wrong_type'],
    ['its directory twice', () => Buffer.concat([good[type], good[type]]), ...ANY_END],
  ])
}
