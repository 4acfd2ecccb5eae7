import { RequestError } from '../../base/errors.ts'

/** Where a page of campaigns ended. */
export interface CampaignPlace {
  createdAt: number
  trackId: string
}

export function writeCampaignCursor({ createdAt, trackId }: CampaignPlace): string {
  return Buffer.from(`${createdAt} ${trackId}`).toString('base64url')
}

export function readCampaignCursor(cursor: string): CampaignPlace {
  const [, createdAt, trackId] = /^(\d{1,14}) ([^\0]+)$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (createdAt === undefined || trackId === undefined) {
    throw new RequestError('invalid-request', '"cursor": expected the cursor of the page before.', {
      details: { field: 'cursor' },
    })
  }
  return { createdAt: Number(createdAt), trackId }
}
