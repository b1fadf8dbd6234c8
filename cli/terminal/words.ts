/** Words of others on a terminal: the same functions that reports use. */
export {
  escapeJson,
  inThousands,
  oneLine,
  plural,
  shareText,
  stripControls,
  toPlainJson,
} from '@concord/client/report'
