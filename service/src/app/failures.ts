/** Tells a dependency that is away from a mistake of ours, for whoever must choose an answer. */
export { isOutage, isRefused, isTimeout, isUnavailable } from '../store/failures.ts'
