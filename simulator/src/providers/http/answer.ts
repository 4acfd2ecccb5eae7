export interface Answer {
  status: number
  headers?: Record<string, string>
  body?: string
  /** The provider's own word for it, for the record. */
  reason?: string
}
