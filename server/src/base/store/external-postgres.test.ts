import { administer, databaseUrl } from '@peyk/test/database/database-cluster.ts'
import sql from 'sql-template-tag'
import { expect, inject, it, onTestFinished } from 'vitest'
import { checkExternalPostgres, findServerFault } from './external-postgres.ts'
import { openStore } from './store.ts'

const clusterUrl = inject('clusterUrl')

it('takes PostgreSQL from 15 on, with UTF8', () => {
  expect(findServerFault({ version: '15.0', encoding: 'UTF8' })).toBeUndefined()
  expect(findServerFault({ version: '18.4 (Debian 18.4-1)', encoding: 'UTF8' })).toBeUndefined()
  expect(findServerFault({ version: '14.19', encoding: 'UTF8' })).toBe('is PostgreSQL 14.19; 15 or newer is needed.')
  expect(findServerFault({ version: '9.6.24', encoding: 'UTF8' })).toContain('9.6.24')
  expect(findServerFault({ version: '16.1', encoding: 'LATIN1' })).toContain('LATIN1')
})

it('takes the database that answers, and says how many connections a role may have', async () => {
  const store = openStore(databaseUrl(clusterUrl, 'postgres'), { poolSize: 1 })
  onTestFinished(() => store.close())
  const [row] = await store.query<{ most: number; kept: number }>(sql`
    select current_setting('max_connections')::int as most, current_setting('superuser_reserved_connections')::int as kept`)
  const limit = await checkExternalPostgres(databaseUrl(clusterUrl, 'postgres'))
  expect(limit).toBe((row?.most as number) - (row?.kept as number))
})

it('refuses a database with another encoding', async () => {
  const name = `peyk_ascii_${process.pid}`
  await administer(clusterUrl, `create database ${name} template template0 encoding 'SQL_ASCII' locale 'C'`)
  onTestFinished(() => administer(clusterUrl, `drop database ${name}`))
  await expect(checkExternalPostgres(databaseUrl(clusterUrl, name))).rejects.toThrow('has the encoding SQL_ASCII')
})

it('says what is wrong in one line without the password', async () => {
  await expect(checkExternalPostgres(databaseUrl(clusterUrl, 'nothing'))).rejects.toThrow(
    /\/nothing\) cannot be used: database "nothing" does not exist$/,
  )
  await expect(checkExternalPostgres('postgresql://u:secret@127.0.0.1:9/peyk')).rejects.toThrow(
    'The database of PEYK_DATABASE_URL (127.0.0.1:9/peyk) cannot be used: connect ECONNREFUSED 127.0.0.1:9',
  )
})
