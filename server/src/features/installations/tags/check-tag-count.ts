import { RequestError } from '#base/errors.ts'

const maxTagsPerCall = 1_000

export function checkTagCount(tags: readonly string[]): void {
  if (tags.length <= maxTagsPerCall) return
  throw new RequestError(
    'too-large',
    `"tags" has ${tags.length} tags; at most ${maxTagsPerCall} are taken in one call.`,
  )
}
