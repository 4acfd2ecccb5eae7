import { randomBytes } from 'node:crypto'

/** Refuses ids that contain an access token, because the id is logged and returned. */
const acceptable = /^(?!.*[0-9a-f]{40})[\w.-]{8,64}$/i

/** The caller's id when it sent a usable one; otherwise one that no other process gives. */
export class RequestIds {
  private readonly prefix = randomBytes(5).toString('hex')
  private count = 0

  of(header: unknown): string {
    if (typeof header === 'string' && acceptable.test(header)) return header
    this.count++
    return `${this.prefix}-${this.count.toString(36)}`
  }
}
