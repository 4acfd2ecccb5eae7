import { Readable } from 'node:stream'
import type { SavedSegment } from '@peyk/contract'
import sql from 'sql-template-tag'
import { limits } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import { recordPastUsage } from '../accounts/quotas/record-past-usage.ts'
import { createCampaign } from '../campaigns/create-campaign.ts'
import { trackBulk } from '../events/track/track-bulk.ts'
import { setAttributes } from '../installations/attributes/set-attributes.ts'
import { registerInstallation } from '../installations/register/register-installation.ts'
import { updateInstallation } from '../installations/register/update-installation.ts'
import { addTags } from '../installations/tags/add-tags.ts'
import { addValueTag } from '../installations/tags/add-value-tag.ts'
import { unregisterInstallation } from '../installations/uninstalls/unregister-installation.ts'
import { replaceCampaignCodes } from '../promo/replace-campaign-codes.ts'
import { createSegment } from '../segments/saved/create-segment.ts'
import { recordSize } from '../segments/saved/record-size.ts'
import { makeDemoEvents } from './demo-events.ts'
import { demoCampaigns } from './demo-messages.ts'
import { type DemoDevice, type DemoPerson, makeDemoPeople } from './demo-people.ts'
import { makeDemoVisits } from './demo-visits.ts'
import { demoDevicePrefix } from './list-demo-devices.ts'
import { seededRandom } from './seeded-random.ts'
import { sendDemoMessages } from './send-demo-messages.ts'

const segments = [
  {
    name: 'Loyal customers',
    segment: {
      all: [
        { name: 'tags', operator: 'include', value: ['vip'] },
        { name: 'purchase.count', operator: 'greater_than', value: 2 },
      ],
    },
  },
  {
    name: 'New on Android this week',
    segment: {
      all: [
        { name: 'installDate', operator: 'after', value: '168h' },
        { name: 'deviceType', operator: 'equal_to', value: 'android' },
      ],
    },
  },
]

const DAY = 86_400_000

/** A few hundred people, their devices, what they did and what they were sent, through the same verbs that the API calls. */
export async function fillDemoApp(ctx: Context): Promise<void> {
  const startedAt = performance.now()
  ctx.log.info(`filling the app "${ctx.app.label}" with made-up people`)
  const people = makeDemoPeople(ctx.now())
  const devices = await Promise.all(people.map((person, index) => register(ctx, person, index)))
  // Of rows that are not committed PostgreSQL knows nothing by itself, and plans badly.
  await ctx.store.query(sql`analyze users, installations`)
  await visit(ctx, devices.flat())
  await Promise.all(people.map((person) => describe(ctx, person)))
  const events = people
    .flatMap((person, index) =>
      makeDemoEvents(person, index, ctx.now()).map(({ device, ...event }) => ({
        ...event,
        ...(device === undefined
          ? { userId: person.userId as string }
          : { installationId: devices[index]?.[device]?.id as string }),
      })),
    )
    .sort((a, b) => a.eventTime - b.eventTime)
  for (let from = 0; from < events.length; from += limits.eventsPerRequest) {
    await trackBulk(ctx, events.slice(from, from + limits.eventsPerRequest))
  }
  const saved = []
  for (const segment of segments) saved.push(await createSegment(ctx, segment))
  for (const campaign of demoCampaigns) await createDemoCampaign(ctx, campaign)
  const messages = await sendDemoMessages(ctx, leaveInTime(ctx, devices.flat()))
  for (const segment of saved) await recordSizes(ctx, segment)
  await recordPastUsage(ctx, [
    ...devices
      .flat()
      .map(({ device }) => ({ at: new Date(device.installDate), kind: 'installations' as const, count: 1 })),
    ...events.map(({ eventTime }) => ({ at: new Date(eventTime), kind: 'events' as const, count: 1 })),
    ...messages.map(({ at }) => ({ at, kind: 'messages' as const, count: 1 })),
    ...messages.map(({ at, count }) => ({ at, kind: 'deliveries' as const, count })),
  ])
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  ctx.log.info(
    `filled the app "${ctx.app.label}": ${people.length} people, ${devices.flat().length} devices, ${events.length} events, ${messages.length} messages in ${seconds} s`,
  )
}

/** As if it had been counted on each of the last days. */
async function recordSizes(ctx: Context, segment: SavedSegment): Promise<void> {
  for (let days = 0; days < 30; days++) {
    await recordSize({ ...ctx, now: () => new Date(Number(ctx.now()) - days * DAY) }, segment)
  }
}

interface RegisteredDevice {
  id: string
  device: DemoDevice
}

/** Each registered when it was installed. */
async function register(ctx: Context, { userId, devices }: DemoPerson, person: number): Promise<RegisteredDevice[]> {
  return Promise.all(
    devices.map(async (device, index) => {
      const { launchCount: _launchCount, launchTime: _launchTime, uninstalledAt: _uninstalledAt, ...fields } = device
      const then = { ...ctx, now: () => new Date(device.installDate) }
      const login = userId === undefined ? { isGuest: true } : { userId }
      const uniqueId = `${demoDevicePrefix}${person + 1}-${index + 1}`
      const { id } = await registerInstallation(then, { ...fields, ...login, uniqueId })
      return { id, device }
    }),
  )
}

/** In the order in which they happened, so that each user is counted once a day. */
async function visit(ctx: Context, devices: readonly RegisteredDevice[]): Promise<void> {
  const visits = devices
    .flatMap(({ id, device }, index) => makeDemoVisits(device, index + 1).map((body) => ({ id, body })))
    .sort((a, b) => a.body.launchTime - b.body.launchTime)
  await Promise.all(visits.map((visit) => updateInstallation(ctx, visit)))
}

/** Uninstalls those whose time has come. */
function leaveInTime(ctx: Context, devices: readonly RegisteredDevice[]): (at: number) => Promise<void> {
  const leaving = devices
    .flatMap(({ id, device: { uninstalledAt } }) => (uninstalledAt === undefined ? [] : [{ id, uninstalledAt }]))
    .sort((a, b) => a.uninstalledAt - b.uninstalledAt)
  return async (at) => {
    for (let next = leaving[0]; next && next.uninstalledAt <= at; next = leaving[0]) {
      const { id, uninstalledAt } = next
      await unregisterInstallation({ ...ctx, now: () => new Date(uninstalledAt) }, { id })
      leaving.shift()
    }
  }
}

async function createDemoCampaign(ctx: Context, campaign: (typeof demoCampaigns)[number]): Promise<void> {
  const { trackId, name } = campaign
  await createCampaign(ctx, { trackId, name })
  if (!('codes' in campaign)) return
  const { prefix, count } = campaign.codes
  const random = seededRandom(count)
  const lines = Array.from({ length: count }, (_, index) => `${prefix}-${1_000 + index}${random.between(100, 999)}`)
  await replaceCampaignCodes(ctx, { trackId, file: Readable.from([lines.join('\n')]) })
}

async function describe(ctx: Context, { userId, tags, valueTags, attributes }: DemoPerson): Promise<void> {
  if (userId === undefined) return
  await Promise.all([
    tags.length > 0 ? addTags(ctx, { userId, tags }) : undefined,
    ...Object.entries(valueTags).map(([tag, value]) => addValueTag(ctx, { userId, tag, value })),
    setAttributes(ctx, { userId, attributes }),
  ])
}
