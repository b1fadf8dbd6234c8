/** A minimal request that shows whether a language model answers: one invented sentence, a few hundred tokens. */
import type { ModelRequest } from './model.ts'

export const PROBE: ModelRequest = {
  step: 'extract',
  promptVersion: 0,
  system:
    'Answer with one JSON object and nothing else: {"colour": "..."}, the colour that the next message names.',
  user: JSON.stringify({ text: 'The lamp in the hall is green.' }),
  schemaName: 'concord_probe',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['colour'],
    properties: { colour: { type: 'string' } },
  },
  maxOutputTokens: 100,
}
