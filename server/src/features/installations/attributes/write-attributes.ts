import type * as contract from '@peyk/contract'
import { defineBatch } from '#base/batch.ts'
import { RequestError } from '#base/errors.ts'
import type { Transaction } from '#base/store/store.ts'
import { applyAttribute } from './apply-attribute.ts'
import { attributeNameKey, recordAttributeNames } from './attribute-names-store.ts'
import type { AttributeValue } from './attribute-operation.ts'
import { type AttributeOwner, type AttributeWrite, lockAttributeOwners } from './attribute-owners.ts'
import { type AttributeSize, checkAttributeSize, resizeAttributes } from './attribute-size.ts'
import {
  type AttributeKey,
  deleteAttributes,
  putAttributes,
  readAttributeSizes,
  readAttributeValues,
} from './attributes-store.ts'
import { isProtected, sayProtected, setterAfter } from './protect-attributes.ts'
import { readTypedValue, type ValueKind } from './value-kind.ts'

export type AttributesAnswer = contract.AnswerOf<typeof contract.attributes>

/** One attribute of one owner: what it was when it was read, and what it is after the operations so far. */
interface Cell extends AttributeKey {
  owner: AttributeOwner['kind']
  stored: AttributeValue | undefined
  value: AttributeValue | undefined
  wasUnverified: boolean
  isUnverified: boolean
}

type Cells = Map<string, Cell>

/** Lock the owners, read what they have, fold the operations in memory, write each changed attribute once. */
export const writeAttributes = defineBatch<AttributeWrite, AttributesAnswer>({
  name: 'attributes',
  maxWeight: 2_000,
  weight: (write) => Math.max(1, write.operations.length),
  flush: async (tx, writes) => {
    const owners = await lockAttributeOwners(tx, writes)
    const cells = await readCells(tx, writes, owners)
    const sizes = await readSizes(tx, owners)
    const folded = writes.map((write, index) =>
      fold(cells, sizes, write, owners[index] as AttributeOwner | RequestError),
    )
    const uses = folded.flatMap((outcome) => (outcome instanceof RequestError ? [] : outcome.uses))
    const kinds = uses.length > 0 ? await recordAttributeNames(tx, uses) : new Map<string, ValueKind>()
    await writeCells(tx, [...cells.values()], kinds)
    return folded.map((outcome, index) => {
      if (outcome instanceof RequestError) return outcome
      const warnings = [
        ...outcome.uses.flatMap((use) => warn(use, kinds.get(attributeNameKey(use)) as ValueKind)),
        ...outcome.leftAlone.map(sayProtected),
      ]
      return { count: (owners[index] as AttributeOwner).count, ...(warnings.length > 0 && { warnings }) }
    })
  },
})

async function readCells(
  tx: Transaction,
  writes: readonly AttributeWrite[],
  owners: readonly (AttributeOwner | RequestError)[],
): Promise<Cells> {
  const cells: Cells = new Map()
  for (const [index, owner] of owners.entries()) {
    if (owner instanceof RequestError || owner.ownerNo === undefined) continue
    for (const { name } of writes[index]?.operations ?? []) {
      const { appId, ownerNo, kind } = owner
      cells.set(cellKey(kind, { appId, ownerNo, name }), {
        owner: kind,
        appId,
        ownerNo,
        name,
        stored: undefined,
        value: undefined,
        wasUnverified: false,
        isUnverified: false,
      })
    }
  }
  for (const kind of ['user', 'installation'] as const) {
    const keys = [...cells.values()].filter((cell) => cell.owner === kind)
    const rows = keys.length > 0 ? await readAttributeValues(tx, kind, keys) : []
    for (const { value, isUnverified, ...key } of rows) {
      const known = { stored: value, value, wasUnverified: isUnverified, isUnverified }
      Object.assign(cells.get(cellKey(kind, key)) as Cell, known)
    }
  }
  return cells
}

/** What each owner has, as it is before the writes and then after each of them. */
async function readSizes(
  tx: Transaction,
  owners: readonly (AttributeOwner | RequestError)[],
): Promise<Map<string, AttributeSize>> {
  const sizes = new Map<string, AttributeSize>()
  for (const kind of ['user', 'installation'] as const) {
    const known = owners.flatMap((owner) =>
      owner instanceof RequestError || owner.ownerNo === undefined || owner.kind !== kind
        ? []
        : [{ appId: owner.appId, ownerNo: owner.ownerNo }],
    )
    const rows = known.length > 0 ? await readAttributeSizes(tx, kind, known) : []
    for (const { count, bytes, ...key } of rows) sizes.set(ownerKey(kind, key), { count, bytes })
  }
  return sizes
}

