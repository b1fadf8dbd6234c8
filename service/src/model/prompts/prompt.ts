/** A text that tells the model its task. Another text has another version, so that answers to the old one are not taken for answers to the new. */
export interface Prompt {
  readonly version: number
  readonly text: string
}
