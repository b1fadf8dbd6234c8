/** A file that is made to harm whoever reads it, and how reading it may end. */
import type { FileType } from '@concord/client'

/** `read` where it has text that can be read safely; else the code that refuses it. */
export type FileEnd =
  | 'read'
  | 'wrong_type'
  | 'damaged'
  | 'encrypted'
  | 'legacy_format'
  | 'not_utf8'
  | 'no_text'
  | 'too_many_parts'
  | 'expands_too_much'
  | 'forbidden_markup'
  | 'text_too_long'
  | 'time_exceeded'
  | 'memory_exceeded'

export interface HostileFile {
  readonly name: string
  readonly type: FileType
  /** Called shortly before its turn: all of them together would fill the memory of the proof. */
  readonly make: () => Buffer
  /** Any of these is right; files that are changed at random may end in several ways. */
  readonly ends: readonly FileEnd[]
  /** Part of the short run. */
  readonly isShort: boolean
}

type Draft = readonly [name: string, make: () => Buffer | string, ...ends: FileEnd[]]

/** Drafts whose name begins with `!` are part of the short run. */
export function filesOf(type: FileType, drafts: readonly Draft[]): HostileFile[] {
  return drafts.map(([name, make, ...ends]) => ({
    name: `${type}: ${name.replace(/^!/, '')}`,
    type,
    make: () => Buffer.from(make()),
    ends,
    isShort: name.startsWith('!'),
  }))
}

/** The allowed ends of a file that was changed at random: anything but a crash. */
export const ANY_END: readonly FileEnd[] = [
  'read',
  'wrong_type',
  'damaged',
  'encrypted',
  'no_text',
  'too_many_parts',
  'expands_too_much',
  'forbidden_markup',
]

export const CLAIM = 'The revenue of Borealis Ltd in 2025 was EUR 12.4m.'
