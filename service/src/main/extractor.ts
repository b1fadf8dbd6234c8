/**
 * The child process that reads one file. Only the API starts it. It has no database, no secrets and no environment: it
 * gets a file and answers with its text or the reason why there is none.
 */
import { extractFile } from '../extraction/extract.ts'
import { ExtractionFailure } from '../extraction/failure.ts'
import { serveExtraction } from '../hatchery/extractor/serving.ts'

await serveExtraction(async ({ type, bytes }) => {
  try {
    return await extractFile(type, bytes)
  } catch (error) {
    if (error instanceof ExtractionFailure) return { fault: error.fault }
    throw error
  }
})
