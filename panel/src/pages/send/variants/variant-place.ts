const prefix = /^variants\[(\d+)\](?:\.(.+))?$/
/** What every variant has in the list of all of them, whichever is shown. */
const listed = /^(name|share)$/

/** Which variant a field of the request is of; undefined where it is of none. */
export function variantOfField(field: string): number | undefined {
  const [, place] = prefix.exec(field) ?? []
  return place === undefined ? undefined : Number(place)
}

/** The fields of a variant stand where those of the message do: so they are called. */
export function fieldInVariant(field: string): string {
  const [, , within] = prefix.exec(field) ?? []
  return within === undefined || listed.test(within) ? field : within
}

/** The words of the first variant are those of the message. */
export function withoutFirst(field: string): string {
  return variantOfField(field) === 0 ? fieldInVariant(field) : field
}
