/** The face of the package. */
export type { ServeOptions } from './serving.ts'
export { serveTools } from './serving.ts'
