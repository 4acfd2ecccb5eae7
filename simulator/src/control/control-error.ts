/** What the caller did wrong, or what cannot be done now. */
export class ControlError extends Error {
  readonly status: number

  constructor(status: 400 | 403 | 404 | 405 | 409 | 413 | 415, message: string) {
    super(message)
    this.status = status
  }
}
