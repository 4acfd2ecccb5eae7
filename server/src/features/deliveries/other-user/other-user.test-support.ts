import { silentLog } from '@peyk/test/database/test-store.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { updateInstallation } from '../../installations/register/update-installation.ts'
import { PendingTexts } from '../../messages/rendering/pending-texts.ts'
import { readInbox } from '../inbox/read-inbox.ts'

/** An installation that changes users, as its client library would do it. */
export class SharedDevice {
  readonly id: string
  readonly installationNo: number
  userId: string
  private readonly ctx: Context

  private constructor(ctx: Context, given: { id: string; installationNo: number; userId: string }) {
    this.ctx = ctx
    this.id = given.id
    this.installationNo = given.installationNo
    this.userId = given.userId
  }

  /** Without a user, it is a guest's. */
  static async register(ctx: Context, body: { userId?: string; deviceToken?: string } = {}): Promise<SharedDevice> {
    const login = body.userId === undefined ? {} : { isGuest: false }
    const { id, userId } = await registerInstallation(ctx, { deviceType: 'android', ...login, ...body })
    const [row] = await ctx.store.query<{ installation_no: number }>(
      sql`select installation_no from installations where app_id = ${ctx.app.id} and id = ${id}`,
    )
    return new SharedDevice(ctx, { id, userId, installationNo: row?.installation_no as number })
  }

  async logIn(userId: string): Promise<void> {
    await this.update({ userId, isGuest: false })
  }

  async logOut(): Promise<void> {
    await this.update({ isGuest: true })
  }

  private async update(body: { userId?: string; isGuest: boolean }): Promise<void> {
    const { userId } = await updateInstallation(this.ctx, { id: this.id, body })
    this.userId = userId
  }

  /** Messages that its user would receive over a connection now. */
  async readInbox(): Promise<Map<string, Record<string, unknown>>> {
    const ask = {
      appId: this.ctx.app.id,
      installationNo: this.installationNo,
      userId: this.userId,
      without: [],
      clearing: [],
      limit: 100,
      connectedAt: new Date(),
      isOpen: true,
    }
    const late = { texts: new PendingTexts(silentLog), onReady: () => undefined }
    const { messages } = await readInbox(this.ctx, [ask], late)
    return new Map(messages.map(({ messageId, body }) => [messageId, JSON.parse(String(body))]))
  }

  async readDelivery(messageId: string) {
    const [row] = await this.ctx.store.query<{
      state: string
      reason: string | null
      detail_code: string | null
      provider: string | null
      in_inbox: boolean
    }>(sql`
      select state, reason, detail_code, provider, in_inbox from deliveries
      where app_id = ${this.ctx.app.id} and message_id = ${messageId} and installation_no = ${this.installationNo}`)
    return row
  }

  untilInInbox(messageId: string) {
    return until(
      () => this.readDelivery(messageId),
      (row) => row?.in_inbox === true,
    )
  }

  untilEnded(messageId: string) {
    return until(
      () => this.readDelivery(messageId),
      (row) => row?.state === 'ended',
    )
  }
}
