import { expect, it } from 'vitest'
import { accentOf, drawnNotification, imageOf, pictureUrl } from './shown-notification.ts'

const look = { name: 'Shop' }

it.each([
  [{ content: 'c' }, look, 'Shop', 'c'],
  [{ content: 'c', alertText: 'a' }, look, 'Shop', 'a'],
  [{ content: 'c', alertText: 'a', notification: { title: 't', body: 'b' } }, look, 't', 'b'],
  [{ content: 'c' }, { ...look, notificationText: 'News' }, 'Shop', 'News'],
  [{ content: 'c', useAsAlert: true }, { ...look, notificationText: 'News' }, 'Shop', 'c'],
  [{ content: 'c', notification: { title: '', body: '' } }, look, 'Shop', 'c'],
  [{}, look, 'Shop', ''],
])('%j in an app like %j is drawn as "%s" and "%s"', (message, app, title, body) => {
  expect(drawnNotification(message, app)).toMatchObject({ title, body })
})

it('loads pictures of the web only', () => {
  expect(pictureUrl('https://x.example/a.png')).toBe('https://x.example/a.png')
  expect([pictureUrl('ic_launcher'), pictureUrl('javascript:alert(1)'), pictureUrl('data:text/html,x')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(imageOf({ mediaUrl: 'https://x.example/a.mp4', mediaType: 'video/mp4' })).toBeUndefined()
  expect(imageOf({ mediaUrl: 'https://x.example/a', mediaType: 'jpg' })).toBe('https://x.example/a')
  expect([accentOf('#0af'), accentOf('red; background: url(x)')]).toEqual(['#0af', undefined])
})
