/** The list of all markers in the product: their names, and the places that they mark. */
const points = {
  'process.start': 'A process of the service, or a command, begins.',
  'process.stop': 'A process that is told to stop ends its work first.',

  'ingest.accept': 'The handler of an ingest request waits until its document is accepted.',
  'ingest.idempotency-key': 'The API asks whether a request has an idempotency key to record.',
  'ingest.seal': 'The API fetches the key of the scope that seals a document.',
  'ingest.seal.text': 'The API seals the text of a document.',
  'ingest.write': 'The API writes a batch of documents in one transaction.',

  'connections.turn': 'A transaction waits for the turn of its tenant before it takes a connection.',

  'files.read': 'The API hands a file to a process that reads it.',

  'http.bytes-in-flight': 'The API asks whether a body fits into the bytes in flight before it reads it.',
  'http.deadline': 'The API sets the timer after which a caller gets an answer in any case.',
  'http.list-scopes': 'The handler of the list of scopes reads one page.',
  'http.log-request': 'The log entry of a request names its method.',
  'http.send.kernel-event': 'An event of the whole service begins.',
  'http.send.problem': 'The API sends an error.',
  'http.send.response': 'The API sends a response in the form of its schema.',
  'http.send.scope-event': 'An event of a scope begins.',

  'auth.cache-time': 'A process remembers a key for this long.',
  'auth.checksum': 'The API compares the checksum of a presented key.',
  'auth.listen-for-revocations': 'The API listens for announcements of changed keys.',

  'events.announce': 'A process announces the scopes that have new events.',
  'events.follow.advance': 'A follower moves its position past the entries that it was sent.',
  'events.follow.from-memory': 'A follower gets entries that the process has in memory.',
  'events.follow.nothing-new': 'A follower that knows the last entry gets none.',
  'events.follow.wait': 'A follower waits for new entries.',
  'events.oldest-transaction': 'The operator reads events up to the oldest open transaction.',
  'events.stream.open': 'An event stream is opened.',
  'events.stream.recheck-keys': 'The keys of open event streams are checked again.',
  'events.stream.write': 'Events are written to a stream, which waits for a slow client.',

  'dispatch.fill-window': 'The dispatcher chooses work and commits that it is dispatched.',
  'dispatch.inspect-queue': 'The dispatcher asks the broker how much it holds.',
  'dispatch.lease': 'Only leases of the dispatcher that have not expired count.',
  'dispatch.order': 'Work of the tenant with the least in flight goes first.',
  'dispatch.priority-limit': 'A tenant may have this many documents in the priority queue at a time.',
  'dispatch.recall': 'The dispatcher takes back what the broker lost.',
  'dispatch.recall.in-flight': 'Work in flight is counted over all shards, to compare it with the broker.',
  'dispatch.recall.write': 'The dispatcher puts work back that the broker lost.',
  'dispatch.renew-leases': 'The dispatcher renews its leases.',
  'dispatch.send': 'The dispatcher sends the messages of dispatched work.',
  'dispatch.window.in-flight': 'Work in flight takes room from the window.',
  'dispatch.window.shards': 'Work in flight is counted over all shards that the dispatcher holds.',

  'queue.broker-refuses': 'A queue that the broker cannot write is made anew in memory.',
  'worker.receive-message': 'A worker decodes a message from the broker.',

  'attempt.acknowledge': 'A worker acknowledges the message of an attempt that ended.',
  'attempt.defer': 'A worker decides whether an attempt without an answer of the language model is put off.',
  'attempt.complete': 'A worker waits until the result of an attempt is committed.',
  'attempt.complete.commit': 'A worker completes a batch of attempts, with or without a comparison.',
  'attempt.complete.epoch': 'A result counts only in the generation of the scope that it is of.',
  'attempt.complete.gap': 'A worker says what is missing of a document that it read.',
  'attempt.complete.number': 'A result counts only for the attempt that it is of.',
  'attempt.complete.write': 'A worker packs the results of a batch of attempts to write them.',
  'attempt.read': 'A worker has the text of a document read.',
  'attempt.start': 'A worker starts an attempt in the database.',
  'attempt.start.epoch': 'An attempt starts only in the generation of the scope that its work is of.',
  'attempt.start.scope-switch': 'An attempt starts only while its scope is running.',
  'attempt.start.switches': 'An attempt starts only while the service and its tenant are running.',

  'reading.begin': 'The reading of a text begins.',
  'reading.format': 'The reader decides what a text is.',
  'reading.line': 'The signs of one line of a text are counted.',
  'reading.offsets': 'Offsets are left alone in a text where code units and code points agree.',
  'reading.passage-failed': 'The reader failed on a passage.',
  'reading.quote': 'A claim gets its quote.',
  'reading.unread': 'The reader notes a passage that it did not read.',

  'comparison.choose-representatives': 'The representatives of a changed group are chosen.',
  'comparison.compare': 'A worker compares the claims of documents whose results are written.',
  'comparison.choose-candidates': 'The earlier facts that a comparison step is compared with are chosen.',
  'comparison.declined':
    'The facts of a comparison step that the language model declined to compare are noted.',
  'comparison.isolate': 'Documents that speak to the language model are told from the others.',
  'comparison.isolate-facts': 'The key of a fact is chosen; an isolated claim shares none.',
  'comparison.heavy':
    'A worker decides whether a result is compared outside of the transaction, in a thread.',
  'comparison.max-work': 'A transaction that holds a scope compares this many pairs of claims at most.',
  'comparison.order-sides': 'It is decided which side of a contradiction between two facts comes first.',
  'comparison.write': 'A worker writes what a comparison found.',
  'convergence.agreement': 'The share of the compared claims that nothing open is about.',
  'convergence.coverage': 'The share of the accepted characters that were read.',
  'convergence.count-left': 'A document is no longer counted under the status that it left.',

  'model.dropped-quotes': 'The claims of an answer that were left out are counted.',
  'model.line': 'A line of an answer loses what nobody sees.',
  'model.quote': 'A claim that the language model extracted gets its quote.',
  'model.unread-windows': 'The windows that the language model did not answer are noted.',
  'model.windows': 'The text of a document is cut into the windows that the language model is asked about.',

  'policy.cache': 'A set of policies that is still current is taken from memory.',
  'policy.load': 'The policies that ship and those of tenants are parsed.',

  'retention.sweep': 'The sweeper takes the lease of a walk before it removes anything.',

  'reset.delete.conditions':
    'A reset deletes only rows of a table that meet its condition, where it has one.',
  'reset.delete.keys': 'A reset deletes the keys of older generations.',
  'reset.delete.texts': 'A reset deletes the texts of documents.',
  'scope.lock-timeout': 'A statement for many scopes waits this long for one that somebody holds.',
  'runtime.stopped': 'A stopped scope, tenant or service can be neither paused nor resumed.',
  'scaling.grow': 'The rule wants more workers than there are.',
  'database.connection-error': 'Errors of a connection in use are listened to.',

  'audit.link': 'A link of the audit chain is bound to the one before it.',
  'certificate.changed-finding': 'A finding that changes in place is told by an event.',
  'certificate.coverage': 'Policies are told how much of a scope was read.',
  'certificate.digest.reading': 'The digest of what was read is compared with the one in the certificate.',
  'certificate.digest.scores': 'The scores of a certificate get their digest.',
  'certificate.new-evidence': 'New entries of the log reopen a certified scope.',
  'certificate.verify.evidence-root': 'The root of the evidence is compared with the certified one.',
  'certificate.verify.policy': 'The policies are compared with the certified ones.',
  'certificate.verify.previous': 'A certificate is compared with the one before it.',
  'certificate.verify.signature': 'The signature of a certificate is verified.',

  'client.ingest.idempotency-key': 'The client gives each ingest request an idempotency key.',
  'client.stream.resume': 'The client says after which event a stream goes on.',
} as const

export type PointName = keyof typeof points

/** The list by any name, for the test that compares it with the product. */
export const POINTS: ReadonlyMap<string, string> = new Map(Object.entries(points))
