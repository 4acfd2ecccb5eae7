import type { countSegment, panelSegmentFields, panelSegmentSuggestions, SegmentFields } from '@peyk/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { later, refusal, service } from '../../testing/service.test-support.ts'
import { show } from '../../testing/show.test-support.tsx'
import { SegmentBuilder } from './SegmentBuilder.tsx'

const operators = ['equal_to', 'not_equal', 'include', 'not_include']
const fields: SegmentFields = {
  fields: [
    { name: 'deviceType', kind: 'text' },
    { name: 'launchTime', kind: 'time' },
    { name: 'launchCount', kind: 'number' },
    { name: 'tags', kind: 'tags' },
  ],
  aggregates: [
    { name: 'count', kind: 'number' },
    { name: 'last', kind: 'time' },
  ],
  operators: {
    text: operators,
    tags: operators,
    number: ['equal_to', 'greater_than', 'include'],
    time: ['after', 'before', 'equal_to'],
  },
  attributes: [],
  tagKeys: ['city'],
  events: ['AddToCart'],
}
const onAndroid = { name: 'deviceType', operator: 'equal_to', value: 'android' }
const often = { name: 'launchCount', operator: 'greater_than', value: 3 }

beforeEach(() => {
  service.answer<typeof panelSegmentFields>('GET', '/segments/fields', fields)
  service.answer<typeof panelSegmentSuggestions>('GET', '/segments/suggestions', ['vegan', 'vip'])
  service.answer<typeof countSegment>('POST', '/segments/count', ({ body }) =>
    'segment' in body ? { count: 12, users: 1, funnel: [] } : { count: 1500, users: 900, funnel: [] },
  )
})

function Building({ start, onBuilt }: { start: unknown; onBuilt(segment: unknown): void }) {
  const [value, setValue] = useState(start)
  onBuilt(value)
  return <SegmentBuilder value={value} onChange={setValue} />
}

async function build(start?: unknown) {
  const segments: unknown[] = []
  const { user } = await show(<Building start={start} onBuilt={(segment) => segments.push(segment)} />)
  await screen.findByRole('button', { name: 'Add rule' })
  const choose = async (label: string, option: string, place = 0) => {
    await user.click(screen.getAllByRole('combobox', { name: label })[place] as HTMLElement)
    await user.click(await screen.findByRole('option', { name: option }))
  }
  return { user, choose, built: () => segments.at(-1) }
}

const counted = () => waitFor(() => expect(screen.getByRole('status').getAttribute('aria-busy')).toBe('false'))

it('it begins with everybody; a rule is built by choosing what, how, and the value, and is said in words', async () => {
  const { user, choose, built } = await build()
  await screen.findByText('1,500')
  expect(screen.getByText('Without rules, everybody matches. Add one to narrow it down.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Add rule' }))
  await choose('What', 'Number of visits')
  await choose('How', 'is more than')
  await user.type(screen.getByRole('textbox', { name: 'Value' }), '3')
  expect(built()).toEqual({ all: [often] })
  await screen.findByText('12')
  expect(screen.getByText('Devices whose number of visits is more than 3')).toBeTruthy()
})

it('a rule without a value is left out of the count, and the builder says so', async () => {
  const { user, built } = await build({ all: [onAndroid] })
  await screen.findByText('12')
  await user.click(screen.getByRole('button', { name: 'Add rule' }))
  expect(built()).toEqual({ all: [onAndroid, { name: 'deviceType', operator: 'equal_to', value: undefined }] })
  expect(screen.getByText('Counted without the rules that are not filled in.')).toBeTruthy()
  await counted()
  const asked = service.asked('POST', '/segments/count').map(({ body }) => body)
  expect(asked).toEqual([{ target: {} }, { segment: { all: [onAndroid] } }])
})

