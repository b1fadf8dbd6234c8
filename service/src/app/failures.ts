/** Tells a dependency that is away from a mistake of ours, for whoever must choose an answer. */
export { isRefused, isTimeout, isUnavailable } from '../store/failures.ts'
