/** What cannot be done to a phone: it has no such thing, it is called wrongly, or not as the phone is now. */
export class PhoneError extends Error {
  readonly kind: 'unknown' | 'wrong' | 'not-now'

  constructor(kind: PhoneError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}