it('a group inside is joined the other way, and is removed as a whole', async () => {
  const { user, choose, built } = await build({ all: [onAndroid] })
  await user.click(screen.getByRole('button', { name: 'Add group' }))
  const group = screen.getByRole('group', { name: 'Any of these' })
  expect(within(group).getByRole('radio', { name: 'Any of these' })).toHaveProperty('checked', true)
  await choose('Value', 'iOS', 1)
  expect(built()).toEqual({ all: [onAndroid, { any: [{ ...onAndroid, value: 'ios' }] }] })
  await user.click(within(group).getByRole('radio', { name: 'All of these' }))
  expect(built()).toMatchObject({ all: [onAndroid, { all: [{ value: 'ios' }] }] })
  await user.click(screen.getByRole('button', { name: 'Remove group' }))
  expect(built()).toEqual({ all: [onAndroid] })
})

it('another field drops a value that does not fit it, and another form of the operator keeps what it can', async () => {
  const { choose, built } = await build({ all: [often] })
  await choose('How', 'is one of')
  expect(built()).toEqual({ all: [{ name: 'launchCount', operator: 'include', value: [3], form: undefined }] })
  await choose('What', 'Last visit')
  expect(built()).toEqual({ all: [{ name: 'launchTime', operator: 'after', value: undefined }] })
})

it('a time is so long ago in hours on the wire, whatever the unit', async () => {
  const { user, choose, built } = await build({ all: [{ name: 'launchTime', operator: 'after' }] })
  await user.type(screen.getByRole('textbox', { name: 'How many' }), '2')
  expect(built()).toEqual({ all: [{ name: 'launchTime', operator: 'after', value: '48h' }] })
  await choose('Unit', 'weeks')
  expect(built()).toEqual({ all: [{ name: 'launchTime', operator: 'after', value: '336h' }] })
  expect(screen.getByRole('textbox', { name: 'How many' })).toHaveProperty('value', '2')
})

it('what the service refuses stands at the rule that it is about', async () => {
  service.answer<typeof countSegment>('POST', '/segments/count', ({ body }) =>
    'segment' in body
      ? refusal(400, 'invalid-request', { field: 'all[1].value' })
      : { count: 1500, users: 900, funnel: [] },
  )
  await build({ all: [onAndroid, often] })
  const alert = await screen.findByRole('alert')
  const [first, second] = screen.getAllByRole('button', { name: 'Remove rule' }).map((button) => button.parentElement)
  expect(first?.contains(alert)).toBe(false)
  expect(second?.contains(alert)).toBe(true)
})

it('the last number stays while the next one is counted', async () => {
  const { user } = await build({ all: [often] })
  await screen.findByText('12')
  const next = later({ count: 7, users: 7, funnel: [] })
  service.answer<typeof countSegment>('POST', '/segments/count', next.answer)
  await user.type(screen.getByRole('textbox', { name: 'Value' }), '0')
  await waitFor(() => expect(service.asked('POST', '/segments/count')).toHaveLength(3))
  expect(screen.getByText('12')).toBeTruthy()
  expect(screen.getByRole('status').getAttribute('aria-busy')).toBe('true')
  next.come()
  await screen.findByText('7')
  await counted()
})

it('as JSON it can be written, and what is no JSON changes nothing', async () => {
  const { user, built } = await build({ all: [onAndroid] })
  await user.click(screen.getByRole('button', { name: 'Show as JSON' }))
  const field = screen.getByRole('textbox', { name: 'The segment as JSON' })
  await user.clear(field)
  await user.paste('{"any": [')
  expect(screen.getByText('This is not valid JSON.')).toBeTruthy()
  expect(built()).toEqual({ all: [onAndroid] })
  await user.clear(field)
  await user.paste('{"any": [{"name": "launchCount", "operator": "greater_than", "value": 3}]}')
  expect(built()).toEqual({ any: [often] })
  await user.click(screen.getByRole('button', { name: 'Show as rules' }))
  expect(screen.getByRole('textbox', { name: 'Value' })).toHaveProperty('value', '3')
})
