import { versionKey } from '../../installations/version-key.ts'
import { type AttributeValue, type Device, kindOf } from '../evaluate.test-support.ts'
import { type Changed, vocabulary } from '../world.test-support.ts'
import type { AttributeChange } from './columns/attribute-facts.ts'
import type { SegmentData } from './segment-data.ts'

/** Puts people and devices of a world into the columns, without PostgreSQL. */
export function putChanged(data: SegmentData, { people, devices }: Changed): void {
  for (const { no, tags, attributes } of people) {
    for (const tag of vocabulary.tags) {
      const value = tags.get(tag)
      if (value === undefined) data.removeTag(no, tag)
      else data.putTag(no, tag, value ?? undefined)
    }
    for (const name of vocabulary.attributes) {
      const value = attributes.get(name)
      if (value === undefined) data.removeUserAttribute(no, name)
      else data.putUserAttribute(no, name, attributeChange(value))
    }
  }
  for (const device of devices) putDevice(data, device)
}

function putDevice(data: SegmentData, device: Device): void {
  data.putInstallation(device.no, {
    user_no: device.person.no,
    isThere: !device.isUninstalled,
    launch_count: device.launchCount,
    times: {
      installed_at: Math.floor(device.installedAt),
      launched_at: Math.floor(device.launchedAt),
      created_at: Math.floor(device.createdAt),
    },
    texts: {
      device_type: device.deviceType,
      client_version_key: keyOf(device.clientVersion),
      os_version_key: keyOf(device.osVersion),
      language: device.language ?? undefined,
      time_zone: device.timeZone ?? undefined,
    },
    subscriptions: device.channels,
  })
  for (const name of vocabulary.attributes) {
    const value = device.attributes.get(name)
    if (value === undefined) data.removeOwnAttribute(device.no, name)
    else data.putOwnAttribute(device.no, name, attributeChange(value))
  }
  for (const key of vocabulary.events) {
    const counter = device.counters.get(key)
    if (!counter) {
      data.removeCounter(device.no, key)
      continue
    }
    const { count, firstAt, lastAt, values } = counter
    const sum = values.reduce((total, value) => total + value, 0)
    data.putCounter(device.no, key, {
      count,
      first: firstAt,
      last: lastAt,
      valueCount: values.length,
      ...(values.length > 0 && {
        values: { sum, min: Math.min(...values), max: Math.max(...values), lastValue: values.at(-1) },
      }),
    })
  }
}

function keyOf(version: string | null): string | undefined {
  return (version && versionKey(version)) || undefined
}

function attributeChange(value: AttributeValue): AttributeChange {
  return {
    kind: kindOf(value),
    number: typeof value === 'string' || Array.isArray(value) ? undefined : Number(value),
    text: typeof value === 'string' ? value : undefined,
    list: Array.isArray(value) ? value : undefined,
  }
}
