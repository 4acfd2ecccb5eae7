import { afterEach, describe, expect, it, vi } from 'vitest'
import { type DrawnNotification, drawPush } from './draw-notification.ts'
import { applyChanges, askBuildHook, askOpenHook } from './hooks.ts'

const drawn = drawPush({ messageId: 'm1', title: 'Shop', body: 'Hello', data: { a: 1 } }) as DrawnNotification
const message = { id: 'm1', data: { a: 1 } }
const opened = { kind: 'opened' as const, messageId: 'm1' }

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe('the build hook', () => {
  it('sees the notification as it will be shown, and the message', async () => {
    const seen: unknown[] = []
    await askBuildHook((...told) => void seen.push(...told), drawn, message)
    expect(seen).toEqual([{ title: 'Shop', body: 'Hello', tag: 'm1', data: { a: 1 } }, message])
  })

  it('that returns false shows it itself; nothing, or none at all, leaves it as it is', async () => {
    expect(await askBuildHook(() => false, drawn, message)).toEqual({ isShownByApp: true })
    expect(await askBuildHook(async () => false, drawn, message)).toEqual({ isShownByApp: true })
    expect(await askBuildHook(() => undefined, drawn, message)).toEqual({ isShownByApp: false })
    expect(await askBuildHook(() => null, drawn, message)).toEqual({ isShownByApp: false })
    expect(await askBuildHook(() => true, drawn, message)).toEqual({ isShownByApp: false })
    expect(await askBuildHook(undefined, drawn, message)).toEqual({ isShownByApp: false })
  })

  it('may change what is shown, but not what is reported', async () => {
    const changes = { title: 'Mine', body: 'Hi', data: { peyk: 'x', b: 2 } }
    expect(await askBuildHook(() => changes, drawn, message)).toEqual({ isShownByApp: false, changes })
    expect(applyChanges(drawn, changes)).toEqual({
      title: 'Mine',
      options: { tag: 'm1', body: 'Hi', data: { a: 1, b: 2, peyk: drawn.marks } },
      marks: drawn.marks,
    })
    expect(applyChanges(drawn)).toEqual(drawn)
  })

  it('may return what cannot be passed on: that is left out', async () => {
    const changes = { title: 'Mine', onclick: () => undefined, data: { order: 42, open: () => undefined } }
    const answer = await askBuildHook(() => changes, drawn, message)
    expect(answer).toEqual({ isShownByApp: false, changes: { title: 'Mine', data: { order: 42 } } })
  })

  it('may take the tag away: without one browsers refuse to draw attention again', () => {
    expect(applyChanges(drawn, { renotify: true }).options).toMatchObject({ tag: 'm1', renotify: true })
    expect(applyChanges(drawn, { renotify: true, tag: '' }).options).not.toHaveProperty('renotify')
  })

  it('that throws or never answers is as good as none', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const failing = () => {
      throw new Error('oh')
    }
    expect(await askBuildHook(failing, drawn, message)).toEqual({ isShownByApp: false })
    expect(console.error).toHaveBeenCalledOnce()
    vi.useFakeTimers()
    const answer = askBuildHook(() => new Promise(() => undefined), drawn, message)
    await vi.runAllTimersAsync()
    expect(await answer).toEqual({ isShownByApp: false })
  })
})

describe('the open hook', () => {
  it('prevents the opening with false, and with nothing else', async () => {
    expect(await askOpenHook(() => false, opened)).toEqual({ isPrevented: true })
    expect(await askOpenHook(async () => undefined, opened)).toEqual({ isPrevented: false })
    expect(await askOpenHook(undefined, opened)).toEqual({ isPrevented: false })
  })
})
