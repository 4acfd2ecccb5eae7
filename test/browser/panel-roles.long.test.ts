import { expect, it } from 'vitest'
import { openPanel } from '../helpers/panel.ts'
import { openRoles, type Role } from './panel-roles.ts'

const panel = await openPanel()
const { check, pages } = await openRoles(panel)

it.each<Role>(['support', 'marketer', 'analyst'])(
  'what a %s may not do is not shown, and nothing shown is refused',
  async (role) => {
    expect(await check(role, pages)).toEqual([])
  },
)
