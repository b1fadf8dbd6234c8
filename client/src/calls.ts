/** The shapes of methods: what a call takes beside its input, and what each kind of operation gives back. */
import type { RequestOptions } from './options.ts'
import type { RawAnswer } from './requests.ts'
import type { EventStream, StreamOptions } from './streaming.ts'

interface NothingRequired {
  readonly [name: string]: never
}

/** The input may be left out where nothing in it is required. */
type Given<Input, Options> = NothingRequired extends Input
  ? readonly [input?: Input, options?: Options]
  : readonly [input: Input, options?: Options]

export interface Call<Input, Answer, RawBody = Answer> {
  (...given: Given<Input, RequestOptions>): Promise<Answer>
  /**
   * The same call, with the status and the headers of its answer: an ETag, a Location, what is left of a limit.
   *
   * @example
   * const place = { scopeId: 'first-case', documentId: 'report-2025' }
   * const first = await concord.getDocument.raw(place)
   * const etag = first.headers.get('etag') ?? ''
   * const second = await concord.getDocument.raw(place, { headers: { 'If-None-Match': etag } })
   * console.log(second.status === 304 ? 'nothing new' : second.body?.status)
   */
  raw(...given: Given<Input, RequestOptions>): Promise<RawAnswer<RawBody>>
}

export interface ListCall<Input, Page, Item> extends Call<Input, Page> {
  /**
   * Every item of the list, page after page, each page asked for when it is needed.
   *
   * @example
   * for await (const document of concord.listDocuments.all({ scopeId: 'first-case' })) {
   *   console.log(document.document_id, document.status)
   * }
   */
  all(...given: Given<Omit<Input, 'cursor'>, RequestOptions>): AsyncIterableIterator<Item>
}

export type StreamCall<Input, Event> = (...given: Given<Input, StreamOptions>) => EventStream<Event>

/** The entries of a stream, beside notices: `EventOf<Concord['streamOwnScopeEvents']>`. */
export type EventOf<Stream> = Stream extends (...given: never) => EventStream<infer Event> ? Event : never
