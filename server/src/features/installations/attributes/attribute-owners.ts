import sql from 'sql-template-tag'
import { RequestError } from '#base/errors.ts'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { unknownInstallation } from '../installation-id.ts'
import { lockInstallations } from '../installations-store.ts'
import { findForgottenUsers } from '../users/forgotten-users.ts'
import { lockUsers } from '../users/lock-users.ts'
import { countInstallations } from '../users/user-rows-store.ts'
import type { AttributeOperation, OwnerKind } from './attribute-operation.ts'

export interface AttributeWrite {
  appId: number
  /** A user; or an installation, whose own attributes are meant or those of its user. */
  owner: { userId: string } | { installationId: string; userId?: string | undefined; of: OwnerKind }
  operations: AttributeOperation[]
  begunAt: Date
  /** Set when a client writes: whether the app verifies identities. */
  byClient?: { isVerifying: boolean } | undefined
}

export interface AttributeOwner {
  kind: OwnerKind
  appId: number
  /** Undefined for a user who is not known, and of whom nothing is to be kept. */
  ownerNo: number | undefined
  /** Installations concerned that are not uninstalled. */
  count: number
  /** Who writes may be anybody: a client whose user is not verified. */
  isUnverified: boolean
}

interface InstallationInfo {
  app_id: number
  id: string
  installation_no: number
  user_id: string
  is_installed: boolean
  is_verified: boolean
}

/** Whose attributes each of these writes changes, locked until the transaction ends. */
export async function lockAttributeOwners(
  tx: Transaction,
  writes: readonly AttributeWrite[],
): Promise<(AttributeOwner | RequestError)[]> {
  const installations = await lockNamedInstallations(tx, writes)
  const targets = writes.map((write) => chooseTarget(write, installations))
  const named = targets.flatMap((target, index) =>
    target instanceof RequestError || !('userId' in target)
      ? []
      : [{ index, appId: target.appId, userId: target.userId, ...keyOf(writes[index] as AttributeWrite) }],
  )
  if (named.length === 0) return targets as (AttributeOwner | RequestError)[]
  const isForgotten = await findForgottenUsers(
    tx,
    named.map(({ appId, userId, begunAt }) => ({ appId, id: userId, begunAt })),
  )
  const users = named.filter((_, position) => !isForgotten[position])
  const locked = await lockUsers(tx, users)
  const numbers = locked.map(
    (user, position) => user && { appId: users[position]?.appId as number, userNo: user.userNo },
  )
  const counts = await countInstallations(tx, numbers)
  const ownerOf = ({ index, appId }: { index: number; appId: number }): AttributeOwner => {
    const { isUnverified } = targets[index] as Target
    return { kind: 'user', appId, ownerNo: undefined, count: 0, isUnverified }
  }
  const owners = new Map(named.map((user) => [user.index, ownerOf(user)]))
  for (const [position, { index }] of users.entries()) {
    const owner = owners.get(index) as AttributeOwner
    owner.ownerNo = locked[position]?.userNo
    owner.count = counts[position] as number
  }
  return targets.map((target, index) => owners.get(index) ?? (target as AttributeOwner | RequestError))
}

function keyOf({ begunAt, operations }: AttributeWrite) {
  return { begunAt, makes: keepsSomething(operations) }
}

interface Target {
  appId: number
  userId: string
  isUnverified: boolean
}

function chooseTarget(
  { appId, owner, byClient }: AttributeWrite,
  installations: Map<string, InstallationInfo>,
): AttributeOwner | Target | RequestError {
  if (!('installationId' in owner)) return { appId, userId: owner.userId, isUnverified: byClient !== undefined }
  const info = installations.get(`${appId}/${owner.installationId}`)
  if (!info) return unknownInstallation(owner.installationId)
  if (owner.userId !== undefined && owner.userId !== info.user_id) {
    return new RequestError(
      'invalid-request',
      `The installation "${owner.installationId}" does not belong to the user "${owner.userId}".`,
      {
        details: { field: 'installationId' },
      },
    )
  }
  const isUnverified = byClient !== undefined && !(byClient.isVerifying && info.is_verified)
  if (owner.of === 'user') return { appId, userId: info.user_id, isUnverified }
  return { kind: 'installation', appId, ownerNo: info.installation_no, count: info.is_installed ? 1 : 0, isUnverified }
}

function keepsSomething(operations: readonly AttributeOperation[]): boolean {
  return operations.some(({ kind }) => kind !== 'unset' && kind !== 'removeFromArray')
}

async function lockNamedInstallations(
  tx: Transaction,
  writes: readonly AttributeWrite[],
): Promise<Map<string, InstallationInfo>> {
  const named = writes.flatMap(({ appId, owner }) =>
    'installationId' in owner ? [{ appId, id: owner.installationId, of: owner.of }] : [],
  )
  if (named.length === 0) return new Map()
  const owners = named.filter(({ of }) => of === 'installation')
  if (owners.length > 0) await lockInstallations(tx, owners, [])
  const rows = await tx.query<InstallationInfo>(
    sql`select i.app_id, i.id, i.installation_no, u.user_id, i.uninstalled_at is null as is_installed,
          coalesce(d.verified_user_no = i.user_no, false) as is_verified
        from ${unnestRows(named, 'k', { app_id: ['int', ({ appId }) => appId], id: ['uuid', ({ id }) => id] })}
        join installations i on i.app_id = k.app_id and i.id = k.id
        join users u on u.app_id = i.app_id and u.user_no = i.user_no
        left join installation_details d on d.app_id = i.app_id and d.installation_no = i.installation_no`,
    'read-attribute-installations',
  )
  return new Map(rows.map((row) => [`${row.app_id}/${row.id}`, row]))
}
