import sql from 'sql-template-tag'
import { limits } from '../../base/config.ts'
import type { Context } from '../../base/context.ts'
import { createCampaign } from '../campaigns/create-campaign.ts'
import { trackBulk } from '../events/track-bulk.ts'
import { addTags } from '../installations/add-tags.ts'
import { addValueTag } from '../installations/add-value-tag.ts'
import { registerInstallation } from '../installations/register-installation.ts'
import { setAttributes } from '../installations/set-attributes.ts'
import { updateInstallation } from '../installations/update-installation.ts'
import { createSegment } from '../segments/create-segment.ts'
import { makeDemoEvents } from './demo-events.ts'
import { type DemoPerson, makeDemoPeople } from './demo-people.ts'
import { demoDevicePrefix } from './list-demo-devices.ts'

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

/** A few hundred people, their devices and 30 days of what they did, through the same verbs that the API calls. */
export async function fillDemoApp(ctx: Context): Promise<void> {
  const startedAt = performance.now()
  ctx.log.info(`filling the app "${ctx.app.label}" with made-up people`)
  const people = makeDemoPeople(ctx.now())
  const devices = await Promise.all(people.map((person, index) => register(ctx, person, index)))
  // Of rows that are not committed PostgreSQL knows nothing by itself, and plans badly.
  await ctx.store.query(sql`analyze users, installations`)
  await Promise.all(people.map((person) => describe(ctx, person)))
  const events = people
    .flatMap((person, index) =>
      makeDemoEvents(person, index, ctx.now()).map(({ device, ...event }) => ({
        ...event,
        ...(device === undefined
          ? { userId: person.userId as string }
          : { installationId: devices[index]?.[device] as string }),
      })),
    )
    .sort((a, b) => a.eventTime - b.eventTime)
  for (let from = 0; from < events.length; from += limits.eventsPerRequest) {
    await trackBulk(ctx, events.slice(from, from + limits.eventsPerRequest))
  }
  for (const segment of segments) await createSegment(ctx, segment)
  await createCampaign(ctx, { trackId: 'spring-sale', name: 'Spring sale' })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  ctx.log.info(
    `filled the app "${ctx.app.label}": ${people.length} people, ${devices.flat().length} devices, ${events.length} events in ${seconds} s`,
  )
}

/** The ids of the person's installations. Each registered when it was installed, and was last seen at its launch time. */
async function register(ctx: Context, { userId, devices }: DemoPerson, person: number): Promise<string[]> {
  return Promise.all(
    devices.map(async ({ launchCount, launchTime, ...device }, index) => {
      const then = { ...ctx, now: () => new Date(device.installDate) }
      const login = userId === undefined ? { isGuest: true } : { userId }
      const uniqueId = `${demoDevicePrefix}${person + 1}-${index + 1}`
      const { id } = await registerInstallation(then, { ...device, ...login, uniqueId })
      if (launchCount > 1) await updateInstallation(ctx, { id, body: { launchCount, launchTime } })
      return id
    }),
  )
}

async function describe(ctx: Context, { userId, tags, valueTags, attributes }: DemoPerson): Promise<void> {
  if (userId === undefined) return
  await Promise.all([
    tags.length > 0 ? addTags(ctx, { userId, tags }) : undefined,
    ...Object.entries(valueTags).map(([tag, value]) => addValueTag(ctx, { userId, tag, value })),
    setAttributes(ctx, { userId, attributes }),
  ])
}
