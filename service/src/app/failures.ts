/** Classifies errors of the database, so that a route can choose its answer: an outage, a refusal or a timeout. */
export { isOutage, isRefused, isTimeout, isUnavailable } from '../store/failures.ts'
