import { readFileSync } from 'node:fs'
import * as contract from '@peyk/contract'
import { expect, test } from 'vitest'
import { docsHref, guidePlaces, referencePlaces } from './docs-places.ts'

test('every place is in the API reference, under its group', () => {
  const endpoints = contract as unknown as Record<string, contract.Endpoint | undefined>
  for (const [group, name] of Object.values(referencePlaces))
    expect([name, endpoints[name]?.group]).toEqual([name, group])
  expect(docsHref('register')).toBe('/docs/#tag/installations-and-users/registerInstallation')
})

test('every place is in the guide', async () => {
  const root = new URL('../../../', import.meta.url)
  const { slugOf } = (await import(new URL('site/guide/slugs.js', root).href)) as { slugOf(heading: string): string }
  for (const place of Object.values(guidePlaces)) {
    const [page, anchor] = place.split('/#')
    const text = readFileSync(new URL(`docs/${page?.replace('/', '')}.md`, root), 'utf8')
    const slugs = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slugOf(heading as string))
    if (anchor !== undefined) expect(slugs).toContain(anchor)
  }
  expect(docsHref('webhooks')).toBe('/guide/webhooks/')
})
