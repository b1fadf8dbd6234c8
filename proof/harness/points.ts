/** Every marker of the product: its name, and the place that it marks. */
const points = {
  'process.start': 'A process of the service, or a command, begins.',

  'ingest.seal': 'The API fetches the key of the scope that seals a document.',
  'ingest.write': 'The API writes a batch of documents in one transaction.',
  'ingest.accept': 'The handler of an ingest request waits until its document is accepted.',

  'events.announce': 'A process announces the scopes that have new events.',

  'dispatch.renew-leases': 'The dispatcher renews its leases.',
  'dispatch.inspect-queue': 'The dispatcher asks the broker how much it holds.',
  'dispatch.fill-window': 'The dispatcher chooses work and commits that it is dispatched.',
  'dispatch.send': 'The dispatcher sends the messages of dispatched work.',
  'dispatch.recall.write': 'The dispatcher puts work back that the broker lost.',

  'worker.receive-message': 'A worker decodes a message from the broker.',

  'attempt.start': 'A worker starts an attempt in the database.',
  'attempt.read': 'A worker has the text of a document read.',
  'attempt.complete': 'A worker waits until the result of an attempt is committed.',
  'attempt.complete.write': 'A worker packs the results of a batch of attempts to write them.',
  'attempt.complete.commit': 'A worker completes a batch of attempts, with or without a comparison.',
  'attempt.acknowledge': 'A worker acknowledges the message of an attempt that ended.',

  'comparison.compare': 'A worker compares the claims of documents whose results are written.',
  'comparison.write': 'A worker writes what a comparison found.',
} as const

export type PointName = keyof typeof points

/** The same list for those who ask by any name. */
export const POINTS: ReadonlyMap<string, string> = new Map(Object.entries(points))
