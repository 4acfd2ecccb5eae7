import { type PromoSet, panelPromo, type updateGlobalPromoCodes } from '@peyk/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { exampleOf, later, refusal, service } from '../../testing/service.test-support.ts'
import { show } from '../../testing/show.test-support.tsx'
import { CodesPanel } from './CodesPanel.tsx'

const set = { ...(exampleOf(panelPromo).sets[0] as PromoSet), codes: 3, left: 2 }
const report = { promoSetId: 'shop', totalRows: 3, duplicates: 1, alreadyUsed: 0, leftOut: 1 }
const path = '/promo/global'

async function open(given?: PromoSet, options: Parameters<typeof show>[1] = {}) {
  service.answer<typeof updateGlobalPromoCodes>('POST', path, report)
  const texts = { title: 'Global set', lead: '', noneTitle: 'No global codes', noneText: '' }
  const shown = await show(<CodesPanel {...texts} set={given} uploadPath={path} />, options)
  const choose = async (text: string, name = 'codes.csv') => {
    const chooser = shown.container.querySelector('input[type=file]') as HTMLInputElement
    await shown.user.upload(chooser, new File([text], name, { type: 'text/csv' }))
    return screen.findByRole('region', { name: `Preview of ${name}` })
  }
  return { ...shown, choose }
}

const sentText = async () => ((service.bodyOf('POST', path) as FormData).get('file') as File).text()

it('a file is shown before it is sent: its header and its wrong lines are left out', async () => {
  const { user, choose } = await open()
  const preview = await choose('CODE\nUP-1\nUP 2\nUP-1\nUP-3\n')
  expect(within(preview).getByRole('switch', { name: /^The first line is a header/ })).toHaveProperty('checked', true)
  const wrong = within(preview).getByRole('region', { name: 'One line is not a code' })
  expect(within(wrong).getAllByRole('row')[1]?.textContent).toBe('3UP 2has a space')
  expect(service.asked('POST', path)).toEqual([])
  await user.click(within(preview).getByRole('button', { name: 'Add 2 codes, leave one line out' }))
  await screen.findByText('3 rows were read')
  expect(screen.getByText('One row was a duplicate: each code is kept once')).toBeTruthy()
  expect(screen.getByText('2 new codes are ready to use')).toBeTruthy()
  const [asked] = service.asked('POST', path)
  expect(asked?.query).toEqual({ mode: 'replace', hasHeader: 'true', leaveOutBadLines: 'true' })
  expect(await sentText()).toBe('CODE\nUP-1\nUP 2\nUP-1\nUP-3\n')
})

it('codes are added to those that are there unless the member replaces them, which is asked once more', async () => {
  const { user, choose } = await open(set)
  await user.click(screen.getByRole('button', { name: 'Upload codes' }))
  const preview = await choose('UP-1\nUP-2\n')
  expect(within(preview).getByRole('radio', { name: /^Keep the 3 current codes and add these/ })).toHaveProperty(
    'checked',
    true,
  )
  await user.click(within(preview).getByRole('radio', { name: /^Replace them/ }))
  await user.click(within(preview).getByRole('button', { name: 'Replace with 2 codes' }))
  const dialog = await screen.findByRole('dialog', { name: 'Replace the codes?' })
  expect(dialog.textContent).toContain('2 codes of the old set are still unused.')
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  expect(service.asked('POST', path)).toEqual([])
  await user.click(within(preview).getByRole('button', { name: 'Replace with 2 codes' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Replace codes' }))
  await screen.findByText('The new codes are in use')
  expect(service.asked('POST', path)[0]?.query).toEqual({
    mode: 'replace',
    hasHeader: 'false',
    leaveOutBadLines: 'false',
  })
})

it('a file that is dropped is read like one that is chosen; one without codes says why, and cannot be sent', async () => {
  await open()
  const file = new File(['PK\u0003\u0004 sheet'], 'codes.xlsx')
  fireEvent.drop(screen.getByText('Drop a CSV file here, or choose one'), { dataTransfer: { files: [file] } })
  const preview = await screen.findByRole('region', { name: 'Preview of codes.xlsx' })
  expect(within(preview).getByRole('alert').textContent).toContain('This is a spreadsheet or a ZIP file.')
  expect(
    within(preview)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['Choose another file'])
})

it('what the service refuses leaves the codes as they are, which is said', async () => {
  const { user, choose } = await open()
  service.answer('POST', path, refusal(413, 'too-large'))
  const preview = await choose('UP-1\n')
  await user.click(within(preview).getByRole('button', { name: 'Add one code' }))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Upload rejected. Your codes are unchanged.')
  expect(screen.getByRole('button', { name: 'Choose a file' })).toBeTruthy()
})

it('an upload is stopped, and the page asks before it is left meanwhile', async () => {
  const { user, choose, go, pathname } = await open()
  service.answer<typeof updateGlobalPromoCodes>('POST', path, later(report).answer)
  const preview = await choose('UP-1\n')
  await user.click(within(preview).getByRole('button', { name: 'Add one code' }))
  await screen.findByText('Uploading codes.csv')
  void go('/shop/other')
  const dialog = await screen.findByRole('dialog', { name: 'Stop the upload?' })
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  expect(pathname()).toBe('/shop/page')
  await user.click(screen.getByRole('button', { name: 'Stop upload' }))
  await screen.findByText('No global codes')
  await waitFor(() => expect(screen.queryByText('Uploading codes.csv')).toBeNull())
})
