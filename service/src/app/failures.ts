/** Tells a dependency that is away from a mistake of ours, for whoever must choose an answer. */
export { isRefused, isUnavailable } from '../store/failures.ts'
