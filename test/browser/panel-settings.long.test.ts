import { expect, it } from 'vitest'
import { choosePassword, chosenPassword, findBarriers, openPanel, poll } from '../helpers/panel.ts'
import { story } from '../helpers/runner/story.ts'

const panel = await openPanel()
const page = await panel.open({ scheme: 'dark' })
const dialog = page.getByRole('dialog')

async function readSecret(): Promise<string> {
  return (await dialog.locator('[data-secret]').textContent()) as string
}

story('the settings', () => {
  it('are reached by address and keyboard, and have no barrier', async () => {
    for (const section of ['app', 'keys', 'identity', 'providers', 'webhooks', 'members']) {
      await panel.visit(page, `/settings/${section}`)
      await page.locator('h2').first().waitFor()
      expect([section, await findBarriers(page)]).toEqual([section, []])
    }
    await page.getByRole('button', { name: 'Invite member' }).focus()
    await page.keyboard.press('Enter')
    await dialog.getByLabel('Email').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })

  it('let an analyst in by a link, who sees none of them', async () => {
    await panel.visit(page, '/settings/members')
    await page.click('text="Invite member"')
    await dialog.getByLabel('Email').fill('analyst@shop.example')
    await dialog.getByLabel('Analyst').click()
    await dialog.getByRole('button', { name: 'Invite' }).click()
    const link = await readSecret()

    const theirs = await panel.openSignedOut()
    await theirs.goto(link)
    await choosePassword(theirs)
    await theirs.waitForURL('**/panel/demo/overview')
    expect(theirs.url()).not.toContain('#')
    await theirs.getByRole('link', { name: 'Messages' }).waitFor()
    for (const hidden of ['Settings', 'Send'])
      expect(await theirs.getByRole('link', { name: hidden, exact: true }).count()).toBe(0)
    await panel.visit(theirs, '/settings/tokens')
    await theirs.getByText('Only admins see the settings').waitFor()
    const status = await theirs.evaluate(() => fetch('/panel/api/apps/demo/tokens').then((answer) => answer.status))
    expect(status).toBe(403)

    await theirs.getByLabel('Account').click()
    await theirs.getByText('Sign out', { exact: true }).click()
    await theirs.locator('input[name=email]').waitFor()
    await theirs.goto(link)
    await theirs.getByText('This link was already used').waitFor()
    await theirs.fill('input[name=email]', 'analyst@shop.example')
    await theirs.fill('input[name=password]', chosenPassword)
    await theirs.click('button[type=submit]')
    await theirs.waitForURL('**/panel/demo/overview')
  })

  it('ask before the role of somebody is another', async () => {
    await panel.load(page, '/settings/members')
    const role = page.getByRole('combobox', { name: 'Role of analyst@shop.example' })
    const pick = async (answer: string) => {
      await role.click()
      await page.getByRole('option', { name: 'Support' }).click()
      await dialog.getByText('Change the role of analyst@shop.example to Support?').waitFor()
      await dialog.getByRole('button', { name: answer }).click()
      await dialog.waitFor({ state: 'hidden' })
    }
    await pick('Cancel')
    await poll(() => role.inputValue()).toBe('Analyst')
    await Promise.all([page.getByText('analyst@shop.example is now Support.').waitFor(), pick('Change role')])
    await poll(() => role.inputValue()).toBe('Support')
  })

  it('never let a script or a style of somebody else in', () => expect(panel.faults).toEqual([]))
})
