import { type ErrorCode, errorCatalogue, RequestError } from '#base/errors.ts'
import { redactValue } from '#base/secrets/redact-tokens.ts'

const fastifyCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed-http',
  FST_ERR_BAD_URL: 'malformed-http',
  FST_REQ_FILE_TOO_LARGE: 'too-large',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupported-type',
}
const plainMessages: Partial<Record<ErrorCode, string>> = {
  'too-large': 'The body is larger than this endpoint takes.',
  'unsupported-type': 'Content-Type must be application/json or application/x-www-form-urlencoded.',
  'malformed-http': 'The request is not well-formed.',
  'invalid-request': 'The request cannot be read.',
}

/** Any error as the caller's error; what is our own fault becomes `internal`, without its details. */
export function readError(error: unknown): RequestError {
  if (error instanceof RequestError) return error
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number }
  const known =
    fastifyCodes[code ?? ''] ?? (statusCode && statusCode >= 400 && statusCode < 500 ? 'invalid-request' : undefined)
  if (known) return new RequestError(known, plainMessages[known] ?? errorCatalogue[known].meaning)
  return new RequestError('internal', 'Something went wrong on our side. The log has the details under the request id.')
}

/** `tokens`: access tokens found anywhere in the request. The body repeats neither them nor pieces of them. */
export function errorBody(error: RequestError, requestId: string, tokens: readonly string[] = []) {
  return {
    error: {
      name: error.name,
      status: error.status,
      message: redactValue(error.message, tokens) as string,
      code: error.code,
      requestId,
      ...(error.details && { details: redactValue(error.details, tokens) as typeof error.details }),
    },
  }
}