interface NameUse {
  appId: number
  name: string
  kind: ValueKind
  onInstallation: boolean
}

interface Folded {
  /** Which names were given values, and of which kinds. */
  uses: NameUse[]
  /** Names that the writer may not change. */
  leftAlone: string[]
}

/** All operations of a write take effect, but for those on what the writer may not change; or none. */
function fold(
  cells: Cells,
  sizes: Map<string, AttributeSize>,
  write: AttributeWrite,
  owner: AttributeOwner | RequestError,
): Folded | RequestError {
  if (owner instanceof RequestError) return owner
  const { appId, ownerNo, kind: ownerKind, isUnverified: byAnybody } = owner
  if (ownerNo === undefined) return { uses: [], leftAlone: [] }
  const draft = new Map<string, Pick<Cell, 'value' | 'isUnverified'>>()
  const leftAlone = new Set<string>()
  for (const operation of write.operations) {
    const key = cellKey(ownerKind, { appId, ownerNo, name: operation.name })
    const cell = cells.get(key) as Cell
    if (byAnybody && isProtected(cell)) {
      leftAlone.add(cell.name)
      continue
    }
    const current = draft.get(key) ?? cell
    const value = applyAttribute(current.value, operation)
    if (value instanceof RequestError) return value
    draft.set(key, { value, isUnverified: setterAfter(current, operation, byAnybody) })
  }
  const sizeBefore = sizes.get(ownerKey(ownerKind, { appId, ownerNo })) ?? { count: 0, bytes: 0 }
  const size = { ...sizeBefore }
  for (const [key, { value }] of draft) {
    const { name, value: before } = cells.get(key) as Cell
    const fault = resizeAttributes(size, name, before, value)
    if (fault) return fault
  }
  const fault = checkAttributeSize(ownerKind, sizeBefore, size)
  if (fault) return fault
  sizes.set(ownerKey(ownerKind, { appId, ownerNo }), size)
  const given = new Set(write.operations.flatMap(({ kind, name }) => (kind === 'removeFromArray' ? [] : [name])))
  const uses = [...draft].flatMap(([key, { value, isUnverified }]) => {
    const cell = cells.get(key) as Cell
    const isUse = given.has(cell.name) || JSON.stringify(cell.value) !== JSON.stringify(value)
    Object.assign(cell, { value, isUnverified })
    const kind = readTypedValue(value)?.kind
    return kind && isUse ? [{ appId, name: cell.name, kind, onInstallation: ownerKind === 'installation' }] : []
  })
  return { uses, leftAlone: [...leftAlone] }
}

async function writeCells(tx: Transaction, cells: readonly Cell[], kinds: Map<string, ValueKind>): Promise<void> {
  const changed = cells.filter(
    (cell) => JSON.stringify(cell.value) !== JSON.stringify(cell.stored) || cell.isUnverified !== cell.wasUnverified,
  )
  for (const kind of ['user', 'installation'] as const) {
    const own = changed.filter((cell) => cell.owner === kind)
    const gone = own.filter((cell) => cell.value === undefined)
    const put = own.flatMap(({ value, ...cell }) =>
      value === undefined ? [] : [{ ...cell, value, nameKind: kinds.get(attributeNameKey(cell)) as ValueKind }],
    )
    if (gone.length > 0) await deleteAttributes(tx, kind, gone)
    if (put.length > 0) await putAttributes(tx, kind, put)
  }
}

const kindNames: Record<ValueKind, string> = {
  number: 'number',
  text: 'text',
  boolean: 'boolean',
  date: 'date',
  list: 'array of texts',
}

/** [users-and-events.md#attributes] */
function warn({ name, kind }: NameUse, nameKind: ValueKind): string[] {
  if (kind === nameKind) return []
  return [
    `"${name}" was first a ${kindNames[nameKind]}; this value is a ${kindNames[kind]}. It is kept but takes no part in segments.`,
  ]
}

function cellKey(kind: AttributeOwner['kind'], key: AttributeKey): string {
  return `${ownerKey(kind, key)}/${key.name}`
}

function ownerKey(kind: AttributeOwner['kind'], { appId, ownerNo }: Omit<AttributeKey, 'name'>): string {
  return `${kind}/${appId}/${ownerNo}`
}
