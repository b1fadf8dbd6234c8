/**
 * The process in which one file is read, started by the API and by nobody else. It has no database, no secrets and no environment: a file
 * comes in, and its text or the reason why there is none goes out.
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
