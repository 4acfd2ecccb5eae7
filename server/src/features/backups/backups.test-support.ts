import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { administer, databaseUrl } from '@peyk/test/database/database-cluster.ts'
import { sampleImages } from '@peyk/test/images.ts'
import { makeGuardedFolder } from '@peyk/test/runner/guard.ts'
import sql, { raw } from 'sql-template-tag'
import { afterAll, inject } from 'vitest'
import type { OutwardContext } from '#base/context.ts'
import { listTables } from '#base/store/backup/read-schema.ts'
import { openStore, type Store } from '#base/store/store.ts'
import { createWebPushCredentials } from '../accounts/credential-formats/web-push.ts'
import { readCredentials } from '../accounts/providers/read-credentials.ts'
import { setCredentials } from '../accounts/providers/set-credentials.ts'
import { trackBulk } from '../events/track/track-bulk.ts'
import { storeImage } from '../images/store-image.ts'
import { setAttributes } from '../installations/attributes/set-attributes.ts'
import { registerInstallation } from '../installations/register/register-installation.ts'
import { addTags } from '../installations/tags/add-tags.ts'
import { sendByQuery } from '../messages/send/send-by-query.ts'
import { sendToUsers } from '../messages/send/send-to-users.ts'
import { replaceGlobalCodes } from '../promo/replace-global-codes.ts'
import { excludedTables } from './excluded-tables.ts'

/** The address of a database without any table, gone when the file ends. */
export async function createEmptyDatabase(): Promise<string> {
  const clusterUrl = inject('clusterUrl')
  const name = `peyk_empty_${randomUUID().replaceAll('-', '')}`
  await administer(clusterUrl, `create database ${name} template template0 encoding 'UTF8'`)
  afterAll(() => administer(clusterUrl, `drop database if exists ${name} with (force)`))
  return databaseUrl(clusterUrl, name)
}

export async function createEmptyStore(): Promise<Store> {
  const store = openStore(await createEmptyDatabase(), { poolSize: 4 })
  afterAll(() => store.close())
  return store
}

/** A folder of this file's own. */
export async function makeBackupFolder(): Promise<string> {
  const folder = await makeGuardedFolder('peyk-backup-')
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return folder
}

let files = 0
export const nextFile = (folder: string) => join(folder, `${++files}.backup`)

/** Something in most tables, with texts that COPY has to write otherwise. */
export async function fillApp(ctx: OutwardContext): Promise<void> {
  await registerInstallation(ctx, { deviceType: 'android', userId: 'sara', deviceToken: 'token' })
  await registerInstallation(ctx, { deviceType: 'web', isGuest: true })
  await addTags(ctx, { userId: 'sara', tags: ['vip', 'a\\b'] })
  await setAttributes(ctx, { userId: 'sara', attributes: { note: 'one\nline\tand \\N another \\.', plan: 'پرو' } })
  await trackBulk(ctx, [
    { userId: 'sara', eventName: 'Visit', eventData: { value: 2.5, text: '\\.\n' } },
    { userId: 'sara', revenue: 12.1, currency: 'EUR' },
    { userId: 'nobody-yet', eventName: 'Visit' },
  ])
  await sendToUsers(ctx, { user: 'sara', content: 'Hello' })
  await sendByQuery(ctx, {
    content: 'To all',
    segment: { all: [{ name: 'deviceType', operator: 'equal_to', value: 'android' }] },
  } as never)
  await replaceGlobalCodes(ctx, { file: Readable.from(['A-1\nC-3\nB-2\n']) })
  await storeImage(ctx, sampleImages.jpeg)
  const { credentials } = readCredentials('webpush', createWebPushCredentials('mailto:test@example.com'), undefined)
  await setCredentials(ctx, { provider: 'webpush', credentials, isSimulated: false })
}

/** A backup says of itself only afterwards that it was made. */
const ownTables = ['migrations', 'backups', 'restores']

/** Of each table how many rows it has, and a checksum of them. */
export async function readContents(store: Store): Promise<Record<string, string>> {
  const contents: Record<string, string> = {}
  for (const table of await listTables(store)) {
    if (ownTables.includes(table) || excludedTables.includes(table)) continue
    const [row] = await store.query<{ sum: string }>(
      sql`select count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\n' order by t::text)), '') as sum from ${raw(table)} t`,
    )
    contents[table] = row?.sum ?? ''
  }
  return contents
}
