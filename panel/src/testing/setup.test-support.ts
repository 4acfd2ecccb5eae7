import { notifications } from '@mantine/notifications'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach } from 'vitest'
import { loadPageTexts } from '../texts/load-texts.ts'
import { endTest, standInForNetwork } from './service.test-support.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
// The simulated window has no fonts: fields that grow with their text ask when they are loaded.
Object.assign(document, { fonts: new EventTarget() })
// A busy machine takes its time; what is missing for so long does not come.
configure({ asyncUtilTimeout: 20_000 })
await loadPageTexts()

beforeEach(standInForNetwork)
afterEach(() => {
  cleanup()
  notifications.clean()
  localStorage.clear()
  endTest()
})
