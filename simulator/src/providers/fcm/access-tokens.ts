import { createMac } from '../mac.ts'

/** Access tokens that prove themselves, like device tokens: any process with the same secret takes them. */
export class AccessTokens {
  private readonly mac: (text: string) => Buffer
  private readonly lifeSeconds: number
  private readonly now: () => number
  private refusedBefore = 0
  /** A sender uses one token for an hour; its proof is checked once. */
  private known: { header: string; issuedAt: number; expiresAt: number } | undefined

  constructor(secret: Buffer, lifeSeconds: number, now: () => number) {
    this.mac = createMac(secret)
    this.lifeSeconds = lifeSeconds
    this.now = now
  }

  issue(): { token: string; expiresIn: number } {
    const issuedAt = this.now()
    const content = `${issuedAt.toString(36)}.${(issuedAt + this.lifeSeconds * 1000).toString(36)}`
    return { token: `ya29.sim.${content}.${this.proof(content)}`, expiresIn: this.lifeSeconds }
  }

  isValid(authorization: string | undefined): boolean {
    if (authorization === undefined) return false
    if (this.known?.header !== authorization) {
      const [, issued, expires, proof] =
        /^Bearer ya29\.sim\.([0-9a-z]+)\.([0-9a-z]+)\.([\w-]+)$/i.exec(authorization) ?? []
      if (!issued || !expires || proof !== this.proof(`${issued}.${expires}`)) return false
      const [issuedAt, expiresAt] = [Number.parseInt(issued, 36), Number.parseInt(expires, 36)]
      this.known = { header: authorization, issuedAt, expiresAt }
    }
    return this.known.expiresAt > this.now() && this.known.issuedAt >= this.refusedBefore
  }

  /** Refuses all that were issued up to now. */
  expireAll(): void {
    this.refusedBefore = this.now() + 1
  }

  private proof(content: string): string {
    return this.mac(`access:${content}`).toString('base64url')
  }
}
