/** Every error a caller can meet. docs/reference/errors.md shows the same list; a test compares the two. */
export const errorCatalogue = {
  'invalid-request': {
    status: 400,
    name: 'ValidationError',
    meaning: 'A field is missing, or has a value that is not allowed.',
  },
  'unknown-field': {
    status: 400,
    name: 'ValidationError',
    meaning:
      'The body or the query has a name that the endpoint does not know; `details.didYouMean` is the nearest one.',
  },
  'invalid-json': {
    status: 400,
    name: 'ValidationError',
    meaning: 'The body is not JSON, or is nested deeper than 32 levels.',
  },
  'invalid-text': { status: 400, name: 'ValidationError', meaning: 'A text is not valid Unicode, or contains U+0000.' },
  'invalid-segment': {
    status: 400,
    name: 'ValidationError',
    meaning: 'A rule names an unknown field, or an operator or value that the field does not accept.',
  },
  'invalid-template': {
    status: 400,
    name: 'ValidationError',
    meaning: 'A text with {{ or {% is not a Liquid template that parses.',
  },
  'invalid-file': {
    status: 400,
    name: 'ValidationError',
    meaning: 'The promo-code file has lines that are not codes, is empty or is missing.',
  },
  'invalid-image': {
    status: 400,
    name: 'ValidationError',
    meaning: 'The file is not a JPEG, PNG, WebP or GIF, is incomplete, or has more than 4096 pixels a side.',
  },
  'credentials-refused': {
    status: 400,
    name: 'ValidationError',
    meaning: 'The provider refuses the credentials; `details.findings` says why.',
  },
  'credentials-unchecked': {
    status: 400,
    name: 'ValidationError',
    meaning:
      'The provider could not be asked about the credentials, and those that are stored work. `force` replaces them all the same.',
  },
  'payload-too-large': {
    status: 400,
    name: 'ValidationError',
    meaning: 'The notification and its data are larger than a push provider accepts.',
  },
  'malformed-http': {
    status: 400,
    name: 'BadRequest',
    meaning: 'The request is not well-formed HTTP, repeats Host, or has an absolute target.',
  },
  'no-token': {
    status: 401,
    name: 'AuthenticationError',
    meaning: 'No access token came with the request, or two different ones.',
  },
  'unknown-token': {
    status: 401,
    name: 'AuthenticationError',
    meaning: 'The access token is unknown, revoked or expired.',
  },
  'foreign-token': {
    status: 401,
    name: 'AuthenticationError',
    meaning: 'The access token belongs to a different app than the host names.',
  },
  'signed-out': {
    status: 401,
    name: 'AuthenticationError',
    meaning: 'Nobody is signed in to the panel, or the session has ended.',
  },
  'wrong-sign-in': {
    status: 401,
    name: 'AuthenticationError',
    meaning: 'The email address or the password is wrong, or the sign-in link was used or is too old.',
  },
  'wrong-scope': { status: 403, name: 'AuthorizationError', meaning: 'The access token does not cover this endpoint.' },
  'wrong-origin': {
    status: 403,
    name: 'AuthorizationError',
    meaning: 'The client key is not allowed to be used from this origin, or a page that is not the panel called it.',
  },
  'wrong-role': {
    status: 403,
    name: 'AuthorizationError',
    meaning: 'The role that the member has in this app does not cover this.',
  },
  'identity-unverified': {
    status: 403,
    name: 'AuthorizationError',
    meaning: 'The app verifies identities and the user hash is missing or wrong.',
  },
  'unknown-route': {
    status: 404,
    name: 'NotFound',
    meaning: 'There is no such path, or it does not allow this method.',
  },
  'not-found': { status: 404, name: 'NotFound', meaning: 'Nothing of this app has that id.' },
  'unknown-campaign': { status: 404, name: 'Error', meaning: 'No campaign of this app has that trackId.' },
  'request-timeout': {
    status: 408,
    name: 'Timeout',
    meaning: 'The request did not arrive in time, or a file came too slowly.',
  },
  'already-exists': { status: 409, name: 'Conflict', meaning: 'Something with this name or id already exists.' },
  'in-use': { status: 409, name: 'Conflict', meaning: 'Something else needs it; the message says what.' },
  'still-running': {
    status: 409,
    name: 'Conflict',
    meaning: 'A request with the same idempotency key is still being answered.',
  },
  'already-started': {
    status: 409,
    name: 'Conflict',
    meaning: 'The message is being sent or has been sent: it cannot be changed any more.',
  },
  'not-started': {
    status: 409,
    name: 'Conflict',
    meaning:
      'The message goes later, or was cancelled before it went: there is nothing to pause, to resume or to explain.',
  },
  'series-ended': {
    status: 409,
    name: 'Conflict',
    meaning: 'The series has ended: it can be read, but not changed, paused or resumed any more.',
  },
  'already-decided': {
    status: 409,
    name: 'Conflict',
    meaning: 'Another member has approved or declined the send, or it has lapsed.',
  },
  'own-request': {
    status: 403,
    name: 'Forbidden',
    meaning: 'A send has to be approved by another member than the one who asked for it.',
  },
  'audience-grew': {
    status: 409,
    name: 'Conflict',
    meaning: 'The message would go to far more devices than the member has confirmed. Nothing was sent.',
  },
  'changed-meanwhile': {
    status: 409,
    name: 'Conflict',
    meaning:
      'It was changed since it was read. Nothing was stored or sent. `details` of a draft says who saved it and when.',
  },
  'cursor-expired': {
    status: 410,
    name: 'Gone',
    meaning:
      'What came right after the cursor is not kept any more, so some of it would be missing. Begin anew with `from`.',
  },
  'limit-reached': {
    status: 422,
    name: 'LimitReached',
    meaning: 'The user, the installation or the app has as many of these as it may have.',
  },
  'too-large': {
    status: 413,
    name: 'PayloadTooLarge',
    meaning: 'The body, the file or a list in it is larger than allowed.',
  },
  'unsupported-type': {
    status: 415,
    name: 'UnsupportedMediaType',
    meaning: 'The endpoint does not accept this content type or content encoding.',
  },
  'key-reused': {
    status: 422,
    name: 'IdempotencyError',
    meaning: 'The idempotency key was used before with another body.',
  },
  'too-many-requests': {
    status: 429,
    name: 'TooManyRequests',
    meaning:
      'The token or the address sent more requests, or registered more new installations, than its limit allows.',
  },
  'quota-exceeded': {
    status: 429,
    name: 'QuotaExceeded',
    meaning:
      'The app has used up what it may use; `details` says which quota, how much of it, and when it begins anew.',
  },
  'headers-too-large': {
    status: 431,
    name: 'BadRequest',
    meaning: 'The request line and headers are larger than 16 KiB.',
  },
  internal: {
    status: 500,
    name: 'InternalError',
    meaning: 'The service failed. The log has the details under the request id.',
  },
  'store-away': { status: 503, name: 'Unavailable', meaning: 'The database cannot be reached at the moment.' },
  'store-full': { status: 503, name: 'Unavailable', meaning: 'The disk of the database is full. Nothing was stored.' },
  'store-busy': {
    status: 503,
    name: 'Unavailable',
    meaning: 'The request met too many others on the same data or of the same app, or took too long.',
  },
  'shutting-down': { status: 503, name: 'Unavailable', meaning: 'The service is stopping.' },
} as const satisfies Record<string, { status: number; name: string; meaning: string }>

export type ErrorCode = keyof typeof errorCatalogue

/** The caller's fault, or a state the caller must know of; mapped to an answer once, in entry. */
export class RequestError extends Error {
  readonly code: ErrorCode
  readonly details: Record<string, unknown> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    extra: { details?: Record<string, unknown>; retryAfterSeconds?: number } = {},
  ) {
    super(message)
    this.code = code
    this.name = errorCatalogue[code].name
    this.details = extra.details
    this.retryAfterSeconds = extra.retryAfterSeconds ?? (errorCatalogue[code].status === 503 ? 2 : undefined)
  }

  get status(): number {
    return errorCatalogue[this.code].status
  }
}
