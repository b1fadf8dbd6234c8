/** Recorded answers of language models, for measurements and tests that start the server in their own process. */
export { startRecorder } from './recorder.ts'
export type { Recorder, RecorderOptions } from './recorder.ts'
export { openAnswerFiles } from './answers.ts'
